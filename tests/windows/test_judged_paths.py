"""What the judge accepts, Windows reads as it is written."""

import ctypes
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.addresses.paths import PathTerms, judge_path
from core.base.errors import PolicyError
from tests.core.path_cases import BAD, GOOD

if sys.platform != "win32":
    raise pytest.skip.Exception("needs Windows: python3 scripts/test.py --windows", allow_module_level=True)

NEW = PathTerms(creating=True, writing=True)

pieces = st.sampled_from(
    ["a", "B", ".", "..", " ", "/", "\\", ":", "NUL", "con", "COM¹", "LPT9", "~1", "é", "😀", "．", "$"]
)
texts = st.lists(st.one_of(pieces, st.text(max_size=2)), min_size=1, max_size=6).map("".join)


def read_by_windows(path: str) -> str:
    """Return what Windows makes of a path before it opens it."""
    buffer = ctypes.create_unicode_buffer(1000)
    assert ctypes.WinDLL("kernel32").GetFullPathNameW(path, len(buffer), buffer, None)
    return buffer.value


def is_accepted(text: str) -> bool:
    try:
        judge_path(f"./{text}", terms=NEW)
    except PolicyError:
        return False
    return True


@settings(max_examples=1000)
@given(texts)
def test_windows_changes_nothing_in_an_accepted_path(text: str) -> None:
    if is_accepted(text):
        path = "\\".join(["C:\\base", *judge_path(f"./{text}").parts])
        assert read_by_windows(path) == path


# Below a Windows that wine provides lies a file system that takes names of 255 bytes, where NTFS takes 255 UTF-16 units.
MAKEABLE = [text for text in GOOD if is_accepted(text) and max(map(len, text.encode().split(b"/"))) <= 255]


@pytest.mark.parametrize("text", MAKEABLE)
def test_an_accepted_path_can_be_created_and_is_found_by_its_name(text: str) -> None:
    with tempfile.TemporaryDirectory(dir="C:\\", prefix="s") as base:
        parts = judge_path(f"./{text}").parts
        path = Path("\\\\?\\" + base, *parts)
        path.mkdir(parents=True, exist_ok=True)
        assert [part.name for part in Path("\\\\?\\" + base).rglob("*")] == list(parts)


@pytest.mark.parametrize("text", [text for text, rule in BAD if rule in {"P6", "P11"}])
def test_what_windows_would_change_is_refused(text: str) -> None:
    assert not is_accepted(text)
