"""Definition lists: what a page itself pairs, as terms and what they mean."""

from collections.abc import Iterator, Sequence
from html.parser import HTMLParser

from agent.planners.extract.found import FoundGroup, FoundRecord, FoundValue, ValueSource
from agent.planners.extract.labels import assign_labels
from agent.planners.extract.seen_lines import CUT, SeenLine
from agent.planners.extract.seen_pages import Definition, SeenPage
from agent.planners.extract.shapes import FieldShape, RecordShape, ValueShape
from agent.planners.extract.soles import has_role
from agent.planners.extract.values import convert_text
from core.base.matching import fold_space
from core.selectors.selectors import quote_name

_BLOCKS = frozenset({"p", "div", "li", "br", "pre", "tr"})


def parse_definitions(html: str, lines: Sequence[SeenLine]) -> tuple[Definition, ...]:
    """Return the pairs of a definition list, as far as they can be seen.

    Args:
        lines: The outline of its page: what is not in it can't be seen.
    """
    parser = _DefinitionParser()
    parser.feed(html)
    parser.close()
    seen = {fold_space(line.said).removesuffix(CUT).rstrip() for line in lines if line.said}
    return tuple(each for each in parser.list_pairs() if each.term in seen and _is_seen(each.text, seen))


def read_definitions(page: SeenPage, shape: RecordShape) -> list[FoundGroup]:
    """Return what definition lists give where a title and a text are all that is wanted: a pair is then a record."""
    title = [each for each in shape.fields if has_role(each, "title")]
    prose = [each for each in shape.fields if has_role(each, "prose")]
    others = [each for each in shape.fields if each.is_required and each not in (*title, *prose)]
    if len(title) != 1 or len(prose) != 1 or others:
        return []
    fields = frozenset({title[0].name, prose[0].name})
    groups = [[_read_pair(each, page, title[0], prose[0]) for each in pairs] for pairs in page.definitions]
    return [FoundGroup(records=tuple(records), fields=fields) for records in groups if records]


def read_pairs(record: FoundRecord, page: SeenPage, shape: RecordShape) -> None:
    """Put what definition lists say of a record into it, where nothing has said that yet."""
    pairs = [pair for pairs in page.definitions for pair in pairs]
    for match in assign_labels([each.names for each in shape.fields], [each.term for each in pairs]):
        field, pair = shape.fields[match.field], pairs[match.label]
        if isinstance(field.shape, ValueShape) and not record.holds((field.name,)):
            _put(record, field, field.shape, (pair.text, tell_definition(pair, page), page.language))


def tell_definition(pair: Definition, page: SeenPage) -> ValueSource:
    """Return a pair as the line that its value came from."""
    return ValueSource(text=f"{pair.term}: {pair.text}", selector=f"value {quote_name(pair.term)}", origin=page.origin)


def _read_pair(pair: Definition, page: SeenPage, title: FieldShape, prose: FieldShape) -> FoundRecord:
    record, source = FoundRecord(), tell_definition(pair, page)
    for field, text in ((title, pair.term), (prose, pair.text)):
        if isinstance(field.shape, ValueShape):
            _put(record, field, field.shape, (text, source, page.language))
    return record


def _put(record: FoundRecord, field: FieldShape, shape: ValueShape, said: tuple[str, ValueSource, str]) -> None:
    text, source, language = said
    try:
        value = convert_text(text, shape, language)
    except ValueError as error:
        record.refused[field.name,] = f"“{text}”: {error}"
        return
    record.values[field.name,] = FoundValue(value=value, written=text, source=source, way="label")


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

    def list_pairs(self) -> Iterator[Definition]:
        """Yield each term that has just one definition, and is alone in having it."""
        said = [(tag, fold_space("".join(texts))) for tag, texts in self._parts]
        for place, (tag, term) in enumerate(said):
            kinds = "".join(each[1] for each, _ in said[max(place - 1, 0) : place + 3])
            is_alone = kinds[1 if place else 0 :][:3] in {"td", "tdt"} and (not place or kinds[0] == "d")
            if tag == "dt" and term and is_alone and said[place + 1][1]:
                yield Definition(term=term, text=said[place + 1][1])
