"""Sessions leave nothing behind, however they end. The long version is `scripts/chaos.py leaks`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.thoroughness import spread

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = "import sys; from scripts.chaos_trials import leaks; sys.exit(leaks.main(['--sessions', '10', '--json', sys.argv[1]]))"


@pytest.mark.timeout(600)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="what a process holds is read from /proc")
def test_ten_sessions_good_and_bad_leave_nothing_behind(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "figures.json")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    figures = json.loads((tmp_path / "figures.json").read_text())["figures"]
    assert (figures["leaks"], figures["faults"], figures["sessions"]) == (0, 0, 10)
    assert {"memory_mib_slope_per_100", "objects_slope_per_100", "descriptors_slope_per_100"} <= figures.keys()


LEAKING = """
import os, sys
from scripts.chaos_trials import leaks
from scripts.chaos_trials.leak_sessions import do_files

class Kept:
    pass

kept = []

async def leak(where):
    await do_files(where)
    if sys.argv[1] == "descriptors":
        kept.append(os.open(os.devnull, os.O_RDONLY))
    elif sys.argv[1] == "objects":
        kept.extend(Kept() for _ in range(200))
    elif sys.argv[1] == "memory_mib":
        kept.append(bytes(1 << 20))

leaks.SCENES = {"files": leak, "everything": do_files}
sys.exit(leaks.main(["--sessions", "24"]))
"""


@pytest.mark.timeout(300)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="what a process holds is read from /proc")
@pytest.mark.parametrize("what", ["nothing", *spread(["descriptors", "objects", "memory_mib"], 1)])
def test_what_every_session_leaves_a_little_of_is_found_and_named(what: str) -> None:
    command = [sys.executable, "-c", LEAKING, what]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    grew = [line for line in done.stdout.splitlines() if line.startswith("grows: ")]
    if what == "nothing":
        assert (done.returncode, grew) == (0, []), done.stdout + done.stderr[-2000:]
        return
    assert done.returncode == 1
    assert any(line.startswith(f"grows: {what.replace('_', ' ')} by ") for line in grew), done.stdout
    assert ("more of __main__.Kept" in done.stdout) == (what == "objects")
