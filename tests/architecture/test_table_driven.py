from collections.abc import Collection
from itertools import groupby

import pytest

from actuators.verb_table import PLANNER_RULES
from tests.architecture import habits
from tests.architecture.sources import ROOT, SHIPPED, Source, read_sources

GENERAL = ["core/planning/planner.py", "core/planning/orchestrator.py", "core/execution/executor.py"]
WORDS = frozenset(word for key in PLANNER_RULES for word in key)


@pytest.mark.parametrize("name", GENERAL)
def test_planning_and_execution_name_no_domain_and_no_verb(name: str) -> None:
    source = Source(name, (ROOT / name).read_text(encoding="utf-8"))
    assert list(habits.find_words(source, WORDS)) == []


def test_the_table_has_words_to_look_for() -> None:
    assert {"browser", "click"} <= WORDS


@pytest.mark.parametrize(
    ("text", "complaints"),
    [
        ("if goal.verb == 'click': ...", 1),
        ("match goal.domain:\n    case 'browser': ...", 1),
        ("handlers = {'click': 1, 'navigate': 2}", 2),
        ("name = 'browser.click'", 2),
        ("name = f'browser.{verb}'", 1),
        ("verb = goal.verb", 0),
        ("text = 'a click was planned'", 0),
    ],
)
def test_a_domain_or_verb_is_seen_in_any_form(text: str, complaints: int) -> None:
    assert len(list(habits.find_words(Source("core/planning/planner.py", text), WORDS))) == complaints


VERBS = {domain: {verb for _, verb in keys} for domain, keys in groupby(sorted(PLANNER_RULES), lambda key: key[0])}
NAMES = frozenset(f"{domain}{mark}{verb}" for domain, verb in PLANNER_RULES for mark in "._")
FAMILIES = {"files": "file"}
"""Folders of actuators that are called otherwise than their domain."""

APART = ("core/planner_rules.py", "core/language/", "actuators/browser/")
"""The table itself; phrases, which name what they mean; and a family that is held to this by its own tests."""

ALLOWED = {
    "core/goals/scope_book.py": "scopes are resolved below the table, and a sentence's are before there is one",
    "actuators/audio/mixing/mixer.py": "what is found out of a sound differs by verb, and so does the question",
    "actuators/files/verbs/batch.py": "which files a plan reads, it knows better than the param",
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
