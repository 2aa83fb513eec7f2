"""Log files: bounded, private, and shared by several processes."""

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from agent.telemetry.log_files import LogFile

ROOT = Path(__file__).resolve().parents[3]


def read_lines(folder: Path) -> list[str]:
    return [line for file in sorted(folder.glob("log.jsonl*")) for line in file.read_text().splitlines()]


def test_nothing_is_made_before_the_first_line(tmp_path: Path) -> None:
    LogFile(tmp_path / "logs" / "log.jsonl").close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps rights elsewhere")
def test_file_and_folder_are_for_their_owner_only(tmp_path: Path) -> None:
    file = LogFile(tmp_path / "logs" / "log.jsonl")
    file.write("one")
    file.close()
    modes = [stat.S_IMODE(each.stat().st_mode) for each in (tmp_path / "logs", tmp_path / "logs" / "log.jsonl")]
    assert modes == [0o700, 0o600]


def test_lines_are_kept_in_order_over_closing_and_opening_again(tmp_path: Path) -> None:
    for text in ("one", "two"):
        file = LogFile(tmp_path / "log.jsonl")
        file.write(text)
        file.close()
    assert (tmp_path / "log.jsonl").read_text() == "one\ntwo\n"


def test_full_files_are_put_aside_and_the_oldest_go(tmp_path: Path) -> None:
    file = LogFile(tmp_path / "log.jsonl", most_bytes=100, kept=2)
    for number in range(100):
        file.write(f"{number:03} {'x' * 20}")
    file.close()
    files = sorted(each.name for each in tmp_path.glob("log.jsonl*"))
    assert files == ["log.jsonl", "log.jsonl.1", "log.jsonl.2"]
    assert all((tmp_path / name).stat().st_size <= 100 for name in files)
    assert (tmp_path / "log.jsonl").read_text().splitlines()[-1].startswith("099")


def test_two_processes_share_a_file_and_lose_no_line(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from agent.telemetry.log_files import LogFile\n"
        "file = LogFile(Path(sys.argv[1]), most_bytes=2000, kept=50)\n"
        "for number in range(300): file.write(f'{sys.argv[2]} {number}')\n"
        "file.close(20)"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "log.jsonl")]
    both = [subprocess.Popen([*command, name], cwd=ROOT) for name in ("a", "b")]
    assert [each.wait(60) for each in both] == [0, 0]
    assert sorted(read_lines(tmp_path)) == sorted(f"{name} {number}" for name in "ab" for number in range(300))


def test_a_file_that_cannot_be_opened_costs_lines_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").mkdir()
    file = LogFile(tmp_path / "log.jsonl")
    file.write("one")
    file.close()
    assert file.dropped == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no O_NOFOLLOW")
def test_a_link_in_the_place_of_the_file_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("mine")
    (tmp_path / "log.jsonl").symlink_to(tmp_path / "precious")
    file = LogFile(tmp_path / "log.jsonl")
    file.write("one")
    file.close()
    assert (tmp_path / "precious").read_text() == "mine"
