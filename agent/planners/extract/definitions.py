"""Definition lists: what a page itself pairs, as terms and what they mean."""

from collections.abc import Iterator, Sequence
from html.parser import HTMLParser

from agent.planners.extract.found import FoundGroup, FoundRecord
from agent.planners.extract.labels import assign_labels
from agent.planners.extract.seen_pages import CUT, SeenLine, SeenPage, Snippet
from agent.planners.extract.shapes import FieldShape, RecordShape
from agent.planners.extract.soles import is_called
from core.base.matching import fold_space
from core.selectors.selectors import quote_name

_BLOCKS = frozenset({"p", "div", "li", "br", "pre", "tr"})


def parse_definitions(html: str, lines: Sequence[SeenLine]) -> tuple[tuple[str, str], ...]:
    """Return the terms of a definition list with what is said of them, as far as the outline of its page shows them."""
    parser = _DefinitionParser()
    parser.feed(html)
    parser.close()
    seen = {fold_space(line.said).removesuffix(CUT).rstrip() for line in lines if line.said}
    return tuple((term, text) for term, text in parser.list_pairs() if term in seen and _is_seen(text, seen))


def read_definitions(page: SeenPage, shape: RecordShape) -> list[FoundGroup]:
    """Return what definition lists give where a title and a text are all that is wanted: a pair is then a record."""
    title = [each for each in shape.fields if is_called(each, "title")]
    prose = [each for each in shape.fields if is_called(each, "prose")]
    others = [each for each in shape.fields if each.is_required and each not in (*title, *prose)]
    if len(title) != 1 or len(prose) != 1 or others:
        return []
    groups = [[_read_pair(page, pair, title[0], prose[0]) for pair in pairs] for pairs in page.definitions]
    fields = frozenset({title[0].name, prose[0].name})
    return [FoundGroup(tuple(records), fields) for records in groups if records]


def read_pairs(record: FoundRecord, page: SeenPage, shape: RecordShape) -> None:
    """Put what definition lists say of a record into it, where nothing has said that yet."""
    pairs = [pair for pairs in page.definitions for pair in pairs]
    for field, place in assign_labels(shape.fields, [term for term, _ in pairs]):
        if record.lacks(field):
            _put(record, page, field, pairs[place], pairs[place][1])


def _read_pair(page: SeenPage, pair: tuple[str, str], title: FieldShape, prose: FieldShape) -> FoundRecord:
    record = FoundRecord()
    for field, text in zip((title, prose), pair, strict=True):
        _put(record, page, field, pair, text)
    return record


def _put(record: FoundRecord, page: SeenPage, field: FieldShape, pair: tuple[str, str], text: str) -> None:
    if field.value:
        line = f"{pair[0]}: {pair[1]}"
        record.try_put(page, (field.name,), field.value, quote_pair(pair[0], text, line), "label")


def quote_pair(label: str, text: str, line: str = "") -> Snippet:
    """Return what a page pairs with a label by its own markup."""
    return Snippet(text, line, f"value {quote_name(label)}")


def _is_seen(text: str, seen: set[str]) -> bool:
    return any(text.startswith(each) or each.startswith(text) for each in seen if each)


class _DefinitionParser(HTMLParser):
    """Collects what terms and definitions say."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._parts: list[tuple[str, list[str]]] = []
        self._is_open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag in {"dt", "dd"}:
            self._parts.append((tag, []))
            self._is_open = True
        elif tag in _BLOCKS and self._parts:
            self._parts[-1][1].append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in {"dt", "dd"}:
            self._is_open = False

    def handle_data(self, data: str) -> None:
        if self._is_open and self._parts:
            self._parts[-1][1].append(data)

    def list_pairs(self) -> Iterator[tuple[str, str]]:
        """Yield each term that has just one definition, and is alone in having it."""
        said = [(tag, fold_space("".join(texts))) for tag, texts in self._parts]
        for place, (tag, term) in enumerate(said):
            kinds = "".join(each[1] for each, _ in said[max(place - 1, 0) : place + 3])
            is_alone = kinds[1 if place else 0 :][:3] in {"td", "tdt"} and (not place or kinds[0] == "d")
            if tag == "dt" and term and is_alone and said[place + 1][1]:
                yield term, said[place + 1][1]
