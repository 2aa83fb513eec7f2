"""The context memory on the disk: whole or not at all, by several processes, in other versions, and damaged."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.store.context_file import CONTEXT_FILE, CONTEXT_LOCK, ContextFile
from agent.store.documents import CONTEXT, write_document
from agent.store.seals import Seal
from core.base.errors import ActionError, SchemaError
from core.memory.facts import ContextMemory, Note, Preference, store_preference
from core.results.provenance import Origin
from tests.thoroughness import examples

CHILD = Path(__file__).with_name("memory_child.py")
ROOT = Path(__file__).resolve().parents[3]
TEXTS = st.text(max_size=30)
ORIGINS = st.lists(st.builds(Origin, TEXTS, TEXTS), max_size=3).map(tuple)
NOTES = st.lists(
    st.builds(
        Note, kind=TEXTS, value=TEXTS, about=TEXTS, run_id=TEXTS, at=TEXTS, origins=ORIGINS, is_cut=st.booleans()
    ),
    max_size=5,
).map(tuple)
VALUES = TEXTS | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
PREFERENCES = st.lists(st.builds(Preference, key=TEXTS, value=VALUES, origins=ORIGINS), max_size=5).map(tuple)
MEMORIES = st.builds(
    ContextMemory,
    opened=NOTES,
    created=NOTES,
    targeted=NOTES,
    results=NOTES,
    failures=NOTES,
    preferences=PREFERENCES,
)
KEPT = ContextMemory(preferences=(Preference(key="k", value="v"),))


@pytest.fixture
async def file(tmp_path: Path) -> AsyncIterator[ContextFile]:
    file = ContextFile(tmp_path / "state")
    yield file
    await file.close()


def store(memory: ContextMemory) -> ContextMemory:
    return store_preference(memory, Preference(key="k", value="v"))


def start_child(folder: Path, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(CHILD), str(folder), name, str(count)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )


def list_names(file: ContextFile) -> set[str]:
    """Return what is there beside the lock, which Windows removes when it is let go."""
    return {path.name for path in file.path.parent.iterdir()} - {CONTEXT_LOCK}


async def test_reading_what_was_never_kept_makes_nothing(file: ContextFile) -> None:
    assert await file.read() == ContextMemory()
    assert await file.check() == ()
    assert not file.path.parent.exists()


@settings(max_examples=examples(50), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(memory=MEMORIES)
async def test_what_is_kept_comes_back_exactly(file: ContextFile, memory: ContextMemory) -> None:
    await file.change(lambda _: memory)
    found = await file.read()
    assert found == memory
    assert [type(each.value) for each in found.preferences] == [type(each.value) for each in memory.preferences]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")
async def test_only_the_user_can_read_it(file: ContextFile) -> None:
    file.path.parent.mkdir(mode=0o755)
    await file.change(store)
    assert stat.S_IMODE(file.path.parent.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in file.path.parent.iterdir()} == {0o600}


async def test_a_change_that_fails_leaves_everything_as_it_was(file: ContextFile) -> None:
    await file.change(store)

    def fail(_: ContextMemory) -> ContextMemory:
        raise ActionError("no")

    with pytest.raises(ActionError, match="no"):
        await file.change(fail)
    assert await file.read() == KEPT
    assert list_names(file) == {CONTEXT_FILE}


async def test_two_processes_at_once_lose_nothing(file: ContextFile) -> None:
    count = 25
    children = [start_child(file.path.parent, name, count) for name in "ab"]
    for child in children:
        child.communicate(timeout=120)
    memory = await file.read()
    expected = {f"{name}{number}" for name in "ab" for number in range(count)}
    assert {each.key for each in memory.preferences} == expected == {note.value for note in memory.opened}


async def test_a_writer_that_is_killed_leaves_a_whole_file_and_no_leftovers(file: ContextFile) -> None:
    for name in "abc":
        child = start_child(file.path.parent, name, 60)
        assert child.stdout is not None
        told = [child.stdout.readline().strip() for _ in range(5)]
        child.kill()
        child.wait()
        told += child.stdout.read().split()
        child.stdout.close()
        kept = {each.key for each in (await file.read()).preferences if each.key.startswith(name)}
        assert kept >= {f"{name}{number}" for number in told if number.isdigit()}
    (file.path.parent / f".{CONTEXT_FILE}.0123.tmp").write_text("half", encoding="utf-8")
    await file.change(store)
    assert list_names(file) == {CONTEXT_FILE}


async def test_a_memory_that_another_process_holds_is_busy(tmp_path: Path) -> None:
    file = ContextFile(tmp_path, wait_s=0.2)
    with FileLock(tmp_path / CONTEXT_LOCK), pytest.raises(ActionError) as caught:
        await file.change(store)
    assert caught.value.code == "memory_busy"
    await file.change(store)
    await file.close()


def seal_content(content: str) -> bytes:
    """Return a file as this person's Surehand would have written it; as it is where that is none."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return content.encode()
    return CONTEXT.write(document) if isinstance(document, dict) else content.encode()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "Expecting"),
        ("", "Expecting"),
        ("[]", "its kind is not agent_context"),
        ('{"kind": "other"}', "its kind is not agent_context"),
        ('{"kind": "agent_context"}', "its version"),
        ('{"kind": "agent_context", "schema_version": 1}', "memory: "),
        (
            '{"kind": "agent_context", "schema_version": 1, "memory": {"opened": [{"kind": 1, "value": "x"}]}}',
            "memory.opened",
        ),
        ("[" * 100_000, "recursion"),
    ],
)
async def test_a_damaged_memory_is_moved_aside_and_told(file: ContextFile, content: str, told: str) -> None:
    file.path.parent.mkdir()
    file.path.write_bytes(seal_content(content))
    with pytest.raises(SchemaError, match=told) as caught:
        await file.read()
    assert caught.value.code == "file_damaged"
    (note,) = await file.check()
    aside = next(path for path in file.path.parent.glob("*.corrupt-*"))
    assert str(aside) in note
    assert aside.read_bytes() == seal_content(content)
    assert await file.read() == ContextMemory()
    await file.change(store)
    assert await file.check() == ()


