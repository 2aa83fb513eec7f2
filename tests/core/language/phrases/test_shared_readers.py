"""What is made of a grammar is shared by all who understand it; what one of them was given stays with that one."""

import gc
import weakref
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier
from typing import Any

from actuators.verb_table import PLANNER_RULES
from core.addresses.platforms import SearchPlatform
from core.language.grammars.grammar import Grammar
from core.language.interpreter import GrammarInterpreter
from core.language.phrases.shared_phrases import MOST_GRAMMARS
from core.language.talk.dialogue import Dialogue
from core.language.talk.languages import load_language
from core.rules.rule_types import list_destroyed

SHOP = SearchPlatform("shop", "http://localhost:8000/", "http://localhost:8000/search?q={query}")
SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "none": {},
    "shop": {"platforms": {"shop": SHOP}},
    "programs": {"list_programs": lambda: ("Frobnicator",)},
    "rules": {"destroyed": list_destroyed(PLANNER_RULES)},
}
# Each is understood as something else, or not at all, without one of the settings.
TOLD: Mapping[str, Sequence[str]] = {
    "shop": ("search shop for mugs",),
    "programs": ("mute the frobnicator",),
    "rules": ("zip a.txt into a.zip and move it to Documents",),
}
PLAIN = (
    "go back", "set the volume to 20", "the doorbell rang, pause the film", "should the kitchen speaker be muted",
    "blorp the frobnicator", "um, open a.txt please", "delete all pdfs in Documents", "hello", "clsoe the tab",
)  # fmt: skip


def tell(interpreter: GrammarInterpreter, sentences: Sequence[str]) -> list[str]:
    """Return what sentences mean to somebody, each in a conversation of its own."""
    return [repr(Dialogue(interpreter).hear(sentence)) for sentence in sentences]


def copy_english() -> Grammar:
    """Return English as a grammar of which nothing has been made yet."""
    return replace(load_language("en"))


def test_what_one_was_given_means_nothing_to_others_whoever_reads_first() -> None:
    sentences = [text for texts in TOLD.values() for text in texts]
    heard: dict[str, list[list[str]]] = {name: [] for name in SETTINGS}
    for order in ([*SETTINGS], [*SETTINGS][::-1]):
        grammar = copy_english()
        readers = {name: GrammarInterpreter(grammar, **SETTINGS[name]) for name in order}
        for name, reader in readers.items():
            heard[name].append(tell(reader, sentences))
    assert all(first == second for first, second in heard.values())
    for place, name in enumerate(TOLD):
        assert [each for each in SETTINGS if heard[each][0][place] != heard["none"][0][place]] == [name]


def test_what_was_shared_reads_as_what_was_made_alone() -> None:
    alone = tell(GrammarInterpreter(copy_english()), PLAIN)
    shared = [GrammarInterpreter("en", **given) for given in SETTINGS.values()]
    assert [tell(reader, PLAIN) for reader in [*shared, *shared[:1]]] == [alone] * (len(SETTINGS) + 1)


def test_no_more_than_a_few_grammars_are_kept() -> None:
    made: list[weakref.ref[Grammar]] = []
    for _ in range(MOST_GRAMMARS + 3):
        reader = GrammarInterpreter(copy_english())
        assert reader.interpret("go back").meta_goal
        made.append(weakref.ref(vars(reader)["_grammar"]))
        del reader
    gc.collect()
    assert sum(each() is not None for each in made) <= MOST_GRAMMARS


def test_many_threads_may_be_the_first_to_read() -> None:
    grammar, begin = copy_english(), Barrier(4)

    def read(_: int) -> list[str]:
        begin.wait()
        return tell(GrammarInterpreter(grammar), PLAIN)

    with ThreadPoolExecutor(begin.parties) as threads:
        heard = [*threads.map(read, range(begin.parties))]
    assert heard == [tell(GrammarInterpreter("en"), PLAIN)] * begin.parties
