"""SlotReaders: what is read out of the words that stand in a slot.

A reader gets the span that the slot caught and returns the value of the param, or raises ``UnreadableError``.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from core.addresses.platforms import SearchPlatform
from core.language.files.file_slots import FileSlots
from core.language.files.globs import GlobReader, open_case
from core.language.files.located_paths import get_ending
from core.language.grammars.grammar import Vocabulary
from core.language.meanings.contexts import START, Context, Created
from core.language.meanings.interpretation import SlotValue
from core.language.phrases.element_slots import ElementSlotReader
from core.language.phrases.slots import ELEMENT_SLOTS, SHAPES, list_shapes
from core.language.screens.choice_slots import ChoiceSlots
from core.language.screens.elements import ElementPhraseReader
from core.language.screens.page_slots import FormSlots, PageSlots
from core.language.screens.programs import ProgramReader
from core.language.screens.sounds import SoundReader
from core.language.sentences.patterns import compile_pattern
from core.language.sentences.spans import Span, UnreadableError, try_read
from core.language.values.addresses import AddressReader
from core.language.values.amounts import AmountReader, read_place, read_viewport
from core.language.values.key_names import KeyReader
from core.language.values.lists import read_any, read_fields, read_items, read_options, read_paths, read_several_options
from core.language.values.names import NameReader
from core.language.values.texts import TextPhraseReader
from core.selectors.selectors import LAST, PlainSelector, render_plain

_STEP_PX = 50
_HEARD = ("audio",)
_WAYS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
Reader = Callable[[Span], Any]
ContextReader = Callable[[Span, Context], Any]
# What is in front isn't known yet where it is only asked whether words may refer to it.
_ANY_CONTEXT = Context(step=1, folders=(Created(".", "."),))


class SlotReaders:
    """The readers of one language, by kind of slot."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        platforms: Mapping[str, SearchPlatform],
        list_programs: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        self._vocabulary = vocabulary
        self._request = compile_pattern(rf"\W*(?:{vocabulary.request})", re.IGNORECASE)
        self._names = NameReader(vocabulary)
        self.files = FileSlots(vocabulary, self._names)
        self.elements = ElementPhraseReader(vocabulary, self._names)
        self._elements = ElementSlotReader(vocabulary, self._names, self.elements)
        texts = TextPhraseReader(vocabulary, self._names)
        self._amounts = AmountReader(vocabulary)
        self._shown_texts: dict[str, Callable[[Span], str]] = {
            "figure_text": texts.read_figure,
            "price_text": texts.read_price,
            "said_text": texts.read_shown,
        }
        programs = ProgramReader(vocabulary, self._names, self.elements, list_programs)
        self.sounds = SoundReader(vocabulary, self._names, programs)
        pages = PageSlots(self._names, self._amounts, vocabulary.colour_words, vocabulary.bounds)
        self._readers = (
            self._list_own_readers()
            | pages.readers
            | ChoiceSlots(vocabulary, self._names, texts).readers
            | FormSlots(texts, self._amounts, vocabulary.filling, vocabulary.articles).readers
            | _list_text_readers(texts)
            | _list_amount_readers(self._amounts)
            | _list_address_readers(AddressReader(vocabulary, self._names, platforms))
            | _list_glob_readers(self.files.globs)
            | _list_program_readers(programs)
            | _list_sound_readers(self.sounds)
        )
        self.beginnings: Mapping[str, Callable[[str], bool]] = {
            **dict.fromkeys(("percent", "said_percent", "points"), self._amounts.may_begin),
            "lone": frozenset(SHAPES["lone"].split("|")).__contains__,
        }
        """For some kinds whether a slot can begin with a word in lower case, which is known sooner than what it holds."""
        self._context_readers = self.files.readers | {
            "given": texts.read_given,
            "content": texts.read_content,
            "lone": _read_lone,
            **dict.fromkeys(("that_tab", "that_player", "that_folder"), _read_spoken),
            "person": self._read_person,
            "program": programs.read_program,
            "like_program": programs.read_like_program,
            "bare_program": programs.read_bare_program,
        }

    def _list_own_readers(self) -> dict[str, Reader]:
        keys = KeyReader(self._vocabulary)
        return {
            **dict.fromkeys(("pattern", "path", "quote", "code", "word", "gauge", "address", "glob"), read_any),
            "key": keys.read_key,
            "keys": keys.read_keys,
            "modifiers": keys.read_modifiers,
            "pdf_path": _read_pdf_path,
            "name": self._names.read_name,
            "part": self.elements.read_part,
            "fields": lambda span: read_fields(span, self._names.joints),
            "device": self._read_device,
            "way": self._read_way,
            "rank": self._read_rank,
            "ranked_button": lambda span: self.elements.read(span).name_button(),
            "options": lambda span: read_options(span, self._names, self._vocabulary.fields.joints),
            "items": lambda span: read_items(span, self._names),
            "several_options": lambda span: read_several_options(span, self._names),
            "paths": lambda span: read_paths(span, self._names.joints),
            "url_end": lambda span: f"*{read_any(span)}",
        }

    @property
    def shapes(self) -> dict[str, str]:
        """What the slots that aren't open can hold, as regular expressions over the mask."""
        return list_shapes(self._vocabulary)

    def is_request(self, mask: str) -> bool:
        """Whether a sentence asks for something to be done, so that a question mark at its end is its own."""
        return self._request.match(mask) is not None

    def is_behind_article(self, span: Span) -> bool:
        """Whether an article stands in front of a word in small letters, so that it is hardly a name: "the zoom"."""
        *_, article, word = ["", *span.sentence.source[: span.end].split()]
        return article.lower() in self._vocabulary.articles and word.islower()

    def is_in_front(self, span: Span) -> bool:
        """Whether a span is a field, a window, a folder, a source of sound or a place to search in front: ``in the editor, press …``."""
        leading = self.elements.match_leading(span)
        if leading is None:
            return False
        return (
            self.elements.is_field_in_front(span)
            or self._reads("window", leading)
            or (leading.literal is None and self._reads("folder", leading))
            or self._reads("source", leading)
            or self._reads("platform", leading)
        )

    def split_source(self, span: Span) -> Iterator[tuple[SlotValue, Span]]:
        """Yield what may be a source of sound in front of a step, with the rest: ``in the kitchen, turn it up``."""
        leading = self.elements.match_leading(span)
        if leading is not None:
            yield from self.sounds.split_source(leading)

    def _reads(self, kind: str, span: Span) -> bool:
        return try_read(self.read, kind, span, _ANY_CONTEXT) is not None

    @property
    def kinds(self) -> frozenset[str]:
        """All kinds of slot."""
        return frozenset([*self._readers, *self._context_readers, *self._vocabulary.choices, *ELEMENT_SLOTS])

    def read(self, kind: str, span: Span, context: Context = START) -> Any:
        """Read a slot."""
        if kind in self._shown_texts:
            return render_plain(PlainSelector("text", self._shown_texts[kind](span)))
        if kind in ELEMENT_SLOTS:
            return self._elements.read(span, ELEMENT_SLOTS[kind], context)
        if kind in self._context_readers:
            return self._context_readers[kind](span, context)
        choices = self._vocabulary.choices.get(kind)
        if choices is None:
            return self._readers[kind](span)
        if span.words not in choices:
            raise UnreadableError
        return choices[span.words]

    def name_words(self, slot: SlotValue, span: Span) -> str:
        """Return what a slot called something, in lower case and without an article."""
        return self._names.drop_article(span.cut(slot.start - span.start, slot.end - span.start)).words

    def _read_person(self, span: Span, context: Context) -> str:
        return self._names.read_person(span, is_on_page=context.follows(("browser",)))

    def _read_way(self, span: Span) -> list[int]:
        direction = self._vocabulary.choices["direction"].get(span.words)
        if direction is None:
            raise UnreadableError
        return [round(each * _STEP_PX) for each in _WAYS[direction]]

    def _read_rank(self, span: Span) -> str:
        """Return the item of a list whose place something is moved to: ``top``, ``4th``, ``last``."""
        ends = {"top": 1, "bottom": LAST}
        end = self._vocabulary.choices["end"].get(span.words)
        if span.words.isdecimal():
            raise UnreadableError  # "to 50" is not a place
        nth = ends[end] if end else self._amounts.read_nth(span)
        return render_plain(PlainSelector("role", "", "listitem", nth=nth))

    def _read_device(self, span: Span) -> str:
        if span.quoted is None and span.words.partition(" ")[0] not in self._vocabulary.device_words:
            raise UnreadableError
        return read_any(span)


