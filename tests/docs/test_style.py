"""The style of messages (docs/style.md): stiff forms that were there once, and words that were replaced by better ones."""

import re

import pytest

from scripts.documents.messages import collect_texts

STIFF = [
    r"(?<!here )\bis no (?!longer\b)[a-z]",
    r"\bof whoever\b",
    r"\bthere is no more\b",
    r"\bit isn't said\b",
    r"\bnobody knows which\b",
    r"\bany more\b",
    r"\banew\b",
    r"\bg\d+_[a-z]+_\d+\b",
    r"\bbroke with\b",
    r"\bmakes? no sense\b",
    r"[!?]{2}|!$",
]
REPLACED = {
    r"\btaken back\b": "undone",
    r"\btakes? back\b": "undo",
    r"\bexists already\b": "already exists",
    r"\bis not there\b": "does not exist",
    r"\bisn't known\b": "is unknown",
    r"^Look (?:whether|that)\b": "Check whether",
    r"^See whether\b": "Check whether",
    r"\bMake room\b": "Free some space",
    r"\bwritten down\b": "recorded",
}


def list_lines() -> list[str]:
    return [line for text in collect_texts() for line in (text.text, text.hint) if line]


@pytest.mark.parametrize("pattern", [*STIFF, *REPLACED])
def test_no_message_has_a_form_that_the_style_refuses(pattern: str) -> None:
    found = [line for line in list_lines() if re.search(pattern, line, re.IGNORECASE)]
    assert found == [], f"say instead: {REPLACED.get(pattern, 'see docs/style.md')}"


def test_each_message_of_an_error_ends_as_a_sentence() -> None:
    told = [text for text in collect_texts() if text.hint]
    unfinished = [text.hint for text in told if not re.search(r"[.?!…)}”]\s*$", text.hint)]
    assert unfinished == []
