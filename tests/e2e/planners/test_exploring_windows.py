"""`surehand explore` as people have it: a person at a terminal, a model over HTTP, and programs of others on a desktop."""

import os
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path

import pytest

from fixtures.machine.desktop import PrivateDesktop
from fixtures.model_server import ModelServer
from fixtures.site_server import SiteServer
from tests.agent.conftest import PROGRAM
from tests.agent.planners.exploring import call, propose
from tests.agent.terminals import open_terminal, read_screen

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")

QUESTION = b"[y/N] "


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture
def person(server: ModelServer, tmp_path: Path) -> dict[str, str]:
    """The environment of a person who has one model."""
    folder = tmp_path / "config" / "surehand"
    folder.mkdir(parents=True)
    (folder / "settings.toml").write_text(
        f'[models.small]\nprovider = "openai"\nmodel = "m"\nbase_url = "{server.root}/v1"\nkey = "secret:model_key"\n'
    )
    return {"XDG_CONFIG_HOME": str(tmp_path / "config"), "SUREHAND_SECRET_MODEL_KEY": "sk-0123456789"}


@contextmanager
def open_program(desk: PrivateDesktop, title: str, *command: str) -> Generator[None]:
    """Run a program of others as long as needed, from when its window is there."""
    program = desk.open(*command)
    try:
        sought = ["xdotool", "search", "--sync", "--onlyvisible", "--name", title]
        subprocess.run(sought, env=desk.environ, check=True, timeout=30, stdout=subprocess.DEVNULL)
        yield
    finally:
        desk.end(program)


def answer_all(terminal: FileIO, answer: bytes = b"y\n") -> str:
    """Answer every question until the program ends, and return all that was on the screen."""
    shown = b""
    while True:
        try:
            read = os.read(terminal.fileno(), 4096)
        except OSError:  # how Linux tells that the other end is closed
            return shown.decode()
        shown += read
        if shown.endswith(QUESTION):
            terminal.write(answer)


def explore(task: str, *places: str) -> tuple[str, ...]:
    return (str(PROGRAM), "explore", task, *places, "--model", "small")


def test_a_note_is_written_and_the_flow_that_is_left_writes_it_again(
    desk: PrivateDesktop, server: ModelServer, person: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "note.txt").write_text("", encoding="utf-8")
    server.answer(propose(call("desktop.type", text="milk, bread", target="textbox")))
    server.answer(propose(call("desktop.press", keys="ctrl+s", window="Terminal")))
    server.answer(propose(is_done=True, why="It is written."))
    command = explore("Write milk, bread into the note", "--window", "note.txt")
    opened = ("mousepad", "--disable-server", str(tmp_path / "note.txt"))
    with open_program(desk, "note", *opened):
        with open_terminal(tmp_path, *command, "-o", "note.yaml", columns=80, **{**desk.environ, **person}) as (
            terminal,
            process,
        ):
            shown = answer_all(terminal)
            assert process.wait(timeout=60) == 0, shown
        assert "that a model wrote" in shown
        assert (tmp_path / "note.txt").read_text().strip() == "milk, bread"
    (tmp_path / "note.txt").write_text("", encoding="utf-8")
    flow = (tmp_path / "note.yaml").read_text()
    assert '"note.txt"' in flow.partition("goals:")[0]
    with open_program(desk, "note", *opened):
        with open_terminal(tmp_path, str(PROGRAM), "run", "note.yaml", columns=80, **desk.environ) as (
            terminal,
            process,
        ):
            shown = answer_all(terminal)
            assert process.wait(timeout=60) == 0, shown
        assert (tmp_path / "note.txt").read_text().strip() == "milk, bread"


def test_a_sum_is_worked_out_and_other_windows_are_out_of_reach(
    desk: PrivateDesktop, server: ModelServer, person: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "diary.txt").write_text("private", encoding="utf-8")
    server.answer(propose(call("desktop.type", text="owned", target="textbox", window="diary.txt")))
    server.answer(propose(call("desktop.focus_window", window="diary.txt"), call("desktop.press", keys="Escape")))
    server.answer(propose(call("desktop.read", window="diary.txt")))
    server.answer(propose(*(call("desktop.invoke", target=f'button "{key}"') for key in "7+8=")))
    server.answer(propose(is_done=True, why="It is 15."))
    command = explore("What is 7 and 8?", "--window", "galculator", "--verbose")
    with (
        open_program(desk, "diary", "mousepad", "--disable-server", str(tmp_path / "diary.txt")),
        open_program(desk, "galculator", "galculator"),
        open_terminal(tmp_path, *command, columns=200, **{**desk.environ, **person}) as (terminal, process),
    ):
        shown = answer_all(terminal)
        assert process.wait(timeout=60) == 0, shown
    told = [asked.text for asked in server.asked]
    assert "15" in told[-1].rpartition("outline")[2]
    assert "private" not in "".join(told), "what another window shows went to the model"
    assert "in the window galculator" in shown
    assert "in the window diary" not in shown
    assert (tmp_path / "diary.txt").read_text() == "private", shown


def test_a_person_at_a_terminal_sees_each_act_and_says_no(
    site: SiteServer, server: ModelServer, person: dict[str, str], tmp_path: Path
) -> None:
    server.answer(propose(call("browser.click", selector='button "Add to basket"')))
    server.answer(propose(is_done=True, why="I may not."))
    command = explore("Buy it", f"{site.url}/shop/item/blue-mug")
    with open_terminal(tmp_path, *command, columns=80, **person) as (terminal, process):
        shown = answer_all(terminal, b"n\n")
        assert process.wait(timeout=60) == 3, shown
    assert 'Click button "Add to basket"' in shown
    assert site.received.requests("/shop/basket/add") == []


def test_an_exploration_is_stopped_by_ctrl_c(
    site: SiteServer, server: ModelServer, person: dict[str, str], tmp_path: Path
) -> None:
    server.answer(propose(call("browser.wait", text="never", timeout=60)))
    command = explore("Wait", f"{site.url}/shop/", "--verbose")
    with open_terminal(tmp_path, "setsid", "--ctty", *command, columns=80, **person) as (terminal, process):
        server.arrived.wait(timeout=60)
        terminal.write(b"\x03")
        shown = read_screen(terminal)
        assert process.wait(timeout=30) == 130, shown


@pytest.mark.parametrize(
    ("places", "told"),
    [
        ((), "Name the address where it begins, or windows with --window."),
        (("127.0.0.1:1/", "--window", "x"), "on pages or in windows"),
        (("--window", " "), "--window needs a title."),
        (("--window", "Nobody has this"), "window_missing"),
    ],
)
def test_where_it_is_done_is_said_in_one_way(
    places: tuple[str, ...], told: str, desk: PrivateDesktop, person: dict[str, str], tmp_path: Path
) -> None:
    with open_terminal(tmp_path, *explore("Do it", *places), columns=200, **{**desk.environ, **person}) as (
        terminal,
        process,
    ):
        shown = answer_all(terminal)
        assert process.wait(timeout=60) in (1, 2)
    assert told in shown
