"""The chat on a terminal of its own, as a person has it."""

import os
import re
import select
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from pathlib import Path

import pytest

from fixtures.site_server import SiteServer
from tests.agent.cli.screen.test_terminal import open_terminal
from tests.agent.conftest import PROGRAM, Command

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")

ESCAPES = re.compile(rb"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07]*\x07|[=>]|[()][A-Z0-9])")
UP, TAB, STOP, END, CLEAR = "\x1b[A", "\t", "\x03", "\x04", "\x15"
READY = "›"
_SILENCE_S = 100.0


@dataclass
class Talk:
    """A person at a chat.

    Attributes:
        terminal: Their end of the terminal.
    """

    terminal: FileIO

    def wait(self, *until: str) -> str:
        """Return what is written until all these words stand there in this order, without the escapes that draw it."""
        written = b""
        while not _stand_in(shown := ESCAPES.sub(b"", written).decode(errors="replace"), until):
            ready, _, _ = select.select([self.terminal], [], [], _SILENCE_S)
            assert ready, f"{until} was not written, but {shown}"
            written += os.read(self.terminal.fileno(), 4096)
        return shown

    def type(self, keys: str) -> None:
        """Type keys."""
        self.terminal.write(keys.encode())

    def say(self, line: str, *until: str) -> str:
        """Type a line and return what is written until these words stand there, and then the next prompt."""
        self.type(f"{line}\r")
        return self.wait("\n", *until)  # the prompt is drawn once more before the line ends


def _stand_in(shown: str, words: tuple[str, ...]) -> bool:
    place = 0
    for each in words:
        place = shown.find(each, place)
        if place < 0:
            return False
        place += len(each)
    return True


