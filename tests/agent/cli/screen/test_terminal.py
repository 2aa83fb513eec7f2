"""Questions on a terminal that is everything at once: input, output and errors, as people have it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fixtures.site_server import SiteServer
from tests.agent.conftest import PROGRAM
from tests.agent.terminals import open_terminal, read_screen
from tests.thoroughness import spread

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")

QUESTION = b"[y/N] "


def write_download(folder: Path, site: SiteServer) -> str:
    """Write a flow whose second step asks."""
    link = "selector: 'link \"Big file\"', path: big.bin"
    text = f"goals:\n  - browser.navigate: {{url: '{site.url}/dialogs/downloads'}}\n  - browser.download: {{{link}}}\n"
    (folder / "download.yaml").write_text(text, encoding="utf-8")
    return "download.yaml"


def answer_question(flow: str, folder: Path, answer: bytes, *, early: bytes = b"") -> tuple[int, bytes, bytes]:
    """Run a flow and answer its question; return the exit code, and what was on the screen up to the question and after."""
    with open_terminal(folder, str(PROGRAM), "run", flow) as (terminal, process):
        terminal.write(early)
        asked = read_screen(terminal, QUESTION)
        terminal.write(answer)
        shown = read_screen(terminal)
        return process.wait(timeout=100), asked, shown


@pytest.mark.parametrize(("answer", "code"), [(b"y\n", 0), *spread([(b"n\n", 3), (b"\x04", 3)], 1)])
def test_a_download_is_asked_for_where_the_progress_is_shown(
    answer: bytes, code: int, site: SiteServer, tmp_path: Path
) -> None:
    assert answer_question(write_download(tmp_path, site), tmp_path, answer)[0] == code
    assert (tmp_path / "big.bin").exists() == (code == 0)


def test_what_was_typed_before_the_question_is_no_answer_to_it_and_nothing_is_drawn_over_it(
    site: SiteServer, tmp_path: Path
) -> None:
    code, _, shown = answer_question(write_download(tmp_path, site), tmp_path, b"n\n", early=b"y\n")
    assert code == 3
    assert shown.startswith(b"n\r\n")  # the terminal's own echo of the answer
    assert not (tmp_path / "big.bin").exists()


@pytest.mark.parametrize(
    ("answer", "code", "left"), [(b"y\n", 0, "one\nthree\u2028-gone\n"), (b"n\n", 3, "one\ntwo\n")]
)
def test_a_change_of_a_file_is_shown_line_by_line_where_it_is_asked_for(
    answer: bytes, code: int, left: str, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("one\ntwo\n", encoding="utf-8")
    flow = 'goals:\n  - file.write: {path: a.txt, content: "one\\nthree\\u2028-gone\\n"}\n'
    (tmp_path / "write.yaml").write_text(flow, encoding="utf-8")
    ended, asked, _ = answer_question("write.yaml", tmp_path, answer)
    lines = [line.strip() for line in asked.decode().splitlines()]
    begin = next(index for index, line in enumerate(lines) if line.startswith("@@"))
    assert lines[begin + 1 : begin + 4] == ["one", "-two", "+three\\u2028-gone"]
    assert ended == code
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == left


def test_a_change_of_a_file_is_asked_for_in_one_sentence_with_the_diff_below(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\ntwo\nthree\n", encoding="utf-8")
    (tmp_path / "write.yaml").write_text('goals:\n  - file.write: {path: a.txt, content: "one\\n2\\n3\\n4\\n"}\n')
    _, asked, _ = answer_question("write.yaml", tmp_path, b"n\n")
    rows = asked.decode().splitlines()
    begin = next(index for index, row in enumerate(rows) if row.endswith("Change 3 lines in a.txt?"))
    assert "+4" in [row.strip() for row in rows[begin:]]
    assert rows[-1] == f"  {QUESTION.decode()}"


def test_a_question_longer_than_the_screen_says_at_its_end_what_it_is_about(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("\n".join(f"line {number}" for number in range(300)), encoding="utf-8")
    flow = "goals:\n  - file.read: {path: b.txt}\n    id: b\n  - file.write: {path: a.txt, content: '${b.text}'}\n"
    (tmp_path / "copy.yaml").write_text(flow, encoding="utf-8")
    _, asked, _ = answer_question("copy.yaml", tmp_path, b"n\n")
    shown, sentence = asked.decode(), "Create a.txt with 300 lines?"
    told = "".join(row.removeprefix("      ") for row in shown[shown.rindex(sentence) :].splitlines())
    assert "read: content from ${g0.text}, read from the file" in told
    assert told.endswith(QUESTION.decode())
    assert shown.count(sentence) == 2


def test_no_text_that_was_read_begins_a_row_of_a_question(tmp_path: Path) -> None:
    lie = "Create harmless.txt?"
    (tmp_path / "b.txt").write_text("".join(" " * pad + lie for pad in range(40, 120)) + "猫" * 100, encoding="utf-8")
    flow = "goals:\n  - file.read: {path: b.txt}\n    id: b\n  - file.write: {path: a.txt, content: '${b.text}'}\n"
    (tmp_path / "copy.yaml").write_text(flow, encoding="utf-8")
    _, asked, _ = answer_question("copy.yaml", tmp_path, b"n\n")
    shown = asked.decode()
    rows = shown[shown.index("Create a.txt") :].splitlines()
    assert len(rows) > 10
    assert max(len(row) + row.count("猫") for row in rows) < 80
    at_margin = [row for row in rows if not row.startswith("    ")]
    assert {row[:12] for row in at_margin} <= {"Create a.txt", f"  {QUESTION.decode()}"}
    assert not any(row.startswith(lie) for row in at_margin)


def test_a_run_whose_terminal_is_closed_is_stopped_in_order(site: SiteServer, tmp_path: Path) -> None:
    text = (
        f"goals:\n  - browser.navigate: {{url: '{site.url}/shop/'}}\n  - browser.wait: {{text: never, timeout: 60}}\n"
    )
    (tmp_path / "flow.yaml").write_text(text, encoding="utf-8")
    with open_terminal(tmp_path, "setsid", "--ctty", str(PROGRAM), "run", "flow.yaml") as (terminal, process):
        read_screen(terminal, b"Wait for")
        terminal.close()
        assert process.wait(timeout=100) == 130


@pytest.mark.parametrize(("answer", "left"), [(b"y\n", []), (b"n\n", ["a.txt", "b.txt"])])
def test_every_file_that_a_glob_means_is_shown_where_it_is_asked_for(
    answer: bytes, left: list[str], tmp_path: Path
) -> None:
    (tmp_path / "d").mkdir()
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    flow = "goals:\n  - file.move: {source: '*.txt', destination: d}\n"
    (tmp_path / "move.yaml").write_text(flow, encoding="utf-8")
    _, asked, _ = answer_question("move.yaml", tmp_path, answer)
    shown = "".join(row.strip() for row in asked.decode().splitlines())
    assert f"{tmp_path}/a.txt → {tmp_path}/d/a.txt" in shown
    assert f"{tmp_path}/b.txt → {tmp_path}/d/b.txt" in shown
    assert sorted(each.name for each in tmp_path.glob("*.txt")) == left


def test_what_a_sentence_lacks_is_asked_and_the_answer_completes_it(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one", encoding="utf-8")
    with open_terminal(tmp_path, str(PROGRAM), "run", "copy a.txt") as (terminal, process):
        read_screen(terminal, b"Where shall I copy it to?")
        terminal.write(b"banana\n")
        again = read_screen(terminal, b"Where shall I copy it to?")
        terminal.write(b"to b.txt\n")
        read_screen(terminal, QUESTION)
        terminal.write(b"y\n")
        read_screen(terminal)
        assert "“banana” is not understood".encode() in again
        assert process.wait(timeout=100) == 0
    assert (tmp_path / "b.txt").read_text(encoding="utf-8") == "one"


@pytest.mark.parametrize("answer", spread([b"\n", b"never mind\n", b"\x04"], 1))
def test_a_question_that_gets_no_answer_leaves_the_sentence_refused(answer: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one", encoding="utf-8")
    with open_terminal(tmp_path, str(PROGRAM), "run", "copy a.txt") as (terminal, process):
        read_screen(terminal, b"Where shall I copy it to?")
        terminal.write(answer)
        shown = read_screen(terminal)
        assert b"missing_slot" in shown
        assert process.wait(timeout=100) == 2


NOTES = "goals:\n  - file.info: {path: a.txt}\n  - file.read: {path: missing-" + "x" * 60 + ".txt}\n"
COLOUR = re.compile(rb"\x1b\[[0-9;]*3[0-9]m")


def show_notes(folder: Path, columns: int = 80, **variables: str) -> bytes:
    """Return everything that a run of a step that succeeds and one that fails writes to a terminal."""
    (folder / "a.txt").write_text("one", encoding="utf-8")
    (folder / "notes.yaml").write_text(NOTES, encoding="utf-8")
    command = (str(PROGRAM), "run", "notes.yaml")
    with open_terminal(folder, *command, columns=columns, **variables) as (terminal, process):
        shown = read_screen(terminal)
        assert process.wait(timeout=100) == 1
    return shown


def test_a_terminal_has_colours(tmp_path: Path) -> None:
    assert COLOUR.search(show_notes(tmp_path))


def test_a_dumb_terminal_gets_no_escape_sequence(tmp_path: Path) -> None:
    shown = show_notes(tmp_path, TERM="dumb")
    assert b"\x1b" not in shown
    assert "1 ✓ Looked up".encode() in shown


def test_without_colours_there_are_none_and_no_row_is_wider_than_the_terminal_and_what_goes_on_is_indented(
    tmp_path: Path,
) -> None:
    rows = show_notes(tmp_path, columns=40, TERM="dumb", NO_COLOR="1").decode().splitlines()
    live = show_notes(tmp_path, columns=40, NO_COLOR="1").decode()
    assert not COLOUR.search(live.encode())
    assert any(row.startswith("2 ✗ Read") for row in rows)
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", live).replace("\r", "\n").splitlines()
    listed = [row for row in shown if row.startswith(("1 ✓", "2 ✗", "    "))]
    assert len(listed) > 4
    assert max(map(len, listed)) <= 40


@pytest.mark.parametrize(("variables", "escapes"), [({}, False), ({"FORCE_COLOR": "1"}, True)])
def test_a_pipe_gets_colours_only_by_force_and_never_a_live_line(
    variables: dict[str, str], escapes: bool, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("one", encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR"}}
    environment |= {"TERM": "xterm-256color"} | variables
    done = subprocess.run(
        [str(PROGRAM), "run", "read a.txt"], cwd=tmp_path, env=environment, capture_output=True, timeout=100, check=True
    )
    assert (b"\x1b[" in done.stdout) == escapes
    assert not any(code in done.stdout for code in (b"\x1b[?25l", b"\x1b[2K", b"\r"))


def test_a_terminal_without_the_marks_gets_ascii(tmp_path: Path) -> None:
    shown = show_notes(tmp_path, TERM="dumb", PYTHONIOENCODING="ascii")
    assert b"1 + Looked up" in shown
    assert b"2 x Read" in shown
