"""What a person is asked before an act."""

import pytest

from agent.cli.screen.prompts import ask_sentence, count_lines
from core.approvals.approvals import ApprovalRequest
from core.tools.previews import Preview

HEAD = "--- a\n+++ b\n@@ -1 +1 @@\n"


def ask(diff: str, kind: str = "write", *, creates: bool = False, path: str = "/home/ada/notes.txt") -> str:
    preview = Preview({"kind": kind, "path": path, "creates": creates}, diff)
    return ask_sentence(
        ApprovalRequest("g0_write_1", "", "apply_diff", "Write /home/ada/notes.txt", {}, preview=preview)
    )


@pytest.mark.parametrize(
    ("diff", "creates", "told"),
    [
        ("-one\n+two\n", False, "Change 1 line in notes.txt?"),
        ("-one\n+two\n+three\n+four\n", False, "Change 3 lines in notes.txt?"),
        ("+two\n+three\n", False, "Add 2 lines to notes.txt?"),
        ("-two\n", False, "Remove 1 line from notes.txt?"),
        ("+one\n", True, "Create notes.txt with 1 line?"),
    ],
)
def test_a_change_of_a_text_is_asked_for_by_its_lines(diff: str, creates: bool, told: str) -> None:
    assert ask(HEAD + diff, creates=creates) == told


def test_a_text_without_a_diff_is_rewritten_or_created() -> None:
    assert ask("") == "Rewrite notes.txt?"
    assert ask("", creates=True) == "Create notes.txt?"


def test_the_last_part_of_a_windows_path_is_its_name() -> None:
    assert ask(HEAD + "+x\n", path="C:\\Users\\ada\\notes.txt") == "Add 1 line to notes.txt?"


def test_what_is_no_change_of_a_text_is_asked_for_as_the_plan_says_it() -> None:
    assert ask("", "delete") == "Write /home/ada/notes.txt?"
    assert ask_sentence(ApprovalRequest("a", "", "confirm", "Click Buy", {})) == "Click Buy?"


def test_lines_that_begin_with_signs_of_their_own_are_counted() -> None:
    assert count_lines(HEAD + "--- x\n+++ y\n z\n") == (1, 1)
