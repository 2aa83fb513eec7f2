"""Files of tests are run by several processes, each file once; what dies, hangs, flickers or can't be read is told as that."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scripts.lanes.crew import Crew, Task, Terms
from scripts.lanes.verdicts import BROKEN, Verdicts

ROOT = Path(__file__).resolve().parents[2]
PASSES = "def test_passes(): pass\n"
FAILS = "def test_fails(): assert 1 == 2\n"
CRASHES = "import os\ndef test_before(): pass\ndef test_crashes(): os._exit(9)\ndef test_behind(): pass\n"
FLICKERS = """
from pathlib import Path
import pytest

SEEN = Path(__file__).with_suffix(".seen")

@pytest.fixture(scope="module")
def thing(): return []

def test_flickers(thing):
    thing.append(1)
    SEEN.write_text(SEEN.read_text() + "x" if SEEN.exists() else "x")
    assert SEEN.read_text() != "x"
"""
# What pytest-timeout raises comes up in the callback that is running, and the loop goes on.
HANGS = """
import asyncio, pytest

def spin(loop):
    loop.call_soon(spin, loop)
    while True:
        pass

@pytest.mark.timeout(1)
def test_hangs():
    loop = asyncio.new_event_loop()
    loop.set_exception_handler(lambda loop, context: None)
    loop.call_soon(spin, loop)
    loop.run_forever()

def test_behind_it(): pass
"""
HANG_LIMIT = """
from tests import hang_limit

hang_limit.GRACE_S = 1

def pytest_configure(config):
    config.pluginmanager.register(hang_limit.HangLimit())
"""
SHARED = """
import pytest
from pathlib import Path

@pytest.fixture(scope="session")
def server():
    with Path(__file__).with_name("starts").open("a") as file:
        file.write("x")
    yield
    with Path(__file__).with_name("ends").open("a") as file:
        file.write("x")
