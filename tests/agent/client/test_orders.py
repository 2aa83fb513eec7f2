"""What is asked for on its way to the service, and where that is."""

import sys
from pathlib import Path
from typing import Any, get_args

import pytest

from agent.client.endpoints import find_endpoint, read_endpoint, read_told_endpoint
from agent.client.reports import (
    BadOrderError,
    HandError,
    NotAllowedError,
    NotThereError,
    Problem,
    QuotaError,
    ServiceGoneError,
    make_error,
)
from agent.client.wishes import Approval, write_order
from agent.remote.service_file import RunningService, remove_service_file, write_service_file
from agent.remote.socket_places import listen_privately, remove_socket
from core.rules.approval_classes import GIVEN_BEFOREHAND


def test_the_approvals_that_are_offered_are_those_that_can_be_given_beforehand() -> None:
    assert get_args(Approval) == GIVEN_BEFOREHAND


def test_paths_become_texts_that_hold_in_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    goal: dict[str, Any] = {"domain": "file", "verb": "read", "params": {"path": Path("a.txt"), "more": [Path("b")]}}
    order = write_order(None, {"goals": [goal]}, "main")
    assert order["goals"][0]["params"] == {"path": str(tmp_path / "a.txt"), "more": [str(tmp_path / "b")]}
    flow = write_order(None, {"flow": "goals: []", "variables": {"cv": Path("cv.pdf"), "name": "Ada"}}, "main")
    assert flow["variables"] == {"cv": str(tmp_path / "cv.pdf"), "name": "Ada"}


def test_a_flow_is_read_from_its_file_or_taken_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "order.yaml").write_text("goals: [x]", encoding="utf-8")
    assert write_order(None, {"flow": tmp_path / "order.yaml"}, "main")["flow"] == "goals: [x]"
    assert write_order(None, {"flow": "goals: [y]"}, "main")["flow"] == "goals: [y]"
    with pytest.raises(BadOrderError, match="can't be read"):
        write_order(None, {"flow": tmp_path / "missing.yaml"}, "main")


@pytest.mark.parametrize(
    ("text", "wishes"), [(None, {}), ("go back", {"flow": "x"}), (None, {"goals": [], "flow": ""})]
)
def test_one_thing_is_asked_for_at_a_time(text: str | None, wishes: dict[str, Any]) -> None:
    with pytest.raises(BadOrderError):
        write_order(text, wishes, "main")


def test_what_is_not_wished_is_not_sent() -> None:
    assert write_order("go back", {"answer": None, "timeout_s": 3, "check": False}, "main") == {
        "session": "main",
        "text": "go back",
    }
    wishes = {"approvals": ["run_job"], "secrets": (), "actions": 3, "seconds": 2.5, "policy": {}, "changes": ["a"]}
    order = write_order("go back", wishes | {"session": "other"}, "main")
    assert order == {
        "session": "other",
        "text": "go back",
        "approvals": ["run_job"],
        "secrets": [],
        "actions": 3,
        "seconds": 2.5,
        "policy": {},
        "changes": ["a"],
    }


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("http://127.0.0.1:8137", "http://127.0.0.1:8137"),
        ("http://localhost:80/", "http://localhost:80"),
        ("http://[::1]:8137", "http://::1:8137"),
        ("https://hands.example", "https://hands.example:443"),
        ("/run/hand.sock", "/run/hand.sock"),
        ("unix:/run/hand.sock", "/run/hand.sock"),
        (Path("/run/hand.sock"), "/run/hand.sock"),
    ],
)
def test_an_address_is_read(address: str | Path, told: str) -> None:
    assert str(read_endpoint(address, "t")) == told


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("http://hands.example:8137", "unprotected_address"),
        ("http://10.0.0.1", "unprotected_address"),
        ("http://127.0.0.1.example", "unprotected_address"),
        ("ftp://127.0.0.1", "bad_address"),
        ("http://127.0.0.1:port", "bad_address"),
        ("http://127.0.0.1/v1", "bad_address"),
        ("http://ada@127.0.0.1", "bad_address"),
        ("http://", "bad_address"),
    ],
)
def test_an_address_that_would_not_do_is_refused(address: str, code: str) -> None:
    with pytest.raises(BadOrderError) as caught:
        read_endpoint(address, "t")
    assert caught.value.code == code


def test_a_token_is_not_shown() -> None:
    assert "s3cret" not in repr(read_endpoint("http://127.0.0.1:1", "s3cret"))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such sockets")
def test_the_service_of_a_folder_is_found_by_its_socket(tmp_path: Path) -> None:
    with pytest.raises(ServiceGoneError, match="No service serves"):
        find_endpoint(tmp_path)
    listener, place = listen_privately(tmp_path / ".surehand")
    service = RunningService(
        pid=1, started="", address="http://127.0.0.1:1", socket=str(place), token="t", workspace=""
    )
    write_service_file(tmp_path / ".surehand", service)
    with listener:
        assert str(find_endpoint(tmp_path)) == str(place)
    remove_socket(place)
    with pytest.raises(ServiceGoneError, match="No service serves"):
        find_endpoint(tmp_path)
    remove_service_file(tmp_path / ".surehand")


def test_what_came_with_a_folder_names_no_service(tmp_path: Path) -> None:
    (tmp_path / ".surehand").mkdir()
    told = '{"socket": "/tmp/x.sock", "address": "http://127.0.0.1:1", "token": "t"}'
    (tmp_path / ".surehand" / "service.json").write_text(told, encoding="utf-8")
    with pytest.raises(ServiceGoneError, match="No service serves"):
        find_endpoint(tmp_path)


@pytest.mark.parametrize("told", [None, [], {}, {"socket": 3, "token": "t"}, {"address": "http://127.0.0.1:1"}])
def test_a_service_that_does_not_tell_where_it_is_is_none(told: object) -> None:
    with pytest.raises(ServiceGoneError):
        read_told_endpoint(told)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, BadOrderError),
        (401, NotAllowedError),
        (403, NotAllowedError),
        (404, NotThereError),
        (413, BadOrderError),
        (422, BadOrderError),
        (429, QuotaError),
        (500, HandError),
        (503, ServiceGoneError),
    ],
)
def test_an_answer_that_refuses_is_an_error_of_its_kind(status: int, kind: type[HandError]) -> None:
    problem = Problem("code", "It is refused.", "Ask again.", {"more": 1})
    error = make_error(status, problem, "7")
    assert type(error) is kind
    assert error.problem == problem
    assert str(error) == "It is refused. Ask again."
    assert getattr(error, "retry_after_s", 7) == 7
