"""The files of runs: from their beginning on, bounded, of one version; and migrations of what an older version kept."""

import hashlib
import json
import os
import stat
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from actuators.deadlines import Deadline, pause
from agent.requests.run_archive import BegunRun
from agent.store.context_file import CONTEXT_FILE, ContextFile
from agent.store.documents import CONTEXT, SESSION, DocumentKind, StoredDocument, migrate_document, write_document
from agent.store.manifest import digest_libraries
from agent.store.migrating import Migrator
from agent.store.processes import describe_process
from agent.store.run_files import LARGEST_PART, FileKeeper, describe_beginning, describe_end
from agent.store.session_files import (
    FORMAT_FILE,
    SessionFiles,
    tell_status,
)
from core.base.errors import ErrorInfo, GoalError, SchemaError
from core.results.tool_results import RunResult, StepLog, ToolResult

RUN = "r0123456789abcdef"
BEGUN = BegunRun(run_id=RUN, request={"utterance": "go back"}, plan={"nodes": []}, plan_digest="d")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.text(max_size=5), parts, max_size=3),
    max_leaves=10,
)


def name_run(number: int) -> str:
    return f"r{number:016x}"


def make_log(output: Any, artifacts: tuple[str, ...] = ()) -> StepLog:
    result = ToolResult("ok", output=output, artifacts=artifacts)
    return StepLog("g0_read_1", "g0", "file.read", "Read it", result, tool="file_read")


def make_result(run_id: str = RUN, *logs: StepLog, **parts: Any) -> RunResult:
    outputs = {log.action_id: log.result.output for log in logs}
    artifacts = tuple(path for log in logs for path in log.result.artifacts)
    return RunResult(
        run_id=run_id,
        outcome="success",
        reply="Done.",
        step_logs=logs,
        intermediate_results=outputs,
        artifacts=artifacts,
        **parts,
    )


@pytest.fixture
async def keeper(tmp_path: Path) -> AsyncIterator[FileKeeper]:
    keeper = FileKeeper(tmp_path)
    yield keeper
    await keeper.close()


async def test_a_run_is_kept_from_its_beginning_on(keeper: FileKeeper, tmp_path: Path) -> None:
    sessions = SessionFiles(tmp_path)
    assert await keeper.begin(BEGUN) == ()
    begun = sessions.read(RUN)
    assert (begun["status"], begun["request"], tell_status(begun)) == ("running", {"utterance": "go back"}, "running")
    result = make_result(RUN, make_log({"text": "12"}), trace_id="0af7651916cd43dd8448eb211c80319c")
    assert await keeper.end(result) is result
    ended = sessions.read(RUN)
    assert (ended["status"], tell_status(ended), ended["reply"]) == ("ended", "success", "Done.")
    assert ended["trace_id"] == result.trace_id
    assert ended["began_at"] == begun["began_at"] <= ended["ended_at"]
    assert ended["step_logs"][0]["result"]["output"] == ended["intermediate_results"]["g0_read_1"] == {"text": "12"}
    assert {"program", "python", "platform", "rules_digest", "lock_digest", "files"} == set(ended["manifest"])


async def test_what_a_run_was_made_with_is_found_out_while_it_goes_on(keeper: FileKeeper) -> None:
    digest_libraries.cache_clear()
    await keeper.begin(BEGUN)
    deadline = Deadline(20.0)
    while not digest_libraries.cache_info().currsize:
        assert not deadline.is_over
        await pause(0.01)


def test_the_digest_of_libraries_is_of_all_that_the_program_needs_in_the_version_that_is_installed() -> None:
    found: dict[str, str] = {}
    waiting = ["surehand"]
    while waiting:
        name = canonicalize_name(waiting.pop())
        with suppress(PackageNotFoundError):
            if name not in found:
                found[name] = version(name)
                waiting += [Requirement(each).name for each in requires(name) or ()]
    text = "\n".join(f"{name}=={found[name]}" for name in sorted(found))
    assert digest_libraries() == hashlib.sha256(text.encode()).hexdigest()


