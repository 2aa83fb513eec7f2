"""`surehand service questions`: what runs of others ask is answered by the person at the terminal, who sees who asks."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.agent.conftest import PROGRAM
from tests.agent.serving.conftest import Place
from tests.agent.terminals import open_terminal, read_screen

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")

GUEST = '[service.principals.kitchen]\nscopes = ["read", "run"]\n'
WRITE = {"domain": "file", "verb": "write", "params": {"path": "workspace:/notes.txt", "content": "milk\n"}}


@pytest.fixture
def guest(place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[httpx.Client]:
    """What a guest who can't approve reaches the service with; a run of theirs waits for a yes."""
    folder = tmp_path / "config" / "surehand"
    folder.mkdir(mode=0o700, parents=True)
    (folder / "settings.toml").write_text(GUEST, encoding="utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder.parent))
    token = place.run("service", "token", "kitchen").out.strip()
    _, found = place.serve()
    theirs = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=found["address"], trust_env=False, timeout=60, headers=theirs) as client:
        run_id = client.post("/v1/runs", json={"goals": [WRITE], "session": "main"}).raise_for_status().json()["run_id"]
        while not client.get("/v1/questions").json():
            assert client.get(f"/v1/runs/{run_id}").json()["status"] != "ended"
        yield client


@pytest.mark.parametrize(("answer", "outcome"), [(b"y\n", "success"), (b"n\n", "failed")])
def test_a_guests_question_is_answered_at_the_terminal(
    answer: bytes, outcome: str, guest: httpx.Client, place: Place
) -> None:
    (listed,) = json.loads(place.run("service", "questions", "--json").out)
    assert (listed["asker"], listed["session"], listed["needs_person"]) == ("kitchen", "main", False)
    assert place.run("service", "questions").out.startswith("kitchen, session main: Write")
    with open_terminal(place.folder, str(PROGRAM), "service", "questions") as (terminal, process):
        asked = read_screen(terminal, b"[y/N] ")
        terminal.write(answer)
        read_screen(terminal)
        assert process.wait(60) == 0
    assert b"kitchen, session main:" in asked
    assert b"Create notes.txt with 1 line?" in asked
    record = guest.get(f"/v1/runs/{listed['run_id']}", params={"wait": "true"}).json()
    assert record["outcome"] == outcome
    assert (place.folder / "notes.txt").exists() == (outcome == "success")
    assert place.run("service", "questions").out == "Nothing is asked.\n"


def test_a_guests_question_is_answered_in_a_chat(guest: httpx.Client, place: Place) -> None:
    with open_terminal(place.folder, str(PROGRAM), "chat") as (terminal, process):
        read_screen(terminal, b"Ctrl+D ends.")
        terminal.write(b"/questions\n")
        assert b"kitchen, session main:" in read_screen(terminal, b"[y/N] ")
        terminal.write(b"y\n")
        while not (place.folder / "notes.txt").exists():
            assert process.poll() is None
        terminal.write(b"/quit\n")
        read_screen(terminal)
        assert process.wait(60) == 0


def test_where_no_service_runs_nothing_is_asked(place: Place) -> None:
    said = place.run("service", "questions")
    assert (said.code, said.out) == (1, "No service runs for this folder.\n")
