"""Slots that take an element: which of the elements that words can name a slot takes, and in which form."""

import re
from dataclasses import replace

from core.language.grammars.grammar import Vocabulary
from core.language.meanings.contexts import Context
from core.language.phrases.slots import ElementSlot
from core.language.screens.elements import ElementPhraseReader, ReadElement
from core.language.sentences.patterns import QUOTE, compile_pattern
from core.language.sentences.spans import Span, UnreadableError
from core.language.values.names import NameReader
from core.selectors.selectors import PlainSelector, Region, parse_selector, render_plain, render_selector

_MOST_BARE = 4
_OPENED_WORDS = frozenset({"region", "form", "group", "list", "tabpanel", "menu"})


class ElementSlotReader:
    """Reads them in the words of one language."""

    def __init__(self, vocabulary: Vocabulary, names: NameReader, elements: ElementPhraseReader) -> None:
        self._names, self._elements = names, elements
        self._owned = OwnedValueReader(vocabulary, names, elements)
        self._dated = compile_pattern(rf"(?:{vocabulary.dated})$", re.IGNORECASE)
        self._placing = compile_pattern(vocabulary.placing, re.IGNORECASE)
        self._words = words = vocabulary.fields
        self._purposes, self._acts, self._particles = words.purposes, words.acts, words.particles
        self._labels, self._texts = vocabulary.filling.labels | vocabulary.form_names | words.labels, words.texts
        self._called = {
            kind: compile_pattern(pattern, re.IGNORECASE)
            for kind, pattern in (("many", words.labels_of_many), ("secret", words.secrets))
        }

    def read(self, span: Span, slot: ElementSlot, context: Context) -> str:
        """Return a selector, if the words say enough and the kind that they say fits."""
        if slot.is_owned and (owned := self._owned.read(span)):
            return owned
        if slot.is_part:
            value = render_plain(PlainSelector("value", self._elements.read_part(span)))
            said = self._elements.read(span)
            return said.selector if said.role not in {"", "text"} else value
        element = self._read_by_form(span, slot)
        said = self._names.drop_article(span)
        is_other = slot.form == "field" and slot.is_here and self._elements.kinds.find_bare(said, "field", "field")
        if (slot.is_bare or is_other) and element.role not in slot.roles | {"", "switch", "checkbox", "radio"}:
            element = ReadElement(render_plain(PlainSelector("field" if is_other else "control", said.text)))
        self._check(span, slot, element)
        if slot.is_dated and self._is_dated(span, context):
            return element.selector
        if slot.is_named and self._elements.is_form_name(span, with_capitals=slot.is_capital):
            return element.selector
        if not element.says(slot.needs) or (slot.roles and element.role not in slot.roles | {""}):
            raise UnreadableError
        return _name_opener(element.selector) if slot.is_opener else element.selector

    def _check(self, span: Span, slot: ElementSlot, element: ReadElement) -> None:
        besides = self._words.held | (self._words.timely if slot.is_timed else frozenset())
        is_clear = element.is_clear or self._names.drop_article(span).text[:1].isupper()
        is_mine = self._names.is_mine(span) if is_clear else self._names.is_elsewhere(span, besides)
        is_elsewhere = slot.is_here and is_mine
        is_unfit = (slot.is_bare and not self._is_bare(span)) or (slot.is_placeless and self._is_placed(span))
        is_unfit = is_unfit or (slot.is_aimless and not element.is_quoted and self._tells_purpose(span))
        is_unfit = is_unfit or (slot.is_written and span.text in self._particles)  # "move down to the Pay section"
        is_other = bool(slot.called) and not self._is_called(span, slot.called)
        if is_elsewhere or is_unfit or is_other or (element.names_several and not slot.is_several):
            raise UnreadableError

    def _is_bare(self, span: Span) -> bool:
        """Whether a few words stand there without an article."""
        return self._names.drop_article(span).start == span.start and span.words.count(" ") < _MOST_BARE

    def _is_placed(self, span: Span) -> bool:
        behind = span.words.partition(" ")[2]
        return self._placing.search(behind) is not None or not self._purposes.isdisjoint(behind.split())

    def _tells_purpose(self, span: Span) -> bool:
        first, _, behind = span.words.partition(" ")
        return first not in self._acts and not self._purposes.isdisjoint(behind.split())

    def _is_called(self, span: Span, kind: str) -> bool:
        words = self._names.drop_article(span).words
        if kind == "label":
            return not {words, words.removesuffix("s")}.isdisjoint(self._labels | self._texts)
        if kind == "date":
            return self._dated.search(words) is not None and words.partition(" ")[0] not in self._acts
        return self._called[kind].fullmatch(words) is not None and words not in self._texts

    def _read_by_form(self, span: Span, slot: ElementSlot) -> ReadElement:
        element = self._elements.read(span, slot.form, slot.list_form)
        if slot.is_written and not element.role and not element.is_literal:
            self._names.check_written(span)
        if slot.quoted_form and element.is_quoted and not element.role:
            return self._elements.read(span, slot.quoted_form)
        return element

    def _is_dated(self, span: Span, context: Context) -> bool:
        is_here = context.follows(("browser",)) and not self._names.is_elsewhere(span)
        return is_here or self._dated.search(span.words) is not None


def _name_opener(selector: str) -> str:
    """Return what opens an element, where it is a part of the page, which is called so as well: the button of a section."""
    spec = parse_selector(selector)
    core = spec.core
    if isinstance(core, PlainSelector) and core.word in _OPENED_WORDS and core.name:
        return render_selector(replace(spec, source="", core=replace(core, kind="control", word="")))
    return selector


_WRITTEN = rf"(?:{QUOTE}|(?-i:[A-Z\d])\S*(?:\s+\S+){{0,3}})"


class OwnedValueReader:
    """Reads them in the words of one language."""

    def __init__(self, vocabulary: Vocabulary, names: NameReader, elements: ElementPhraseReader) -> None:
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
    core = region.selector
    return isinstance(core, PlainSelector) and core.kind == "record" and bool(core.name)
