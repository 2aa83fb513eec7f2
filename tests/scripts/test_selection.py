"""A lane runs what always runs, what the change reaches, a journey a promise, and today's part of the rest."""

from hypothesis import given
from hypothesis import strategies as st

from scripts.lanes.areas import Area, Green
from scripts.lanes.selection import PARTS, REACHED_S, Known, choose_ci, draw, list_journeys, sort_nearest

PURE = Area("pure", "", ("tests/pure/*",), always=True)
PAGES = Area("pages", "", ("tests/pages/*",), bench=("tests/pages/test_bench_*",))
DESK = Area("desk", "", ("tests/desk/*",))
FILES = [f"tests/{room}/test_{number}.py" for room in ("pure", "pages", "desk") for number in range(60)]
BENCH = "tests/pages/test_bench_it.py"


def know(costs: dict[str, float] | None = None, greens: dict[str, Green] | None = None) -> Known:
    return Known(dict.fromkeys([*FILES, BENCH], "def test_it(): ..."), costs or {}, (PURE, PAGES, DESK), greens or {})


def test_what_always_runs_runs_and_nothing_twice() -> None:
    chosen = choose_ci(know(), {FILES[0]: 1, FILES[70]: 2}, [f"{FILES[70]}::test_it", f"{FILES[80]}::test_it"], 3)
    tasks = chosen.list_tasks()
    assert {task.file for task in chosen.tasks["always"]} == {file for file in FILES if "/pure/" in file}
    assert [task.file for task in chosen.tasks["reached"]] == [FILES[70]]
    assert len({task.file for task in tasks}) == len(tasks)
    assert any(task.file == FILES[80] for task in tasks)


def test_the_nearest_are_run_and_what_there_is_no_time_for_is_named() -> None:
    costs = dict.fromkeys(FILES, REACHED_S / 2.5)
    chosen = choose_ci(know(costs), {FILES[70]: 3, FILES[71]: 1, FILES[72]: 2}, [], 0)
    assert [task.file for task in chosen.tasks["reached"]] == [FILES[71], FILES[72]]
    assert chosen.cut == [FILES[70]]


def test_of_those_as_near_the_cheapest_comes_first() -> None:
    known = know({FILES[70]: 9.0, FILES[71]: 1.0})
    assert sort_nearest({FILES[70]: 1, FILES[71]: 1, FILES[72]: 0}, known) == [FILES[72], FILES[71], FILES[70]]


def test_tests_of_benchmarks_are_left_to_the_full_lane() -> None:
    known = know()
    chosen = [choose_ci(known, {BENCH: 0}, [], day) for day in range(PARTS)]
    assert not any(task.file == BENCH for each in chosen for task in each.list_tasks())


@given(st.dictionaries(st.sampled_from(FILES), st.floats(0.01, 500)), st.integers(0, 10**6))
def test_in_fourteen_days_the_rotation_comes_to_every_file_once(costs: dict[str, float], first: int) -> None:
    known = know(costs)
    drawn = [file for day in range(first, first + PARTS) for file in draw(FILES, known, day)]
    assert sorted(drawn) == sorted(FILES)


def test_what_was_green_the_longest_ago_comes_first() -> None:
    greens = {"pages": Green("a", "2026-02-01", 1, 1), "desk": Green("b", "2026-01-01", 1, 1)}
    drawn = draw(FILES, know(greens=greens), 5)
    rooms = [file.split("/")[1] for file in drawn]
    assert rooms == sorted(rooms, key=["pure", "desk", "pages"].index)


def test_the_journey_of_a_promise_is_the_first_test_that_its_row_names_and_that_can_be_run_by_itself() -> None:
    text = (
        "| A1 | it holds | `tests/e2e/test_a.py::test_not_of_readme` |\n"
        "| R1 | “acts” | `tests/contracts/files/suite.py::test_x`, `tests/e2e/test_b.py::test_y`, `tests/e2e/test_c.py::test_z` |\n"
        "| R2 | “acts” | `tests/e2e/test_b.py::test_y` |\n"
    )
    assert list_journeys(text) == ["tests/e2e/test_b.py::test_y"]