@contextmanager
def open_chat(
    folder: Path, ending: str = END, session: str = "main", *options: str, home: Path | None = None
) -> Generator[Talk]:
    """Open a chat of whoever has that home, and end it by ctrl-D or some keys; it must end well."""
    with open_terminal(
        folder,
        "setsid",
        "--ctty",
        str(PROGRAM),
        "chat",
        "--session",
        session,
        *options,
        columns=200,
        PROMPT_TOOLKIT_NO_CPR="1",
        XDG_CONFIG_HOME=str((home or folder) / "config"),
    ) as (terminal, process):
        talk = Talk(terminal)
        talk.wait(READY)
        yield talk
        talk.type(ending)
        assert process.wait(timeout=100) == 0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of all chats here, so that one service is enough for them."""
    return tmp_path_factory.mktemp("chats")


@pytest.fixture(scope="module")
def talk(folder: Path) -> Iterator[Talk]:
    """A chat that goes on from test to test."""
    with open_chat(folder) as talk:
        yield talk


def test_what_is_said_is_done_and_may_refer_to_what_was_said_before(talk: Talk, site: SiteServer, folder: Path) -> None:
    shown = talk.say(f"open {site.url}/shop/item/blue-mug", "1 ✓ Opened", READY)
    assert "I opened" in shown
    assert "Blue mug" in talk.say("read the title", "1 ✓ Read the title", READY)
    saved = talk.say("/save mug.yaml", "Saved mug.yaml", READY)
    assert "surehand run mug.yaml" in saved
    flow = (folder / "mug.yaml").read_text(encoding="utf-8")
    assert "browser.navigate" in flow
    assert "browser.read" in flow


def test_a_change_is_shown_and_asked_and_taken_back(folder: Path) -> None:
    notes = folder / "notes.txt"
    notes.write_text("one\ntwo\n", encoding="utf-8")
    with open_chat(folder, session="changing") as talk:
        asked = talk.say('replace "two" by "three" in notes.txt', "[y/N] ")
        assert "-two" in asked
        assert "+three" in asked
        talk.say("y", "✓ Edited", READY)
        assert notes.read_text(encoding="utf-8") == "one\nthree\n"
        talk.say("/undo", "[y/N] ")
        talk.say("y", READY)
        assert notes.read_text(encoding="utf-8") == "one\ntwo\n"
        refused = talk.say("/save notes.yaml", "Nothing was done yet", READY)
        assert "flow_not_writable" in refused


def test_a_no_leaves_everything_as_it_was(talk: Talk, folder: Path) -> None:
    talk.say('write "hello" to never.txt', "[y/N] ")
    talk.say("n", "⊘", READY)
    assert not (folder / "never.txt").exists()


def test_what_a_sentence_lacks_is_asked_and_the_next_line_answers(talk: Talk, folder: Path) -> None:
    (folder / "a.txt").write_text("one", encoding="utf-8")
    talk.say("copy a.txt", "Where shall I copy it to?", "…")
    talk.say("to b.txt", "[y/N] ")
    talk.say("y", "✓ Copied", READY)
    assert (folder / "b.txt").read_text(encoding="utf-8") == "one"


def test_ctrl_c_stops_what_goes_on_and_the_chat_goes_on(site: SiteServer, talk: Talk) -> None:
    talk.say(f'open {site.url}/shop/ and wait for the text "never"', "Wait for")
    talk.type(STOP)
    assert "I was stopped" in talk.wait("I was stopped", READY)
    talk.type("half a sentence")
    talk.type(STOP)
    talk.wait(READY)
    talk.say("/status", "stopped", READY)


def test_a_chat_in_a_language_understands_what_shows_no_sign_of_it(site: SiteServer, folder: Path) -> None:
    with open_chat(folder, END, "german", "--language", "de") as talk:
        assert "I opened" in talk.say(f"öffne {site.url}/shop/item/blue-mug", "1 ✓ Opened", READY)


def test_a_language_that_there_is_not_is_refused(surehand: Command, tmp_path: Path) -> None:
    for command in (("chat", "--workspace", str(tmp_path)), ("wyoming", "--uri", "tcp://127.0.0.1:0")):
        said = surehand(*command, "--language", "xx")
        assert said.code == 2
        assert "--language takes en, de" in said.err or "terminal" in said.err


def test_a_plan_is_shown_and_nothing_done(site: SiteServer, talk: Talk) -> None:
    shown = talk.say(f"/plan open {site.url}/shop/ and read the title", "2 Read", READY)
    assert "1 Open" in shown
    assert list(site.received) == []


def test_the_page_is_looked_at_and_its_names_are_completed(site: SiteServer, folder: Path) -> None:
    with open_chat(folder, session="looking") as talk:
        talk.say("/look", "No page is open", READY)
        talk.say(f"open {site.url}/shop/", "✓ Opened", READY)
        assert 'link "Catalogue"' in talk.say("/look", 'link "Catalogue"', READY)
        talk.type(f"click Cata{TAB}")
        talk.wait("on the page")
        talk.say("", "✓ Clicked", READY)


def test_orders_verbs_and_files_are_completed(talk: Talk, folder: Path) -> None:
    (folder / "unmistakable.txt").write_text("one", encoding="utf-8")
    talk.type(f"/he{TAB}")
    talk.wait("/he", "lp")
    talk.say("", "/undo", "take the last run back", READY)
    talk.type(f"read unmis{TAB}")
    talk.wait("unmis", "takable.txt")
    talk.say("", "✓ Read", READY)
    talk.type(f"screensh{TAB}")
    talk.wait("screensh", "ot")
    talk.type(CLEAR)


def test_lines_are_kept_for_the_next_chat_but_for_those_with_passwords(folder: Path, tmp_path: Path) -> None:
    with open_chat(folder, session="kept", home=tmp_path) as talk:
        talk.say("/status", "Nothing is running", READY)
        talk.say("my password is s3cret", "not understood", READY)
    history = tmp_path / "config" / "surehand" / "chat_history"
    assert history.read_text(encoding="utf-8") == "/status\n"
    assert history.stat().st_mode & 0o777 == 0o600
    with open_chat(folder, session="kept", home=tmp_path) as talk:
        talk.type(UP)
        talk.wait("/status")
        talk.say("", "Nothing is running", READY)


def test_quit_ends_the_chat_and_an_unknown_order_does_not(folder: Path) -> None:
    with open_chat(folder, "/quit\r", "quitting") as talk:
        talk.say("/unknown", "is not an order", READY)


def test_a_chat_without_a_terminal_is_refused(surehand: Command) -> None:
    said = surehand("chat")
    assert (said.code, said.out) == (2, "")
    assert "needs a terminal" in said.err
