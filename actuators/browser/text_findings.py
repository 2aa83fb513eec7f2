"""What ``browser.read`` finds in a text: one of its words, or the solution of the problem that is written there."""

from typing import Any

from actuators.browser.equations import solve_text
from actuators.browser.tools.toolset import ReadTarget
from actuators.browser.words import pick_word
from core.errors import InputError

FOUND_IN_TEXT = frozenset({"word", "solution"})
MOST_CHARS = 1_000_000


def check_index(target: ReadTarget, index: int | None) -> None:
    """Refuse an index without a word, and a word without an index.

    Raises:
        InputError: If only one of them is there.
    """
    if (target == "word") != (index is not None):
        raise InputError("index is for target word, which needs it.", hint="Write target: word, index: 3.")


def find_in_text(target: ReadTarget, text: str, index: int | None, *, is_whole_page: bool) -> dict[str, Any]:
    """Return the output of reading a word or a solution.

    Args:
        target: ``word`` or ``solution``.
        text: Where to look.
        index: Which word.
        is_whole_page: Whether the text is that of the whole page.

    Raises:
        TargetError: If there is no such word, or not one problem.
    """
    if target == "word":
        word = pick_word(text, index or 0)
        return {"text": word, "value": word, "truncated": False}
    found = solve_text(text, is_whole_page=is_whole_page)
    told = {"problem": found.problem, "unknown": found.unknown}
    return {"text": found.text, "value": found.number, "truncated": False, **told}
