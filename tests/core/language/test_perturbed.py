"""Examples of the phrase files, with talk around them, in another order or by other words: what a change of words does to them is told."""

import pytest

from scripts.documents.readings import KEPT, describe_changes, list_examples, read_perturbed, write_misread

OLD = """\
# A remark.

== talk in front
- um, zoom in
! hey, mute -> audio.unmute
"""
NEW = """\
# Another remark.

== talk in front
- hey, mute
! so go back -> browser.forward
"""


def test_a_change_tells_the_worst_first_and_what_is_right_now() -> None:
    assert describe_changes(OLD, NEW).splitlines() == [
        "3 perturbed examples are read otherwise:",
        "  so go back: as the example, or not there → browser.forward",
        "  hey, mute: audio.unmute → refused",
        "  um, zoom in: refused → as the example, or not there",
    ]


def test_where_no_reading_changes_nothing_is_told() -> None:
    assert describe_changes(OLD, OLD.replace("A remark", "Another")) == ""


@pytest.mark.timeout(600)  # it is 3,800 sentences, 11 s of work
def test_no_perturbed_example_is_misread_but_those_that_are_kept() -> None:
    perturbed = read_perturbed()
    assert len(perturbed) > 0.9 * len(list_examples("en"))
    kept, made = KEPT.read_text(encoding="utf-8"), write_misread(perturbed)
    assert kept == made, f"{describe_changes(kept, made)}\nRun scripts/docs.py to keep it."