"""
ENVIRONMENT = {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


def run(folder: Path, files: dict[str, str], tasks: list[Task] | None = None, **terms: Any) -> Verdicts:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    names = [name for name in files if name.startswith("test_")]
    options = ("-c", os.devnull, "--rootdir", str(folder), *terms.pop("options", ()))
    logs = folder / "logs"
    logs.mkdir()
    agreed = replace(Terms(size=2, options=options, environment=ENVIRONMENT), **terms)
    return Crew(tasks or [Task(name) for name in names], logs, agreed, folder).run()


def test_every_test_is_run_once_and_what_failed_says_why(tmp_path: Path) -> None:
    came = run(tmp_path, {"test_one.py": PASSES, "test_two.py": FAILS + PASSES, "test_three.py": PASSES})
    assert came.outcomes == {
        "test_one.py::test_passes": "passed",
        "test_two.py::test_fails": "failed",
        "test_two.py::test_passes": "passed",
        "test_three.py::test_passes": "passed",
    }
    assert "assert 1 == 2" in came.failures["test_two.py::test_fails"]
    assert (came.code, came.sum_up(), came.close()) == (1, "1 failed, 3 passed", "3 passed, 1 failed, 0 skipped")
    assert came.spent.keys() == {"test_one.py", "test_two.py", "test_three.py"}


def test_only_the_tests_that_are_named_are_run(tmp_path: Path) -> None:
    came = run(tmp_path, {"test_one.py": PASSES + FAILS}, [Task("test_one.py", ("test_one.py::test_passes",))])
    assert (came.code, came.outcomes) == (0, {"test_one.py::test_passes": "passed"})


def test_a_process_that_dies_fails_its_test_and_the_rest_is_run(tmp_path: Path) -> None:
    came = run(tmp_path, {"test_one.py": CRASHES, "test_two.py": PASSES}, size=1)
    assert came.outcomes == {
        "test_one.py::test_before": "passed",
        "test_one.py::test_crashes": "failed",
        "test_one.py::test_behind": "passed",
        "test_two.py::test_passes": "passed",
    }
    assert "ended with 9" in came.failures["test_one.py::test_crashes"]


def test_a_process_that_dies_in_its_last_test_fails_it(tmp_path: Path) -> None:
    came = run(tmp_path, {"test_one.py": "import os\ndef test_crashes(): os._exit(0)\n"}, size=1)
    assert (came.code, came.outcomes) == (1, {"test_one.py::test_crashes": "failed"})


def test_a_test_that_swallows_its_limit_is_ended_and_named_with_where_it_hung(tmp_path: Path) -> None:
    came = run(tmp_path, {"conftest.py": HANG_LIMIT, "test_one.py": HANGS}, options=("-p", "pytest_timeout"))
    assert came.outcomes == {"test_one.py::test_hangs": "failed", "test_one.py::test_behind_it": "passed"}
    assert "in spin" in came.failures["test_one.py::test_hangs"]


def test_what_passes_only_the_second_time_is_forgiven_and_named(tmp_path: Path) -> None:
    came = run(tmp_path, {"test_one.py": FLICKERS, "test_two.py": FAILS}, tries=2)
    assert came.outcomes == {"test_one.py::test_flickers": "passed", "test_two.py::test_fails": "failed"}
    told = "\n".join(came.write_names())
    assert "passed only the second time: 1\n  test_one.py::test_flickers\n    first: E       AssertionError" in told


def test_what_a_part_of_a_test_was_the_first_time_is_forgiven_as_well(tmp_path: Path) -> None:
    in_parts = FLICKERS.replace("(thing)", "(thing, subtests)").replace(
        "    assert", "    with subtests.test(): assert"
    )
    came = run(tmp_path, {"test_one.py": in_parts}, tries=2)
    assert (came.outcomes, list(came.retried)) == (
        {"test_one.py::test_flickers": "passed"},
        ["test_one.py::test_flickers"],
    )


def test_what_flickers_has_failed_where_nothing_is_tried_twice(tmp_path: Path) -> None:
    assert run(tmp_path, {"test_one.py": FLICKERS}).outcomes == {"test_one.py::test_flickers": "failed"}


def test_a_file_that_can_not_be_read_breaks_the_run_and_the_others_are_run(tmp_path: Path) -> None:
    came = run(tmp_path, {"test_one.py": "import nothing_of_this_name\n", "test_two.py": PASSES})
    assert (came.code, came.outcomes) == (BROKEN, {"test_two.py::test_passes": "passed"})
    assert "nothing_of_this_name" in came.unreadable["test_one.py"]


def test_a_process_that_does_not_come_so_far_as_to_ask_says_why(tmp_path: Path) -> None:
    came = run(tmp_path, {"conftest.py": "import nothing_of_this_name\n", "test_one.py": PASSES})
    assert (came.code, came.outcomes) == (BROKEN, {})
    assert "nothing_of_this_name" in came.unreadable["what all tests need"]


def test_files_that_nobody_is_left_to_run_are_no_success(tmp_path: Path) -> None:
    ends = "import os\ndef pytest_collection_modifyitems(items): os._exit(0)\n"
    came = run(tmp_path, {"conftest.py": ends, "test_one.py": PASSES, "test_two.py": PASSES, "test_x.py": PASSES})
    assert came.code != 0


def test_a_file_that_is_skipped_whole_is_told_with_its_reason(tmp_path: Path) -> None:
    text = "import pytest\npytest.skip('no sound', allow_module_level=True)\n"
    came = run(tmp_path, {"test_one.py": text, "test_two.py": PASSES})
    assert (came.code, dict(came.skipped)) == (0, {"test_one.py: no sound": 1})


def test_nothing_run_is_no_success(tmp_path: Path) -> None:
    assert run(tmp_path, {"test_one.py": ""}).code == BROKEN


def test_what_is_made_for_all_tests_is_made_once_a_process(tmp_path: Path) -> None:
    files = {f"test_{number}.py": "def test_it(server): pass\n" for number in range(4)}
    assert run(tmp_path, {"conftest.py": SHARED, **files}, size=1).sum_up() == "4 passed"
    assert ((tmp_path / "starts").read_text(), (tmp_path / "ends").read_text()) == ("x", "x")


def test_the_first_failure_ends_a_run_that_stops_early(tmp_path: Path) -> None:
    files = {"test_one.py": FAILS, **{f"test_{number}.py": PASSES for number in range(3)}}
    came = run(tmp_path, files, size=1, stops_early=True)
    assert came.outcomes == {"test_one.py::test_fails": "failed"}
    assert came.cut


def test_no_file_is_begun_after_the_time_that_was_named(tmp_path: Path) -> None:
    came = run(tmp_path, {"test_one.py": PASSES, "test_two.py": PASSES}, limit_s=0.001)
    assert (came.outcomes, came.cut) == ({}, ["test_one.py", "test_two.py"])


def test_a_run_that_is_over_its_time_is_ended_and_is_no_success(tmp_path: Path) -> None:
    came = run(
        tmp_path, {"test_one.py": "import threading\ndef test_waits(): threading.Event().wait(60)\n"}, end_s=0.001
    )
    assert (came.is_stopped, came.code) == (True, BROKEN)


def test_failed_cases_of_a_table_are_named(tmp_path: Path) -> None:
    table = "def test_table(subtests):\n    with subtests.test('seven'):\n        assert 7 == 8\n"
    came = run(tmp_path, {"test_one.py": table})
    assert came.outcomes == {"test_one.py::test_table": "failed"}
    assert "assert 7 == 8" in came.failures["test_one.py::test_table"]


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("import pytest\ndef test_it(): pytest.skip('no sound')\n", "skipped"),
        ("import pytest\n@pytest.mark.xfail(strict=True)\ndef test_it(): assert 0\n", "xfailed"),
    ],
)
def test_what_was_not_tried_is_counted_apart(tmp_path: Path, text: str, outcome: str) -> None:
    assert run(tmp_path, {"test_one.py": text}).outcomes == {"test_one.py::test_it": outcome}
