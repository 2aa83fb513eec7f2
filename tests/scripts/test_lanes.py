"""The lanes: what one may ask for, and what is kept of a run."""

from collections import Counter
from pathlib import Path

import pytest

from scripts.lanes.areas import Green, read_costs, read_greens, write_costs, write_green
from scripts.lanes.changes import is_held, list_changes, list_latest
from scripts.lanes.lanes import main
from scripts.lanes.parts import LATE, start_part
from scripts.lanes.repeats import USAGE, tell_flickers
from scripts.lanes.runs import count_passed, read_paths

ROOT = Path(__file__).resolve().parents[2]


def test_what_is_named_is_a_file_a_folder_or_a_test_and_the_rest_is_for_pytest() -> None:
    name = "tests/core/base/test_phrases.py"
    tasks, options = read_paths(ROOT, ["-k", "words", f"{name}::test_one", "tests/core/journal"])
    assert options == ["-k", "words"]
    assert (tasks[0].file, tasks[0].only) == (name, (f"{name}::test_one",))
    assert {task.file for task in tasks[1:]} == {
        path.relative_to(ROOT).as_posix() for path in (ROOT / "tests/core/journal").glob("test_*.py")
    }


def test_what_flickers_is_told_apart_from_what_always_fails() -> None:
    assert tell_flickers(Counter({"b": 1, "a": 4, "c": 5}), 5).splitlines() == [
        "failed in some of 5 runs and passed in others: 2",
        "  a (failed in 4 of 5)",
        "  b (failed in 1 of 5)",
        "failed in every run: 1",
        "  c",
    ]
    assert tell_flickers(Counter(), 5) == "failed in some of 5 runs and passed in others: 0"


@pytest.mark.parametrize("given", ["0", "-3"])
def test_who_names_no_number_of_runs_is_told_what_to_name(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--repeat", given]) == 2
    assert USAGE in capsys.readouterr().out


def test_an_area_that_there_is_not_is_refused_with_those_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--full", "nothing"])
    assert "language" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--near", "no-such-commit"], "no commit “no-such-commit”"),
        (["--since", "no-such-commit"], "no commit “no-such-commit”"),
        (
            ["tests/core/test_nothing_of_this_name.py::test_one"],
            "no file or folder “tests/core/test_nothing_of_this_name.py”",
        ),
    ],
)
def test_what_there_is_not_is_refused_by_its_name_before_anything_runs(
    given: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(given)
    assert said in capsys.readouterr().err


def test_when_an_area_was_green_is_kept_beside_the_others(tmp_path: Path) -> None:
    file = tmp_path / "lanes.toml"
    one, other = Green("abc", "2026-01-02", 7, 60), Green("def+", "2026-03-04", 8, 61)
    write_green("browser", one, file)
    write_green("language", other, file)
    write_green("browser", other, file)
    assert read_greens(file) == {"browser": other, "language": other}


def test_what_files_cost_is_kept_and_what_is_gone_is_left_out(tmp_path: Path) -> None:
    file = tmp_path / "costs.txt"
    write_costs({"tests/a.py": 1.5, "tests/b.py": 2}, ["tests/a.py", "tests/b.py"], file)
    write_costs({"tests/b.py": 3}, ["tests/b.py", "tests/c.py"], file)
    assert read_costs(file) == {"tests/b.py": 3.0}


def test_how_many_passed_is_read_from_what_pytest_says() -> None:
    assert count_passed("...\n===== 2 failed, 1636 passed, 91 skipped in 3.1s =====") == 1636
    assert count_passed("nothing ran") == 0


def test_a_part_tells_its_code_and_its_words_and_is_ended_when_it_is_late(tmp_path: Path) -> None:
    part = start_part("one", ["sh", "-c", "echo said; exit 3"], tmp_path, tmp_path)
    assert (part.wait(part.started_s + 60), part.read_words()) == (3, "said\n")
    late = start_part("two", ["sh", "-c", "sleep 60"], tmp_path, tmp_path)
    assert late.wait(late.started_s) == LATE
    assert late.process.poll() is not None


def test_a_tree_without_history_has_no_changes(tmp_path: Path) -> None:
    assert list_latest(tmp_path)[1] == []
    assert list_changes(tmp_path, "HEAD") == []
    assert not is_held(tmp_path, "abc")
