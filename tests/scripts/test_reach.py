"""What a change reaches is found by imports, and by what imports don't show."""

from pathlib import Path
from uuid import uuid4

import pytest

from scripts.lanes.areas import find_area, read_areas
from scripts.lanes.reach import Reach

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def reach() -> Reach:
    return Reach(ROOT)


@pytest.mark.parametrize(
    ("changed", "test"),
    [
        ("core/journal/journal.py", "tests/core/journal/test_written_steps.py"),  # imported
        ("core/language/refusals.py", "tests/core/language/refusals/test_must_not_act.py"),  # named in a string
        ("tests/agent/hosting/dying_service.py", "tests/agent/hosting/test_killed_services.py"),  # started as a program
        ("tests/contracts/files/writing_suite.py", "tests/contracts/test_files.py"),  # inherited
        ("fixtures/machine/sound.py", "tests/contracts/test_audio.py"),  # by a fixture of the conftest on top
        ("core/language/english/pointer.phrases", "tests/core/language/grammars/test_grammar.py"),  # words
        ("actuators/browser/playwright/engine/finding/finding.ts", "tests/actuators/browser/engine/test_naming.py"),
        ("agent/console/page/index.html", "tests/agent/console/test_pages.py"),
        ("fixtures/sites/shop/basket.html", "tests/e2e/test_orders.py"),  # a site, by its folder
        ("fixtures/flows/demo.yaml", "tests/docs/test_examples.py"),  # a file, by its name
        ("README.md", "tests/docs/test_promises.py"),
    ],
)
def test_a_change_reaches_what_depends_on_it_however_that_is_said(reach: Reach, changed: str, test: str) -> None:
    assert test in reach.measure([changed])


def test_what_changed_itself_is_nearest_and_what_shares_its_room_comes_before_what_does_not(reach: Reach) -> None:
    found = reach.measure(["core/journal/journal.py", "tests/core/base/test_phrases.py"])
    assert found["tests/core/base/test_phrases.py"] == 0
    assert found["tests/core/journal/test_written_steps.py"] < found["tests/e2e/test_taking_up.py"]


def test_a_leaf_reaches_few_tests_and_no_file_reaches_none_of_its_own(reach: Reach) -> None:
    found = reach.measure(["tests/agent/store/durable_child.py"])
    assert 0 < len(found) < len(reach.tests) / 20


def test_a_file_that_nothing_knows_reaches_nothing(reach: Reach) -> None:
    assert reach.measure([f"nowhere/{uuid4()}.bin"]) == {}


def test_the_tests_are_all_that_there_are_but_those_for_windows(reach: Reach) -> None:
    files = {path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")}
    assert set(reach.tests) == {file for file in files if not file.startswith("tests/windows/")}


def test_every_glob_of_the_areas_names_a_file_and_every_area_has_some(reach: Reach) -> None:
    areas = read_areas()
    owners = {file: find_area(file, areas).name for file in reach.tests}
    assert set(owners.values()) == {area.name for area in areas}
