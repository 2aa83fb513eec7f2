from collections.abc import Collection
from itertools import groupby

import pytest

from core.planner_rules import VERB_ROWS
from tests.architecture import habits
from tests.architecture.sources import ROOT, SHIPPED, Source, read_sources

GENERAL = ("core/planning/", "core/execution/")
DOMAINS = frozenset(domain for domain, _ in VERB_ROWS)
VERBS = {domain: {verb for _, verb in keys} for domain, keys in groupby(sorted(VERB_ROWS), lambda key: key[0])}
NAMES = frozenset(f"{domain}{mark}{verb}" for domain, verb in VERB_ROWS for mark in "._")
WORDS = frozenset(word for key in VERB_ROWS for word in key) | NAMES

MEANT_OTHERWISE = {
    ("core/planning/plans.py", "list"): "marks a list in what a digest is made of",
    ("core/planning/planners/", "extract"): "a kind of question to a model",
    ("core/planning/planners/", "info"): "how much an alert matters",
    ("core/planning/planners/", "list"): "the type of a planner's parameter",
    ("core/planning/planners/", "move"): "how a step of a planner goes on",
    ("core/planning/planners/", "pause"): "a way in which a step of a planner goes on",
    ("core/planning/planners/", "recall"): "the part of a planner's context that brings back what is kept",
    ("core/planning/planners/", "run"): "a level of a scope path",
}
"""Words of the table that mean something else at a place, and what; such a word can't tell verbs apart there unnoticed."""

PLANNED = [source for source in read_sources() if source.name.startswith(GENERAL)]


def name_words(source: Source) -> Collection[str]:
    other = {word for (place, word) in MEANT_OTHERWISE if source.name.startswith(place)}
    return list(habits.find_words(source, WORDS - other))


def test_planning_and_execution_name_no_domain_and_no_verb() -> None:
    assert [complaint for source in PLANNED for complaint in name_words(source)] == []


def test_every_module_of_planning_and_execution_is_looked_at() -> None:
    looked_at = {source.name for source in PLANNED}
    assert looked_at == {str(path.relative_to(ROOT)) for room in GENERAL for path in (ROOT / room).rglob("*.py")}


@pytest.mark.parametrize(("place", "word"), sorted(MEANT_OTHERWISE))
def test_no_word_is_left_over_that_means_nothing_else(place: str, word: str) -> None:
    assert any(list(habits.find_words(each, {word})) for each in PLANNED if each.name.startswith(place))


@pytest.mark.parametrize("module", ["core/planning/context.py", "core/execution/steps.py", "core/execution/loops.py"])
@pytest.mark.parametrize(
    "branch",
    [
        "if goal.verb == 'click': pass",
        "if 'browser' != goal.domain: pass",
        "if goal.verb in ('navigate', other): pass",
        "if (goal.domain, goal.verb) in {('browser', 'click')}: pass",
        "match goal.verb:\n    case 'click': pass",
        "match (goal.domain, goal.verb):\n    case ('system', 'shutdown'): pass",
        "wait_s = {'screenshot': 3}.get(goal.verb, 1)",
        "rule = table['browser', 'click']",
        "USUAL = 'click'",
        "is_page = name.startswith('browser.')",
        "tool = f'browser_{verb}'",
        "tool = 'desktop_type'",
    ],
)
def test_a_branch_that_is_planted_in_a_module_is_seen(module: str, branch: str) -> None:
    text = f"{(ROOT / module).read_text(encoding='utf-8')}\n\n{branch}\n"
    assert name_words(Source(module, text))


def test_the_table_has_words_to_look_for() -> None:
    assert {"browser", "click"} <= WORDS


@pytest.mark.parametrize(
    ("text", "complaints"),
    [
        ("if goal.verb == 'click': ...", 1),
        ("match goal.domain:\n    case 'browser': ...", 1),
        ("handlers = {'click': 1, 'navigate': 2}", 2),
        ("name = 'browser.click'", 3),
        ("name = f'browser.{verb}'", 1),
        ("verb = goal.verb", 0),
        ("text = 'a click was planned'", 0),
        ("state = 'browser_closed_window'", 0),
    ],
)
def test_a_domain_or_verb_is_seen_in_any_form(text: str, complaints: int) -> None:
    assert len(list(habits.find_words(Source("core/planning/planner.py", text), WORDS))) == complaints


FAMILIES = {"files": "file"}
"""Folders of actuators that are called otherwise than their domain."""

APART = ("core/planner_rules.py", "core/language/", "actuators/browser/")
"""The table itself; phrases, which name what they mean; and a family that is held to this by its own tests."""

ALLOWED = {
    "core/goals/scopes.py": "scopes are resolved below the table, and a sentence's are before there is one",
    "actuators/audio/mixing/mixer.py": "only a default device has to be foreseen beside what sounds",
    "actuators/audio/mixing/volumes.py": "what is found out of a sound differs by verb, and so does the question",
    "actuators/files/verbs/toolset.py": "which files a plan reads, it knows better than the param",
    "actuators/media/platforms/fake.py": "a player's orders are called as the verbs are; the fake is the player",
    "actuators/media/player_tools.py": "only a toggle has to be foreseen",
    "actuators/media/ports.py": "the orders that players take, by the names of the verbs",
    "actuators/system/ports/devices.py": "the ways in which a machine goes down, by the names of the verbs",
    "actuators/system/tools/ending.py": "only killing takes the whole family of a process, and its preview says so",
    "actuators/system/tools/launch_orders.py": "policy allows code by the name of the verb that runs it; only the tool sees the program",
    "actuators/system/tools/launching.py": "running a command and launching an application are previewed in one place",
}
"""Modules that compare verbs or list some of them, each with the reason why no column of the table says it."""


def find_lists(source: Source) -> Collection[str]:
    folders = source.name.split("/")
    domain = FAMILIES.get(folders[1], folders[1])
    verbs = VERBS.get(domain, set()) if folders[0] == "actuators" else set[str]()
    return list(habits.find_verb_lists(source, verbs, NAMES))


LISTED = [
    source
    for source in read_sources()
    if source.is_in(*SHIPPED) and not source.name.startswith(APART) and source.name not in ALLOWED
]


def test_what_a_list_of_verbs_would_know_is_a_column_of_the_table() -> None:
    assert [complaint for source in LISTED for complaint in find_lists(source)] == []


@pytest.mark.parametrize("name", sorted(ALLOWED))
def test_no_exception_is_left_over(name: str) -> None:
    assert find_lists(Source(name, (ROOT / name).read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    ("text", "complaints"),
    [
        ("OPENED = {'file.open': 'path', 'system.open': 'target'}", 2),
        ("holding = frozenset(('copy', 'move'))", 1),
        ("if verb in {'copy'}: ...", 1),
        ("if action.verb == 'copy': ...", 1),
        ("if mode == 'copy': ...", 0),
        ("plans = {'copy': plan_copy, 'move': plan_move}", 0),
        ("words = ('copy', 'and', 'move')", 0),
        ("name = 'file_move'", 1),
    ],
)
def test_a_list_of_verbs_is_seen_in_any_form(text: str, complaints: int) -> None:
    assert len(find_lists(Source("actuators/files/x.py", text))) == complaints
