"""The first sentence of a process loads only what it needs."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
NEEDLESS = (
    "core.language.phrases.slot_readers",
    "core.language.screens.elements",
    "core.language.frames.frame_reader",
    "core.language.file_clauses.reader",
    "core.language.talk.control",
    "core.selectors.selector_reader",
    "core.base.moments",
    "ada_url",
    "pydantic",
)
READING = ("tomllib", "core.language.grammars.word_files", "core.language.grammars.phrase_files")
INTERPRET = """
import sys
from core.language.interpreter import GrammarInterpreter
assert GrammarInterpreter().interpret({sentence!r}).meta_goal
print(*sys.modules)
"""


def list_loaded(sentence: str, cache: Path) -> set[str]:
    """Return the modules that a process has loaded once it has understood a sentence."""
    command = [sys.executable, "-X", f"pycache_prefix={cache}", "-c", INTERPRET.format(sentence=sentence)]
    run = subprocess.run(command, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_a_sentence_without_slots_loads_no_readers_of_slots_frames_controls_or_addresses(tmp_path: Path) -> None:
    loaded = list_loaded("go back", tmp_path)
    assert "core.language.interpreter" in loaded
    assert [name for name in NEEDLESS if name in loaded] == []


def test_a_second_process_reads_no_word_files(tmp_path: Path) -> None:
    assert loads_reading(list_loaded("go back", tmp_path)) == [*READING]
    assert loads_reading(list_loaded("click the Save button", tmp_path)) == []


def loads_reading(loaded: set[str]) -> list[str]:
    return [name for name in READING if name in loaded]
