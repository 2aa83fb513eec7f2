"""The installed command in a process of its own: pipes, signals, encodings, speed."""

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from fixtures.site_server import SiteServer
from tests.agent.conftest import PROGRAM
from tests.thoroughness import spread

Start = Callable[..., subprocess.Popen[bytes]]


def test_results_go_to_stdout_and_errors_to_stderr(start: Start) -> None:
    out, err = start("rules").communicate()
    assert out.startswith(b"browser.navigate")
    assert err == b""
    process = start("rules", "brwser")
    out, err = process.communicate()
    assert (process.returncode, out) == (2, b"")
    assert b'did you mean "browser"' in err


def test_a_reader_that_goes_away_is_no_error(start: Start) -> None:
    process = start("tools", "--json")
    assert process.stdout
    assert process.stderr
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 0


def test_an_error_that_nobody_reads_keeps_its_exit_code(start: Start) -> None:
    process = start("rules", "brwser")
    assert process.stderr
    process.stderr.close()
    assert process.wait() == 2


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no shell that closes streams")
@pytest.mark.parametrize(
    ("command", "closed", "code"),
    [
        ("run 'remember that the code is \"1\"'", ">&-", 0),
        ("context reset", "<&-", 3),
        ("context reset", "2>&-", 3),
        ("sessions list", "<&- >&- 2>&-", 0),
    ],
)
def test_streams_that_are_closed_change_no_exit_code(command: str, closed: str, code: int, tmp_path: Path) -> None:
    script = f"{shlex.quote(str(PROGRAM))} {command} {closed}"
    done = subprocess.run(["sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=100)
    assert (done.returncode, "Traceback" in done.stderr) == (code, False), done.stderr


@pytest.mark.parametrize("arguments", spread([["--json"], []], 1))
def test_a_run_goes_on_when_its_reader_goes_away(arguments: list[str], start: Start, site: SiteServer) -> None:
    process = start("run", f"go to {site.url}/shop/ and go to {site.url}/table/small", *arguments)
    assert process.stdout
    assert process.stderr
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 0
    assert site.received.requests("/table/small")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("name", spread(["SIGINT", "SIGTERM", "SIGHUP"], 1))
def test_a_signal_stops_the_run_in_order(name: str, start: Start, site: SiteServer, tmp_path: Path) -> None:
    (tmp_path / "flow.yaml").write_text(
        f"goals:\n  - browser.navigate: {{url: '{site.url}/shop/'}}\n  - browser.wait: {{text: never, timeout: 60}}\n"
        "  - browser.back: {}\n",
        encoding="utf-8",
    )
    process = start("run", "flow.yaml", "--json")
    assert process.stdout
    lines: list[bytes] = []
    while b'"g1_wait_1", "status": "started"' not in (lines or [b""])[-1]:
        lines.append(process.stdout.readline())
        assert lines[-1]
    process.send_signal(signal.Signals[name])
    out, err = process.communicate(timeout=100)
    assert (process.returncode, err) == (130, b"")
    final = json.loads(out.splitlines()[-1])
    assert (final["event"], final["outcome"]) == ("final", "cancelled")
    assert [step["result"]["status"] for step in final["steps"]] == ["ok", "cancelled", "cancelled"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
def test_a_step_whose_driver_is_killed_says_so_and_prints_no_stack(
    start: Start, site: SiteServer, tmp_path: Path
) -> None:
    waiting = "browser.expect: {selector: 'heading \"Nope\"', timeout: 60}"
    (tmp_path / "flow.yaml").write_text(f"goals:\n  - browser.navigate: {{url: '{site.url}/shop/'}}\n  - {waiting}\n")
    process = start("run", "flow.yaml", "--json")
    assert process.stdout
    while b'"g1_expect_1", "status": "started"' not in process.stdout.readline():
        assert process.poll() is None
    family = psutil.Process(process.pid).children(recursive=True)
    next(each for each in family if "run-driver" in each.cmdline()).kill()
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (1, b"")
    assert b"The page closed before" in out


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
def test_a_run_that_nohup_started_is_not_stopped_when_the_terminal_is_gone(site: SiteServer, tmp_path: Path) -> None:
    (tmp_path / "flow.yaml").write_text(
        f"goals:\n  - browser.navigate: {{url: '{site.url}/shop/'}}\n  - browser.wait: {{text: never, timeout: 1.5}}\n",
        encoding="utf-8",
    )
    command = ["nohup", str(PROGRAM), "run", "flow.yaml", "--json"]
    with subprocess.Popen(command, cwd=tmp_path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        assert process.stdout
        while b'"g1_wait_1", "status": "started"' not in process.stdout.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGHUP)
        out, _ = process.communicate(timeout=100)
    final = json.loads(out.splitlines()[-1])
    assert (process.returncode, final["outcome"]) == (1, "partial")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
def test_a_signal_ends_a_command_that_waits_for_input_with_130(start: Start) -> None:
    process = start("interpret", "--jsonl", stdin=subprocess.PIPE)
    assert process.stdin
    assert process.stdout
    process.stdin.write(b'{"id": 1, "text": "go back"}\n')
    process.stdin.flush()
    assert process.stdout.readline()
    process.send_signal(signal.SIGINT)
    process.wait(timeout=100)
    assert process.stderr
    assert (process.returncode, process.stderr.read()) == (130, b"")


def test_a_command_that_is_stopped_while_it_loads_prints_no_stack() -> None:
    script = (
        "import sys\nclass Stop:\n  def find_spec(self, name, *_):\n    if name == 'agent.cli.main': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Stop()); sys.argv[1:] = ['record', 'shop.example']\n"
        "from agent.client.launcher import main; sys.exit(main())"
    )
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, check=False, timeout=100)
    assert (done.returncode, done.stderr) == (130, b"")


def test_a_command_ends_without_freeing_what_it_has_once_all_is_written_and_who_asked_for_it_was_told() -> None:
    script = (
        "import atexit, os, sys\nfrom agent.client.launcher import main\nclass Kept:\n  def __del__(self): os.write(1, b'freed')\n"
        "kept = Kept(); sys.argv[1:] = ['rules', 'brwser']; code = main(); atexit.register(print, 'told'); sys.exit(code)"
    )
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, check=False, timeout=100)
    assert (done.returncode, done.stdout.split()) == (2, [b"told"])
    assert b'did you mean "browser"' in done.stderr


def test_lines_are_answered_while_more_are_still_to_come(start: Start) -> None:
    process = start("interpret", "--jsonl", stdin=subprocess.PIPE)
    assert process.stdin
    assert process.stdout
    for number in range(3):
        process.stdin.write(json.dumps({"id": number, "text": "go back"}).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == number
    process.stdin.close()
    assert process.stdout.read() == b""
    assert process.wait() == 0


def test_any_encoding_of_the_surroundings_gives_utf_8(start: Start) -> None:
    process = start("interpret", 'type "é 😀" into the field Name', PYTHONIOENCODING="ascii", LC_ALL="C")
    out, _ = process.communicate()
    assert json.loads(out.decode("utf-8"))["goals"][0]["params"]["text"] == "é 😀"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_no_colour_is_kept_on_a_terminal(tmp_path: Path, start: Start) -> None:
    def run_on_terminal(**environment: str) -> bytes:
        ours, theirs = os.openpty()
        command = [str(PROGRAM), "run", "--dry-run", "go to http://127.0.0.1:1/"]
        environment = os.environ | {"TERM": "xterm-256color"} | environment
        environment.pop("NO_COLOR", None) if "NO_COLOR" not in environment else None
        process = subprocess.Popen(command, cwd=tmp_path, env=environment, stdin=theirs, stdout=theirs, stderr=theirs)
        os.close(theirs)
        written = b""
        try:
            while chunk := os.read(ours, 4096):
                written += chunk
        except OSError:  # how Linux tells that the other end is closed
            pass
        os.close(ours)
        assert process.wait() == 0
        return written

    assert b"\x1b[" in run_on_terminal(NO_COLOR="")
    coloured = [b"\x1b[3%d" % number for number in range(1, 8)]
    assert not any(code in run_on_terminal(NO_COLOR="1") for code in coloured)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows counts no processor time of children")
def test_the_help_is_there_at_once() -> None:
    """Processor time stands for the wall clock, which other tests on the same machine would disturb."""
    spent_s: list[float] = []
    for _ in range(5):
        before = os.times()
        subprocess.run([str(PROGRAM), "--help"], check=True, capture_output=True)
        after = os.times()
        spent_s.append(after.children_user + after.children_system - before.children_user - before.children_system)
    assert min(spent_s) < 0.2


@pytest.mark.parametrize(
    ("command", "foreign"),
    [
        ("--help", ["rich", "pydantic", "playwright", "asyncio", "core.planner_rules"]),
        ("rules", ["rich.console", "pydantic_settings", "playwright", "ruamel"]),
        ("tools", ["rich.console", "playwright"]),
        ("interpret", ["rich.console", "pydantic_settings", "playwright", "ruamel"]),
        ("plan", ["rich.console", "typer", "playwright", "h11", "actuators.desktop.tools.windowing"]),
        ("plan", ["agent.sessions.session", "agent.sessions.undo", "core.execution.executor", "core.journal.run_rows"]),
        ("plan", ["core.language.file_clauses.reader"]),
    ],
)
def test_a_command_imports_only_what_it_needs(command: str, foreign: list[str]) -> None:
    script = (
        "import sys; sys.argv[1:] = sys.argv[1:2] + (['go to example.com and read the title'] if sys.argv[1] in ('interpret', 'plan') else [])\n"
        "from agent.client.launcher import run_command_line; run_command_line(); print(*sys.modules, file=sys.stderr)"
    )
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run(
        [sys.executable, "-c", script, command], cwd=root, capture_output=True, text=True, check=True, timeout=100
    )
    assert set(done.stderr.split()) & set(foreign) == set()


@pytest.fixture
def saving(tmp_path: Path) -> str:
    """A flow whose step needs an approval."""
    (tmp_path / "saving.yaml").write_text("goals:\n  - file.write: {path: session.json, content: one}\n")
    return "saving.yaml"


def read_until(process: subprocess.Popen[bytes], words: bytes) -> None:
    assert process.stderr
    written = b""
    while words not in written:
        chunk = os.read(process.stderr.fileno(), 4096)
        assert chunk, written
        written += chunk


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
@pytest.mark.parametrize(
    ("answer", "code"), [(b"y\n", 0), *spread([(b"Yes\n", 0), (b"n\n", 3), (b"\n", 3), (b"\x04", 3)], 2)]
)
def test_a_person_at_the_terminal_is_asked_and_anything_but_yes_is_no(
    answer: bytes, code: int, start: Start, saving: str, tmp_path: Path
) -> None:
    ours, theirs = os.openpty()
    process = start("run", saving, stdin=theirs)
    os.close(theirs)
    read_until(process, b"Create session.json")
    os.write(ours, answer)
    assert process.wait(timeout=100) == code
    os.close(ours)
    assert (tmp_path / "session.json").exists() == (code == 0)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_a_question_that_nobody_answers_can_be_stopped(start: Start, saving: str, tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    process = start("run", saving, stdin=theirs)
    os.close(theirs)
    read_until(process, b"[y/N] ")
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=100) == 130
    os.close(ours)
    assert not (tmp_path / "session.json").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows can't start without a standard input like this")
def test_a_closed_standard_input_is_nobody_to_ask(saving: str, tmp_path: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", f"exec {PROGRAM} run {saving} <&-"], cwd=tmp_path, capture_output=True, check=False, timeout=100
    )
    assert (done.returncode, done.stderr) == (3, b"")
