"""How a service is found, and what is not believed of a folder."""

import json
import os
import socket
import stat
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.remote.service_file import (
    RunningService,
    find_running,
    read_service_file,
    remove_service_file,
    write_service_file,
)
from agent.remote.socket_places import list_places, list_records, listen_privately, remove_socket
from agent.remote.workspace_lock import WorkspaceLock
from core.base.errors import RefusedError
from tests.agent.remote.conftest import TOKEN, describe

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such sockets")


@pytest.fixture
def listeners() -> Iterator[list[socket.socket]]:
    """What listens; closed in the end."""
    opened: list[socket.socket] = []
    yield opened
    for each in opened:
        each.close()


@pytest.fixture
def listening(state: Path, listeners: list[socket.socket]) -> Iterator[RunningService]:
    """A service that listens, as its file tells of it."""
    listener, place = listen_privately(state)
    listeners.append(listener)
    service = describe(place, TOKEN)
    write_service_file(state, service)
    yield service
    remove_service_file(state)
    remove_socket(place)


def test_a_service_that_listens_is_found_and_only_its_owner_can_read_how(
    state: Path, listening: RunningService
) -> None:
    assert find_running(state.parent) == listening
    for path in (find_record(state), Path(listening.socket)):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_nothing_that_lets_anybody_in_lies_in_the_workspace(state: Path, listening: RunningService) -> None:
    assert find_running(state.parent) == listening
    assert not state.exists(), "neither a token nor a socket"
    assert not Path(listening.socket).is_relative_to(state.parent)


def test_a_service_is_found_through_a_link_to_its_folder(state: Path, listening: RunningService) -> None:
    state.parent.mkdir(exist_ok=True)
    link = state.parent.with_name(f"{state.parent.name}-link")
    link.symlink_to(state.parent)
    try:
        assert find_running(link) == listening
    finally:
        link.unlink()


def test_a_service_that_was_killed_leaves_a_file_that_nobody_is_fooled_by(
    state: Path, listening: RunningService, listeners: list[socket.socket]
) -> None:
    listeners.pop().close()
    assert read_service_file(state) == listening
    assert find_running(state.parent) is None
    again, place = listen_privately(state)
    listeners.append(again)
    assert find_running(state.parent) == replace(listening, socket=str(place))


def test_the_end_of_a_service_leaves_no_file(state: Path, listening: RunningService) -> None:
    remove_service_file(state)
    remove_socket(Path(listening.socket))
    assert not any(each.exists() for each in list_records(state))
    assert find_running(state.parent) is None


CHANGES: dict[str, Callable[[Path, Path], object]] = {
    "a socket elsewhere": lambda state, _: _rewrite(state, socket=str(state / "other.sock")),
    "no socket": lambda state, _: _rewrite(state, socket=""),
    "a number for a token": lambda state, _: _rewrite(state, token=1),
    "a truth for a process": lambda state, _: _rewrite(state, pid=True),
    "a file that others may write": lambda state, _: find_record(state).chmod(0o666),
    "a file in the place of the socket": lambda _, place: (place.unlink(), place.write_bytes(b"")),
    "a link in the place of the socket": lambda _, place: place.symlink_to(place.rename(place.with_name("x"))),
    "a record with a second name": lambda state, _: (state.parent / "x").hardlink_to(find_record(state)),
    "no JSON": lambda state, _: find_record(state).write_bytes(b"{"),
    "another kind of JSON": lambda state, _: find_record(state).write_bytes(b"[1]"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_a_folder_says_is_not_believed_where_it_is_not_what_a_service_writes(
    change: str, state: Path, listening: RunningService
) -> None:
    CHANGES[change](state, Path(listening.socket))
    assert read_service_file(state) is None


@given(
    told=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda each: st.dictionaries(st.text(), each)
    )
)
def test_no_content_of_the_file_is_an_error(told: object, tmp_path_factory: pytest.TempPathFactory) -> None:
    state = tmp_path_factory.mktemp("any")
    record = list_records(state)[-1]
    record.parent.mkdir(mode=0o700, exist_ok=True)
    record.write_text(json.dumps(told), encoding="utf-8")
    try:
        assert read_service_file(state) is None
    finally:
        record.unlink()


def test_each_folder_has_a_short_place_of_its_own_for_its_owner_alone(state: Path, listening: RunningService) -> None:
    assert state
    assert all(len(os.fsencode(place)) <= 100 for place in list_places(Path("/") / ("x" * 250)))
    assert list_places(state) == list_places(state), "a later process finds the same"
    assert set(list_places(state)).isdisjoint(list_places(state.with_name("other")))
    assert stat.S_IMODE(Path(listening.socket).parent.stat().st_mode) == 0o700


def test_one_process_at_a_time_may_serve_a_folder(state: Path) -> None:
    first, second = WorkspaceLock(state), WorkspaceLock(state)
    first.take(0)
    with pytest.raises(RefusedError) as caught:
        second.take(0)
    assert caught.value.code == "service_running"
    first.release()
    second.take(0)
    second.release()


def find_record(state: Path) -> Path:
    """Return the record of the service that serves a folder."""
    return next(each for each in list_records(state) if each.exists())


def _rewrite(state: Path, **values: object) -> None:
    found = asdict(describe(list_places(state)[0], TOKEN)) | values
    find_record(state).write_text(json.dumps(found), encoding="utf-8")
