"""What is told of a change of words: which perturbed examples of the phrase files are read otherwise."""

import pytest

from scripts import docs
from scripts.documents.readings import MOST_SHOWN, NAME, describe_changes, list_examples, write_readings

OLD = """\
# A remark.

== talk in front: 2 as before, 1 refused, 0 otherwise
= hey, mute
= so go back
- um, zoom in
"""
NEW = """\
# Another remark.

== talk in front: 1 as before, 1 refused, 1 otherwise
! hey, mute -> audio.unmute
- so go back
= um, zoom in
= well, pause
"""


def test_a_change_tells_the_worst_first_and_what_came_and_went() -> None:
    assert describe_changes(OLD, NEW).splitlines() == [
        "3 perturbed examples are read otherwise; 1 came, 0 went.",
        "  hey, mute: as the example → audio.unmute",
        "  so go back: as the example → refused",
        "  um, zoom in: refused → as the example",
    ]


def test_where_no_reading_changes_nothing_is_told() -> None:
    assert describe_changes(OLD, OLD.replace("A remark", "Another")) == ""


def test_of_many_changes_the_first_are_told() -> None:
    many = "".join(f"= mute {number}\n" for number in range(MOST_SHOWN + 5))
    told = describe_changes(many, many.replace("=", "-")).splitlines()
    assert told[0] == f"{MOST_SHOWN + 5} perturbed examples are read otherwise; 0 came, 0 went."
    assert told[-1] == f"  and 5 more: see git diff {NAME}"
    assert len(told) == MOST_SHOWN + 2


def test_the_file_has_a_line_for_nearly_every_example_and_is_the_same_each_time() -> None:
    text = write_readings()
    lines = [line for line in text.splitlines() if line[:2] in {"= ", "- ", "! "}]
    assert len(lines) > 0.9 * len(list_examples("en"))
    assert text == write_readings()


def test_a_changed_reading_is_told_beside_the_file_that_is_out_of_date(capsys: pytest.CaptureFixture[str]) -> None:
    docs.tell_readings(NAME, OLD, NEW)
    docs.tell_readings("docs/rules.md", OLD, NEW)
    docs.tell_readings(NAME, "", NEW)
    assert capsys.readouterr().out == describe_changes(OLD, NEW) + "\n"
