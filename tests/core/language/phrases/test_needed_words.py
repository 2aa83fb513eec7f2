"""What is looked at before a clause is read: no phrase, frame or short form that could fit is dropped by it."""

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from core.language.frames.covers import Cover, CoverFinder, Layout
from core.language.frames.frames import Frame
from core.language.frames.lexicon import Lexicon
from core.language.grammars.grammar import Phrase, VerbPhrases
from core.language.grammars.templates import Alternatives, Slot
from core.language.grammars.templates import Sequence as TemplateParts
from core.language.grammars.word_classes import WordClasses
from core.language.meanings.contexts import Context
from core.language.phrases.entries import PhraseEntry
from core.language.phrases.slots import list_shapes
from core.language.talk.languages import load_language

LEXICON = Lexicon(
    WordClasses(
        words={"talk": ("please", "the"), "up": ("up", "louder"), "to_": ("to", "at"), "on_": ("on", "in")},
        verbs={"turn": ("turn", "put")},
        forms={},
    )
)
FRAMES = (
    "[<turn>] + {thing:name} + <up> + [<on_> {place:name}]",
    "[<turn>] + {thing:name} + <to_> {level:number}",
    "(<turn> [it]|{thing:name}) + [<up>] + [<to_>] {level:number}",
)
SAID = st.lists(
    st.sampled_from(["turn", "put", "up", "louder", "to", "on", "the", "please", "it", "radio", "40"]), max_size=7
)
STEPS = ("browser", "browser.click", "browser.click.inside", "audio.mute", "audio")


@cache
def list_entries() -> tuple[PhraseEntry, ...]:
    grammar = load_language("en")
    shapes = list_shapes(grammar.vocabulary)
    return tuple(
        PhraseEntry(verb, phrase, grammar.spellings.write_phrase(phrase.template), grammar.fragments, shapes, ())
        for verb in grammar.verbs
        for phrase in verb.phrases
        if not phrase.is_frame
    )


def say(sequence: TemplateParts, data: st.DataObject) -> str:
    """Return one way to say a template, with a word in each slot."""
    said = ""
    for atom, is_followed in sequence.atoms:
        if isinstance(atom, Alternatives):
            ways = [*atom.ways, *([TemplateParts(())] if atom.optional else [])]
            said += say(data.draw(st.sampled_from(ways)), data)
        else:
            said += "radio" if isinstance(atom, Slot) else atom.text
        said += " " if is_followed else ""
    return said


def find_covers(template: str, words: tuple[str, ...], *, is_exhaustive: bool) -> list[Cover]:
    phrase = Phrase(template, {}, is_frame=True)
    frame = Frame(VerbPhrases("toy", "raise", (phrase,)), phrase, {}, LEXICON.names, frozenset({"name", "number"}))
    if is_exhaustive:
        vars(frame)["telling_parts"] = ()
    layout = Layout(words, LEXICON.find(words))
    return list(CoverFinder(frame, layout, lambda name, start, _: name != "level" or words[start].isdigit()).find())


@given(st.data())
def test_no_phrase_that_matches_is_dropped_for_the_words_that_it_needs(data: st.DataObject) -> None:
    entry, said_as = data.draw(st.sampled_from(list_entries())), data.draw(st.sampled_from(list_entries()))
    for each in (said_as, entry):
        mask = " ".join(say(each.sequence, data).split())
        mask = data.draw(st.sampled_from([mask, mask.upper(), mask.replace(" ", "  ")]))
        is_matched = next(entry.list_patterns()).fullmatch(mask + " ") is not None
        assert entry.may_match(" ".join(mask.lower().split())) or not is_matched


def test_a_phrase_is_dropped_where_a_word_that_it_needs_is_missing() -> None:
    phrase = Phrase("turn [the] {thing:name} (up|louder)", {})
    entry = PhraseEntry(VerbPhrases("toy", "raise", (phrase,)), phrase, phrase.template, {}, {}, ("name",))
    assert [entry.may_match(said) for said in ("turn it louder", "turn it down", "it up")] == [True, False, False]


@given(st.sampled_from(FRAMES), SAID)
def test_a_frame_has_the_covers_that_it_has_without_looking_for_its_parts_first(template: str, said: list[str]) -> None:
    words = tuple(said)
    assert find_covers(template, words, is_exhaustive=False) == find_covers(template, words, is_exhaustive=True)


@given(
    st.sampled_from(["", *STEPS]),
    st.sampled_from(["", "browser", "desktop"]),
    st.lists(st.sampled_from([*STEPS, "desktop"])),
)
def test_what_follows_is_what_names_the_surface_or_the_beginning_of_the_step(
    previous: str, surface: str, after: list[str]
) -> None:
    expected = bool(previous) and any(name == surface or f"{previous}.".startswith(f"{name}.") for name in after)
    assert Context(previous=previous, surface=surface).follows(tuple(after)) == expected
