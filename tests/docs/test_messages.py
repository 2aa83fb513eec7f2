"""What is read from the whole tree: the style of messages (docs/style.md), and that each error code is explained.

The style has stiff forms that were there once, and words that were replaced by better ones.
"""

import re

from scripts.documents.errors import list_codes, list_texts_of_code
from scripts.documents.messages import read_codes, read_tree, write_messages
from tests.cases import each_case

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
TEMPLATES = {"unknown_{what}": {"unknown_device", "unknown_locale", "unknown_timezone"}}


def list_lines() -> list[str]:
    return [line for text in read_tree().texts for line in (text.text, text.hint) if line]


@each_case("pattern", [*STIFF, *REPLACED])
def test_no_message_has_a_form_that_the_style_refuses(pattern: str) -> None:
    found = [line for line in list_lines() if re.search(pattern, line, re.IGNORECASE)]
    assert found == [], f"say instead: {REPLACED.get(pattern, 'see docs/style.md')}"


def test_each_message_of_an_error_ends_as_a_sentence() -> None:
    told = [text for text in read_tree().texts if text.hint]
    unfinished = [text.hint for text in told if not re.search(r"[.?!…)}”]\s*$", text.hint)]
    assert unfinished == []


def test_all_messages_are_written_side_by_side() -> None:
    lines = write_messages().splitlines()
    assert {f"## {text.family}" for text in read_tree().texts} <= set(lines)
    assert len(lines) > len(read_tree().texts)


def test_every_code_of_the_tree_is_explained() -> None:
    given = list_codes() - set(TEMPLATES)
    assert sorted(given - set(read_codes())) == []


def test_every_code_that_is_explained_is_in_the_tree() -> None:
    filled = set[str]().union(*TEMPLATES.values())
    assert sorted(set(read_codes()) - filled - list_texts_of_code()) == []
    assert set(TEMPLATES) <= list_codes()


def test_each_code_is_explained_in_two_sentences() -> None:
    badly = [
        code for code, told in read_codes().items() if len(told) != 2 or not all(each.endswith(".") for each in told)
    ]
    assert badly == []


def test_codes_are_in_order() -> None:
    assert list(read_codes()) == sorted(read_codes())