def _list_text_readers(texts: TextPhraseReader) -> dict[str, Reader]:
    return {
        "text": texts.read_text,
        "typed": texts.read_typed,
        "coded": texts.read_text,
        "jotted": texts.read_jotted,
        "described": texts.read_described,
        "stated": texts.read_stated,
        "filling": texts.read_filling,
        "figure": texts.read_figure,
        "date": texts.read_date,
        "lower_quote": lambda span: texts.read_text(span).lower(),
        "upper_quote": lambda span: texts.read_text(span).upper(),
        "first_of_some": lambda span: span.text.lstrip("["),
        "mid_of_some": read_any,
        "last_of_some": lambda span: span.text.rstrip("]"),
        "purpose": texts.read_purpose,
        "shelf": texts.read_purpose,
        "query": texts.read_query,
        "own_query": texts.read_own_query,
        "tab_text": texts.read_shown,
        "shown": texts.read_shown,
        "title_part": lambda span: f"*{texts.read_text(span)}*",
    }


def _list_amount_readers(amounts: AmountReader) -> dict[str, Reader]:
    return {
        "number": amounts.read_number,
        "count": amounts.read_count,
        "seconds": amounts.read_seconds,
        "index": amounts.read_index,
        "nth": amounts.read_nth,
        "percent": amounts.read_percent,
        "points": amounts.read_points,
        "said_percent": amounts.read_percent,
        "moment": amounts.read_moment,
        "age": amounts.read_age,
        "viewport": read_viewport,
        "bounds": amounts.read_bounds,
        "point": amounts.read_point,
        "place": read_place,
        "offset": amounts.read_offset,
    }


