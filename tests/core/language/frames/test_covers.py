"""Covers: every word of a clause belongs to a part of the frame or is talk."""

from collections.abc import Mapping

import pytest

from core.base.errors import TableError
from core.language.frames.covers import Cover, CoverFinder, Layout
from core.language.frames.frames import Frame
from core.language.frames.lexicon import Lexicon
from core.language.grammars.grammar import Phrase, VerbPhrases
from core.language.grammars.word_classes import WordClasses

CLASSES = WordClasses(
    words={
        "talk": ("please", "the", "now", "a"),
        "articles": ("the", "a"),
        "bars": ("not", "and"),
        "wish": ("i want",),
        "up": ("up", "louder"),
        "on_": ("on", "in"),
    },
    verbs={"turn": ("turn",)},
    forms={"ed": (("", "ed"),)},
)
LEXICON = Lexicon(CLASSES)
FRAME = "[<turn>] + {thing:name} + <up> + [<on_> {place:name}]"


def make_frame(template: str, fragments: Mapping[str, str] | None = None) -> Frame:
    phrase = Phrase(template, {}, is_frame=True)
    verb = VerbPhrases("toy", "raise", (phrase,))
    return Frame(verb, phrase, fragments or {}, LEXICON.names, frozenset({"name", "number"}))


def read_all(frame: Frame) -> list[object]:
    return [frame.parts, frame.kinds, frame.needed]


def find_covers(text: str, template: str = FRAME, held: frozenset[str] | None = None) -> list[Cover]:
    words = tuple(text.split())

    def can_hold(_: str, start: int, end: int) -> bool:
        return held is None or " ".join(words[start:end]) in held

    return list(CoverFinder(make_frame(template), Layout(words, LEXICON.find(words)), can_hold).find())


def list_caught(text: str, template: str = FRAME, held: frozenset[str] | None = None) -> list[dict[str, str]]:
    words = text.split()
    return [
        {each.name: " ".join(words[each.start : each.end]) for each in cover.caught}
        for cover in find_covers(text, template, held)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "turn radio up",
        "up turn radio",
        "radio up",
        "turn up radio",
        "in kitchen turn radio up",
        "turn radio up in kitchen",
    ],
)
def test_the_parts_may_stand_in_any_order(text: str) -> None:
    caught = list_caught(text, held=frozenset({"radio", "kitchen"}))
    assert [{"thing": "radio", **({"place": "kitchen"} if "kitchen" in text else {})}] == caught


@pytest.mark.parametrize("text", ["turn up", "turn radio", "radio", "turn"])
def test_a_part_that_is_missing_leaves_no_cover(text: str) -> None:
    assert find_covers(text, held=frozenset({"radio"})) == []


@pytest.mark.parametrize(
    "text", ["turn radio up flibber", "flibber turn radio up", "turn flibber radio up", "turn radio up up up"]
)
def test_a_word_that_is_left_over_leaves_no_cover(text: str) -> None:
    assert find_covers(text, held=frozenset({"radio"})) == []


@pytest.mark.parametrize(
    "text", ["please turn the radio up now", "now please radio up", "turn now the radio please up"]
)
def test_talk_may_stand_between_all_words(text: str) -> None:
    assert {"thing": "radio"} in list_caught(text, held=frozenset({"radio"}))


@pytest.mark.parametrize("text", ["turn radio and lamp up", "turn not radio up"])
def test_no_slot_holds_a_bar(text: str) -> None:
    assert find_covers(text) == []


@pytest.mark.parametrize("text", ["turn the up", "turn now up", "turn please the up"])
def test_no_slot_holds_nothing_but_talk(text: str) -> None:
    assert not any(caught["thing"] in {"the", "now", "please the"} for caught in list_caught(text))


def test_a_slot_holds_an_article_between_its_words_but_no_other_talk() -> None:
    assert {"thing": "lord of the rings"} in list_caught("turn lord of the rings up")
    assert find_covers("turn lord of now rings up") == []


def test_talk_may_stand_in_front_of_a_slot_that_would_not_hold_it() -> None:
    frame = "<turn> + [<on_> [<up>] {level:number}]"
    assert list_caught("turn on a 10", frame, frozenset({"10"})) == [{"level": "10"}]
    nested = "<turn> + ([<on_>] ({level:number}|<up> {level:number}))"
    assert list_caught("turn up a 10", nested, frozenset({"10"})) == [{"level": "10"}]


def test_what_slots_take_in_and_talk_is_what_a_cover_costs() -> None:
    covers = find_covers("please turn the radio up", held=frozenset({"radio", "the radio"}))
    assert min(cover.cost for cover in covers) == (1, 2)


def test_a_part_holds_its_words_in_their_order_only() -> None:
    assert find_covers("kitchen in turn radio up", held=frozenset({"radio", "kitchen"})) == []


def test_each_part_accounts_for_words_once() -> None:
    assert find_covers("turn turn radio up", held=frozenset({"radio"})) == []


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("[<turn>] + {thing:name}", "without any word of its own"),
        ("<turn> + <flibber>", "“flibber”, which there isn't"),
        ("<turn> + {thing:flibber}", "unknown kinds: flibber"),
        ("<turn> + ({thing:name}|<up> {thing:number})", "a slot of two kinds"),
    ],
)
def test_a_frame_that_could_not_be_meant_is_a_defect_of_its_file(template: str, message: str) -> None:
    frame = make_frame(template)
    with pytest.raises(TableError, match=message):
        read_all(frame)


def test_a_part_may_be_a_fragment() -> None:
    frame = make_frame("<raised> + {thing:name}", {"raised": "([<wish>] <turn> <up>|<up>)"})
    assert [part.optional for part in frame.parts] == [False, False]
    assert frame.needed == (frozenset({"<turn>", "<up>"}),)
