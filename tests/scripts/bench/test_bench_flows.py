"""The small program that sees only outlines: what it reads in them, which lines it picks, and how far it gets on the fixture sites."""

import pytest

from scripts.benchmarks.flows import TASKS, add_up, describe_ending, run_task
from scripts.benchmarks.outlined.choosing import list_words, rank_lines
from scripts.benchmarks.outlined.kept import write_flow
from scripts.benchmarks.outlined.lines import read_folds, read_lines
from scripts.benchmarks.outlined.steps import Step, read_step
from scripts.benchmarks.outlined.tasks_ours import OURS
from scripts.benchmarks.outlined.tasks_theirs import THEIRS

OUTLINE = """# Team
table "People"
  row "Ada" # = "Editor"
    button "Delete" in "Ada"
  row "Tea # 2"
    button "Delete" in "Tea # 2" # disabled
  … 180 more rows like this (scope: table "People")
- Nothing else.
## Pay
frame "Pay" >> field "Card number" # required
field "Size" # = "Small", choose: Small | Large
radio "Large"
navigation "Site" # 48 links folded
… menu "File": 12 menuitems, hidden (opens: button "File")"""


def pick(said: str) -> str:
    step = read_step(said)
    return rank_lines(read_lines(OUTLINE), step, list_words(f"{step.value} {step.words}"))[0].line.selector


def test_a_line_is_read_with_what_it_stands_in() -> None:
    line = next(line for line in read_lines(OUTLINE) if line.selector.startswith("frame"))
    assert (line.kind, line.name, line.facts) == ("field", "Card number", "required")
    assert "Pay" in line.context


def test_a_number_sign_in_a_name_does_not_begin_the_facts() -> None:
    line = next(line for line in read_lines(OUTLINE) if "disabled" in line.facts)
    assert line.selector == 'button "Delete" in "Tea # 2"'
    assert line.pasted == 'button "Delete" in "Tea # 2" # disabled'


def test_headings_texts_and_folds_are_nothing_to_paste() -> None:
    kinds = {line.kind for line in read_lines(OUTLINE)}
    assert kinds == {"table", "row", "button", "field", "radio", "navigation"}


def test_folds_say_what_opens_them() -> None:
    opening = [(fold.scope, fold.opener) for fold in read_folds(OUTLINE)]
    assert opening == [('table "People"', ""), ('navigation "Site"', ""), ("", 'button "File"')]


@pytest.mark.parametrize(
    ("said", "step"),
    [
        ('type "a \\" b" as the name', Step("fill", "the name", 'a \\" b')),
        ('type "x" as the todo and press enter', Step("fill", "the todo", "x", submits=True)),
        ("choose Large as the size", Step("choose", "the size", "Large")),
        ("set the date to 24 December", Step("set", "the date", "24 December")),
        ("switch on Wi-Fi", Step("tick", "Wi-Fi")),
        ("untick milk", Step("clear", "milk")),
        ("delete the row of Tea", Step("press", "delete the row of Tea")),
    ],
)
def test_a_step_says_what_to_do_with_what(said: str, step: Step) -> None:
    assert read_step(said) == step


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("delete Ada", 'button "Delete" in "Ada"'),
        ('type "1" as the card number', 'frame "Pay" >> field "Card number"'),
        ("choose Large as the size", 'field "Size"'),
    ],
)
def test_the_line_that_shares_most_words_is_picked(said: str, line: str) -> None:
    assert pick(said) == line


def test_no_line_is_picked_that_shares_no_word() -> None:
    assert rank_lines(read_lines(OUTLINE), read_step("print it"), ["print"]) == []


def test_a_flow_file_has_the_lines_without_their_facts() -> None:
    flow = write_flow(
        "sign in", [("navigate", {"url": "http://127.0.0.1/"}), ("check", {"selector": 'checkbox "Tea"'})]
    )
    assert 'selector: checkbox "Tea"' in flow
    assert "hosts:" in flow


def test_there_are_twenty_tasks_and_at_least_eight_are_on_pages_of_others() -> None:
    assert len(TASKS) == len(OURS) + len(THEIRS) == 20
    assert len(THEIRS) >= 8
    assert len({task.name for task in TASKS}) == 20


@pytest.mark.parametrize("name", ["a payment in a frame", "a new task", "one of several alike"])
async def test_a_task_ends_right_by_outlines_alone(name: str) -> None:
    ending = await run_task(next(task for task in OURS if task.name == name), again=False)
    assert ending.trouble == ""
    assert ending.tokens < 2000 * ending.looks


async def test_what_worked_is_kept_as_a_flow_that_ends_the_same_without_an_outline() -> None:
    ending = await run_task(next(task for task in OURS if task.name == "a dialog that is hidden at first"))
    assert (ending.trouble, ending.kept) == ("", "")
    assert "snapshot" not in ending.flow
    assert describe_ending(ending).startswith("✓ a dialog")
    assert add_up([ending])["figures"]["right_as_flow_files"] == 1