def _list_address_readers(addresses: AddressReader) -> dict[str, Reader]:
    return {
        "url": addresses.read_url,
        "platform": addresses.read_platform,
        "site": addresses.read_site,
        "visited": addresses.read_visited,
        "site_address": addresses.read_site_address,
        "tab": addresses.read_tab,
        "tab_title": addresses.read_tab_title,
        "tab_place": addresses.read_tab_place,
    }


def _list_glob_readers(globs: GlobReader) -> dict[str, Reader]:
    return {
        "file_kind": globs.read_kind,
        "extension": globs.read_extension,
        **{f"name_{part}": partial(globs.read_told, part) for part in ("part", "start", "end")},
        "file_glob": globs.read_glob,
        "file_word": globs.read_name,
        "any_case_glob": lambda span: open_case(globs.read_name(span)),
    }


def _list_program_readers(programs: ProgramReader) -> dict[str, Reader]:
    return {
        "any_program": programs.read_any_program,
        "window": programs.read_window,
        "any_window": programs.read_any_window,
        "on_screen": programs.read_on_screen,
        "named_on_screen": lambda span: programs.read_on_screen(span, is_clear=True),
        "said_window": lambda span: programs.read_window(span, is_said=True),
    }


def _list_sound_readers(sounds: SoundReader) -> dict[str, Reader]:
    return {
        "player": sounds.read_player,
        "sound": sounds.read_sound,
        "loudness": sounds.read_loudness,
        "volume": sounds.read_volume,
        "heard": sounds.read_heard,
        "silenced": sounds.read_sound,
        "heard_source": partial(sounds.read_source, may_be_installed=False),
        "measure": lambda span: sounds.read_volume(span, is_measured=True),
        "source": sounds.read_source,
        "output": sounds.read_output,
        "sound_device": sounds.read_device,
    }


def _read_lone(_span: Span, context: Context) -> dict[str, str]:
    """Return what is heard now for a word that may mean it: nothing else was said before that it could mean."""
    if context.step and not context.follows(_HEARD):
        raise UnreadableError
    return {}


def _read_spoken(_span: Span, _context: Context) -> str:
    raise UnreadableError


def _read_pdf_path(span: Span) -> str:
    path = read_any(span)
    if get_ending(path) != "pdf":
        raise UnreadableError
    return path
