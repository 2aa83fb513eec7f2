import pytest

from core.planner_rules import PLANNER_RULES
from tests.architecture import habits
from tests.architecture.sources import ROOT, Source

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