async def test_what_a_run_leaves_in_mind_is_kept_with_it(keeper: FileKeeper, tmp_path: Path) -> None:
    await keeper.begin(BEGUN)
    await keeper.end(make_result(RUN, make_log({"text": "12"})))
    context = ContextFile(tmp_path)
    assert [(note.kind, note.value, note.run_id) for note in (await context.read()).results] == [
        ("file.read", "12", RUN)
    ]
    await context.close()


async def test_files_that_were_made_are_listed_with_their_digest(keeper: FileKeeper, tmp_path: Path) -> None:
    made, gone = tmp_path / "made.txt", tmp_path / "gone.txt"
    made.write_bytes(b"mugs")
    await keeper.begin(BEGUN)
    await keeper.end(make_result(RUN, make_log({}, (str(made), str(gone), str(made)))))
    assert SessionFiles(tmp_path).read(RUN)["manifest"]["files"] == [
        {"path": str(made), "size_bytes": 4, "sha256": hashlib.sha256(b"mugs").hexdigest()},
        {"path": str(gone), "size_bytes": None, "sha256": None},
    ]


async def test_a_run_whose_process_is_gone_was_interrupted(keeper: FileKeeper, tmp_path: Path) -> None:
    await keeper.begin(BEGUN)
    document = SessionFiles(tmp_path).read(RUN)
    document["process"]["started"] -= 1
    assert tell_status(document) == "interrupted"
    assert tell_status({"status": "running"}) == "interrupted"


async def test_a_run_that_another_process_began_is_ended_on_top_of_what_that_one_kept(tmp_path: Path) -> None:
    first, second = FileKeeper(tmp_path), FileKeeper(tmp_path)
    await first.begin(BEGUN)
    await second.end(make_result(RUN, make_log({"text": "12"})))
    document = SessionFiles(tmp_path).read(RUN)
    assert (document["request"], document["status"]) == ({"utterance": "go back"}, "ended")
    await second.end(make_result("r" + "f" * 16))
    assert SessionFiles(tmp_path).list_ids() == [RUN]
    refused = make_result(RUN, errors=(ErrorInfo("x", "Nothing was done."),))
    await second.end(refused)
    assert SessionFiles(tmp_path).read(RUN)["reply"] == "Done."
    await first.close()
    await second.close()


@pytest.mark.parametrize("output", [{"text": "ä" * LARGEST_PART}, {"rows": [{"a": 1}] * 200_000}])
def test_a_large_output_is_cut_with_a_note(output: dict[str, Any]) -> None:
    document = describe_end(describe_beginning(BEGUN), make_result(RUN, make_log(output)))
    kept = document["intermediate_results"]["g0_read_1"]
    size = len(json.dumps(output, ensure_ascii=False).encode())
    assert (kept["size_bytes"], str(size) in kept["cut"]) == (size, True)
    assert len(write_document(document)) < LARGEST_PART
    assert document["step_logs"][0]["result"]["output"] == kept


@settings(deadline=None)
@given(output=st.dictionaries(st.text(max_size=5), JSON, max_size=4), reply=st.text())
def test_what_fits_is_kept_exactly(output: dict[str, Any], reply: str) -> None:
    document = describe_end(describe_beginning(BEGUN), make_result(RUN, make_log(output)))
    assert json.loads(write_document(document)) == document
    assert document["intermediate_results"]["g0_read_1"] == output


ANY = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@settings(deadline=None)
@given(ANY)
@example("\ud800")
@example(float("inf"))
@example(10**40)
def test_whatever_data_a_document_holds_is_read_back_from_its_bytes(value: object) -> None:
    assert json.loads(write_document({"value": value})) == {"value": value}


def test_a_document_that_nests_as_deep_as_a_result_may_is_written() -> None:
    nested: Any = "end"
    for _ in range(300):
        nested = {"in": nested}
    assert json.loads(write_document(nested)) == nested


def test_odd_file_names_survive(tmp_path: Path) -> None:
    sessions = SessionFiles(tmp_path)
    sessions.write(RUN, {"reply": "caf\udce9"})
    assert sessions.read(RUN)["reply"] == "caf\udce9"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")
def test_only_the_user_can_read_runs(tmp_path: Path) -> None:
    SessionFiles(tmp_path).write(RUN, {})
    folder = tmp_path / "agent_sessions"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


