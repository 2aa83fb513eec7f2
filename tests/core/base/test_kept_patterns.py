import re
import sys
from pathlib import Path

import pytest

from core.base.kept_patterns import KeptPatterns

TEXTS = {
    r"(?P<verb>open|close)\s++(?:the\s)?(?P<what>\w+)(?P=verb)?": "OPEN  the door",
    r"[a-zß]+|\d{1,3}(?:\.\d+)?": "Straße",
    r"(?-i:A)b(?!c)|x{2,}?": "aB Ab AB xxx",
}
FLAGS = int(re.IGNORECASE | re.DOTALL)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    kept = KeptPatterns(tmp_path / "kept")
    for each in TEXTS:
        kept.compile(each, FLAGS)
    kept.keep()
    return tmp_path / "kept"


@pytest.mark.parametrize(("text", "said"), TEXTS.items())
def test_what_was_kept_matches_as_what_is_compiled(
    text: str, said: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = re.compile(text, FLAGS)
    monkeypatch.setattr(re, "compile", None)
    monkeypatch.setattr("core.base.kept_patterns._compile", None)
    restored = KeptPatterns(place).compile(text, FLAGS)
    assert (restored.pattern, restored.flags, restored.groups) == (made.pattern, made.flags, made.groups)
    assert dict(restored.groupindex) == dict(made.groupindex)
    assert [each.groupdict() | {"": each[0]} for each in restored.finditer(said)] == [
        each.groupdict() | {"": each[0]} for each in made.finditer(said)
    ]


@pytest.mark.parametrize("damage", [b"", b"{", b"[1,2]", b'["another Python",{}]', b'["",{"2:x":["a"]}]'])
def test_what_is_damaged_or_another_pythons_is_compiled_anew(damage: bytes, place: Path) -> None:
    place.write_bytes(damage)
    assert KeptPatterns(place).compile("x+", FLAGS).fullmatch("XX")


def test_a_kept_expression_that_python_refuses_is_compiled_anew(place: Path) -> None:
    content = place.read_text()
    kept = KeptPatterns(place)
    place.write_text(re.sub(r"(\[\d+,\")[\w+/=]+", r"\1AAAA/w==", content))
    assert KeptPatterns(place).compile(next(iter(TEXTS)), FLAGS).search("open doors")
    assert kept.compile(next(iter(TEXTS)), FLAGS).search("open doors")


def test_nothing_is_written_where_python_writes_no_bytecode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    kept = KeptPatterns(tmp_path / "kept")
    assert kept.compile("x+", FLAGS).fullmatch("x")
    kept.keep()
    assert [*tmp_path.iterdir()] == []