@pytest.mark.parametrize(("version", "way"), [(2, "context reset"), (0, "surehand migrate")])
async def test_a_memory_of_another_version_is_refused_and_left_as_it_is(
    file: ContextFile, version: int, way: str
) -> None:
    file.path.parent.mkdir()
    content = json.dumps({"kind": "agent_context", "schema_version": version, "memory": {"thoughts": []}})
    file.path.write_bytes(seal_content(content))
    for use in (file.read, file.check, lambda: file.change(store)):
        with pytest.raises(SchemaError) as caught:
            await use()
        assert caught.value.code == "schema_drift"
        assert way in caught.value.hint
    assert file.path.read_bytes() == seal_content(content)


FOREIGN_MEMORY = {"preferences": [{"key": "address", "value": "evil.example"}]}


@pytest.mark.parametrize("way", ["unsealed", "theirs"])
async def test_a_memory_that_came_with_the_folder_is_shown_and_never_recalled(
    file: ContextFile, tmp_path: Path, way: str
) -> None:
    theirs = replace(CONTEXT, seal=Seal(tmp_path / "theirs"))
    document = CONTEXT.stamp({"memory": FOREIGN_MEMORY})
    content = theirs.write(document) if way == "theirs" else write_document(document)
    file.path.parent.mkdir()
    file.path.write_bytes(content)
    assert await file.read() == ContextMemory()
    memory, is_own = await file.look()
    assert (memory.find("address") is not None, is_own) == (True, False)
    (note,) = await file.check()
    assert "may not be yours" in note
    assert next(file.path.parent.glob("*.foreign-*")).read_bytes() == content
    assert await file.check() == ()


async def test_what_is_stored_over_a_foreign_memory_sets_that_aside(file: ContextFile) -> None:
    file.path.parent.mkdir()
    file.path.write_bytes(write_document(CONTEXT.stamp({"memory": FOREIGN_MEMORY})))
    await file.change(store)
    memory, is_own = await file.look()
    assert (memory.find("address"), is_own) == (None, True)
    assert list(file.path.parent.glob("*.foreign-*"))


async def test_a_reset_of_another_version_keeps_the_file_aside(file: ContextFile) -> None:
    file.path.parent.mkdir()
    content = seal_content(json.dumps({"kind": "agent_context", "schema_version": 9, "memory": {}}))
    file.path.write_bytes(content)
    aside = await file.reset()
    assert list(file.path.parent.glob("*.replaced-*")) == [file.path.with_name(aside.rpartition(os.sep)[2])]
    assert file.path.with_name(aside.rpartition(os.sep)[2]).read_bytes() == content
    assert await file.read() == ContextMemory()


async def test_a_reset_keeps_preferences_unless_they_shall_go(file: ContextFile) -> None:
    await file.change(lambda _: ContextMemory(opened=(Note(kind="page", value="x"),), preferences=KEPT.preferences))
    assert await file.reset() == ""
    assert await file.read() == KEPT
    assert await file.reset(preferences=True) == ""
    assert await file.read() == ContextMemory()


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
async def test_nothing_is_kept_behind_a_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "state").symlink_to("elsewhere")
    file = ContextFile(tmp_path / "state")
    with pytest.raises(ActionError) as caught:
        await file.change(store)
    assert caught.value.code == "memory_unavailable"
    assert not list((tmp_path / "elsewhere").iterdir())
    await file.close()


async def test_a_memory_that_cant_be_written_is_an_error_and_stays(file: ContextFile) -> None:
    await file.change(store)
    (file.path.parent / CONTEXT_FILE).unlink()
    (file.path.parent / CONTEXT_FILE).mkdir()
    with pytest.raises(ActionError) as caught:
        await file.change(store)
    assert caught.value.code == "memory_unavailable"