def test_the_oldest_runs_go_and_nothing_else_does(tmp_path: Path) -> None:
    sessions = SessionFiles(tmp_path, most=3)
    for number in range(5):
        sessions.write(name_run(number), {})
        os.utime(sessions.folder / f"{name_run(number)}.json", (number, number))
    for name in ("notes.txt", "report.json", f"{name_run(0)}.json.version-0-x"):
        (sessions.folder / name).write_text("mine", encoding="utf-8")
    sessions.prune()
    assert sessions.list_ids() == [name_run(number) for number in (4, 3, 2)]
    assert {"notes.txt", "report.json"} < {path.name for path in sessions.folder.iterdir()}


def test_a_beginning_of_an_id_is_enough_if_only_one_run_has_it(tmp_path: Path) -> None:
    sessions = SessionFiles(tmp_path)
    for run_id in ("ra" + "0" * 15, "rb" + "0" * 15, "rb" + "0" * 14 + "1"):
        sessions.write(run_id, {"run_id": run_id, "began_at": run_id})
    assert sessions.find("ra").document["run_id"] == "ra" + "0" * 15
    assert sessions.find("last").document["run_id"] == "rb" + "0" * 14 + "1"
    for named, code in (("rb", "ambiguous_run"), ("rc", "unknown_run"), ("", "unknown_run"), ("../x", "unknown_run")):
        with pytest.raises(GoalError) as caught:
            sessions.find(named)
        assert caught.value.code == code


def test_a_damaged_run_is_listed_as_that(tmp_path: Path) -> None:
    sessions = SessionFiles(tmp_path)
    sessions.write(RUN, {"process": describe_process()})
    (sessions.folder / f"{name_run(7)}.json").write_text("{", encoding="utf-8")
    faults = {run.run_id: bool(run.fault) for run in sessions.list_runs()}
    assert faults == {RUN: False, name_run(7): True}


def test_a_large_run_that_was_cut_short_is_listed_as_damaged(tmp_path: Path) -> None:
    sessions = SessionFiles(tmp_path)
    document = describe_end(describe_beginning(BEGUN), make_result(RUN, make_log({"text": "x" * 300_000})))
    sessions.write(RUN, document)
    path = sessions.folder / f"{RUN}.json"
    assert [run.fault for run in sessions.list_runs()] == [""]
    path.write_bytes(path.read_bytes()[:-100])
    assert "can't be understood" in sessions.list_runs()[0].fault


@pytest.mark.parametrize("asked", ["go back", "ü€" * 100_000, "\udce4" + "x" * 100_000, "x" * 2 * LARGEST_PART])
async def test_what_a_list_shows_of_a_large_run_is_in_the_beginning_of_its_file(
    keeper: FileKeeper, tmp_path: Path, asked: str
) -> None:
    await keeper.begin(replace(BEGUN, request={"utterance": asked}))
    logs = [make_log({"text": "y" * 900_000})] * 3
    await keeper.end(make_result(RUN, *logs, metrics={"actions": 3.0}))
    sessions = SessionFiles(tmp_path)
    (run,) = sessions.list_runs()
    assert ("manifest" in run.document) == ("\udce4" in asked)  # what the quick reader doesn't take is read whole
    whole = sessions.read(RUN)
    for name in ("run_id", "began_at", "ended_at", "outcome", "reply", "metrics"):
        assert run.document[name] == whole[name]
    assert str(run.document["request"]["utterance"])[:20] == str(whole["request"]["utterance"])[:20]
    assert tell_status(run.document) == "success"


@pytest.mark.parametrize("version", [0, 2])
async def test_runs_of_another_version_are_refused_before_a_run_begins(
    keeper: FileKeeper, tmp_path: Path, version: int
) -> None:
    SessionFiles(tmp_path, kind=DocumentKind(SESSION.name, version)).write(name_run(1), {})
    with pytest.raises(SchemaError) as caught:
        await keeper.begin(BEGUN)
    assert caught.value.code == "schema_drift"
    assert SessionFiles(tmp_path).list_ids() == [name_run(1)]


