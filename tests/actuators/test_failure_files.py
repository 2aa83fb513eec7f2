"""Pictures of failures: by run and action, private, and not kept for ever."""

import os
import stat
import sys
from pathlib import Path

import pytest

from actuators.failure_files import remove_old_runs, write_failure_picture
from core.tools.ports import ActionContext

RUN = "r0123456789abcdef"


def test_a_picture_is_named_by_run_and_action(tmp_path: Path) -> None:
    path = write_failure_picture(tmp_path, ActionContext("g0_click_1", run_id=RUN), b"png")
    assert path == tmp_path / RUN / "g0_click_1.png"
    assert path.read_bytes() == b"png"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps rights elsewhere")
def test_it_is_for_its_owner_only(tmp_path: Path) -> None:
    path = write_failure_picture(tmp_path / "artifacts", ActionContext("a", run_id=RUN), b"png")
    assert [stat.S_IMODE(each.stat().st_mode) for each in (path, path.parent)] == [0o600, 0o700]


def test_the_oldest_runs_lose_theirs_and_nothing_else_is_touched(tmp_path: Path) -> None:
    for number in range(5):
        folder = tmp_path / f"r{number:016x}"
        folder.mkdir()
        os.utime(folder, (number, number))
    (tmp_path / "mine").mkdir()
    (tmp_path / "page.png").write_bytes(b"png")
    remove_old_runs(tmp_path, 2)
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        "mine",
        "page.png",
        "r0000000000000003",
        "r0000000000000004",
    ]
