"""Values that belong to one of several like parts of a page: "the age of Claude", "Price in the row of Tea"."""

from typing import TYPE_CHECKING

from core.language.grammars.grammar import Vocabulary
from core.language.sentences.patterns import QUOTE, compile_pattern
from core.language.sentences.spans import Span
from core.language.values.names import NameReader
from core.selectors.selectors import PlainSelector, Region, render_plain

if TYPE_CHECKING:
    from core.language.screens.elements import ElementPhraseReader

_WRITTEN = rf"(?:{QUOTE}|(?-i:[A-Z\d])\S*(?:\s+\S+){{0,3}})"


class OwnedValueReader:
    """Reads them in the words of one language."""

    def __init__(self, vocabulary: Vocabulary, names: NameReader, elements: "ElementPhraseReader") -> None:
        self._names, self._elements, self._unowned = names, elements, vocabulary.fields.unowned
        # What it belongs to is written as a name, and it is not: "the age of Claude", not "Country of Birth".
        self._owned = compile_pattern(
            rf"(?P<label>(?-i:[^\W\d_A-Z])\S*(?:\s+\S+){{0,2}}?)\s+(?:{vocabulary.fields.of})\s+(?P<owner>{_WRITTEN})"
        )

    def read(self, span: Span) -> str | None:
        """Return the selector of such a value; None if the words say no such thing."""
        inner = self._names.drop_article(span)
        if match := self._owned.fullmatch(inner.mask):
            label, owner = inner.cut_group(match, "label"), inner.cut_group(match, "owner")
            if label.words in self._unowned or self._elements.kinds.find_bare(label, "field", "field"):
                return None
            record = PlainSelector("record", self._names.read_name(owner))
            return self._write(label, Region("", "", record))
        found, label = self._elements.places.take_place_off(inner)
        is_record = len(found.regions) == 1 and not found.frames and _is_record(found.regions[0])
        if not is_record or not label.mask or self._elements.kinds.find_named(label, "field", "field"):
            return None
        return self._write(self._names.drop_article(label), found.regions[0])

    def _write(self, label: Span, region: Region) -> str:
        return render_plain(PlainSelector("value", self._names.read_name(label), regions=(region,)))


def _is_record(region: Region) -> bool:
    """Whether a part of the page is one of several like ones, by a text in it."""
    core = region.selector
    return isinstance(core, PlainSelector) and core.kind == "record" and bool(core.name)