async def test_a_run_goes_on_where_nothing_can_be_kept_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file in the way", encoding="utf-8")
    keeper = FileKeeper(tmp_path / "state")
    notes = await keeper.begin(BEGUN)
    assert "could not be saved" in " ".join(notes)
    result = await keeper.end(make_result(RUN, make_log({"text": "12"})))
    assert sum("could not be saved" in note for note in result.diagnostics) == 2
    await keeper.close()


# --- migrations: there is no older version yet, so the way is tried on versions made up ---


def rename_reply(document: StoredDocument) -> StoredDocument:
    return {**{name: value for name, value in document.items() if name != "answer"}, "reply": document["answer"]}


def shout(document: StoredDocument) -> StoredDocument:
    return {**document, "reply": document["reply"].upper()}


OLD = DocumentKind(SESSION.name, 1)
NEW = DocumentKind(SESSION.name, 3, MappingProxyType({1: rename_reply, 2: shout}))


def migrate(folder: Path, **options: bool) -> list[tuple[str, Any, Any, bool]]:
    found = Migrator(folder, CONTEXT, NEW).migrate(**options)
    return [(each.path.name, each.before, each.after, bool(each.backup)) for each in found]


def test_a_migration_takes_every_step_and_saves_what_was_there(tmp_path: Path) -> None:
    SessionFiles(tmp_path, kind=OLD).write(RUN, {"answer": "done"})
    folder = tmp_path / "agent_sessions"
    before = (folder / f"{RUN}.json").read_bytes()
    changed = (folder / f"{RUN}.json").stat().st_mtime_ns
    assert migrate(tmp_path) == [(f"{RUN}.json", 1, 3, True), (FORMAT_FILE, 1, 3, True)]
    sessions = SessionFiles(tmp_path, kind=NEW)
    assert sessions.check() == ()
    assert sessions.read(RUN) == {"kind": SESSION.name, "schema_version": 3, "reply": "DONE"}
    assert (folder / f"{RUN}.json").stat().st_mtime_ns == changed
    assert [path.read_bytes() for path in folder.glob(f"{RUN}.json.version-1-*")] == [before]
    assert sessions.list_ids() == [RUN]
    assert migrate(tmp_path) == []


def test_a_dry_run_changes_nothing(tmp_path: Path) -> None:
    SessionFiles(tmp_path, kind=OLD).write(RUN, {"answer": "done"})
    files = {path: path.read_bytes() for path in (tmp_path / "agent_sessions").iterdir()}
    assert migrate(tmp_path, dry=True) == [(f"{RUN}.json", 1, 3, False), (FORMAT_FILE, 1, 3, False)]
    assert {path: path.read_bytes() for path in (tmp_path / "agent_sessions").iterdir()} == files


def test_files_that_no_way_leads_from_are_left_and_told(tmp_path: Path) -> None:
    SessionFiles(tmp_path, kind=DocumentKind(SESSION.name, 0)).write(RUN, {})
    (tmp_path / CONTEXT_FILE).write_text("{", encoding="utf-8")
    found = Migrator(tmp_path, CONTEXT, NEW).migrate()
    assert [each.path.name for each in found if each.fault] == [CONTEXT_FILE, f"{RUN}.json"]
    assert (tmp_path / CONTEXT_FILE).read_text(encoding="utf-8") == "{"


def test_a_newer_file_is_never_brought_back() -> None:
    with pytest.raises(SchemaError):
        migrate_document(NEW.stamp({}), OLD)


def test_where_nothing_is_kept_nothing_is_migrated_or_made(tmp_path: Path) -> None:
    assert migrate(tmp_path / "none") == []
    assert not (tmp_path / "none").exists()


@given(st.integers(0, 5), st.integers(0, 5))
def test_a_document_reaches_the_version_exactly_if_every_step_is_there(found: int, missing: int) -> None:
    steps = {version: lambda document: document for version in range(5) if version != missing}
    kind = DocumentKind("toy", 5, MappingProxyType(steps))
    document = {"kind": "toy", "schema_version": found}
    if found <= missing < 5:
        with pytest.raises(SchemaError):
            migrate_document(document, kind)
    else:
        assert migrate_document(document, kind)["schema_version"] == 5
