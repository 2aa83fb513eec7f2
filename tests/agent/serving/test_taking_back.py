"""`surehand undo` and `resume` where a service runs for the folder: they go through it, for it holds the journal."""

import json
import signal
import sys

import pytest

from tests.agent.serving.conftest import Place

YES = ("--yes", "apply_diff")
PATIENCE_S = 90

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the sockets and signals of other systems")


def test_a_run_of_a_service_is_taken_back_while_another_run_of_it_is_open(place: Place) -> None:
    place.serve()
    made = json.loads(place.run("run", "create a folder named plans", *YES, "--json").out.splitlines()[-1])
    waiting = place.start(
        "run",
        f"create a folder named tools, wait until go.txt exists, at most {PATIENCE_S} seconds",
        "--session",
        "patient",
        *YES,
    )
    while not (place.folder / "tools").is_dir():
        assert waiting.poll() is None, waiting.communicate()
    shown = place.run("undo", made["run_id"], "--dry-run")
    assert (shown.code, "Can undo 1 of 1 step." in shown.out) == (0, True), shown
    assert (place.folder / "plans").is_dir()
    done = place.run("undo", made["run_id"], *YES, "--json")
    told = json.loads(done.out)
    assert [step["status"] for step in told["steps"]] == ["taken_back"], done
    assert not (place.folder / "plans").exists()
    assert waiting.poll() is None


def test_what_needs_a_yes_is_refused_where_nobody_can_be_asked_and_nothing_is_undone(place: Place) -> None:
    place.serve()
    assert place.run("run", "write 'hello' to note.txt", *YES).code == 0
    refused = place.run("undo", "last")
    assert refused.code == 3, refused
    assert "The answer was no." in refused.out
    assert (place.folder / "note.txt").read_text() == "hello"


def test_a_run_that_a_killed_service_left_is_gone_on_with_by_the_next_one(place: Place) -> None:
    process, _ = place.serve()
    wish = "create a folder named plans, wait until go.txt exists, create a folder named drafts"
    begun = place.start("run", wish, *YES)
    while not (place.folder / "plans").is_dir():
        assert begun.poll() is None, begun.communicate()
    process.send_signal(signal.SIGKILL)
    process.wait(100)
    begun.communicate(timeout=60)
    (place.folder / "go.txt").touch()
    place.serve()
    again = place.run("resume", "last", *YES)
    assert again.code == 0, again
    assert (place.folder / "drafts").is_dir()


def test_a_run_that_nobody_knows_is_refused_as_without_a_service(place: Place) -> None:
    place.serve()
    for command in ("undo", "resume"):
        refused = place.run(command, "nothing")
        assert (refused.code, "No run “nothing”" in refused.out + refused.err) == (2, True), refused
