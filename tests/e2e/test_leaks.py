"""Sessions leave nothing behind, however they end. The long version is `scripts/chaos.py leaks`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = "import sys; sys.path[:0] = sys.argv[1:3]; import chaos_leaks; sys.exit(chaos_leaks.main(['--sessions', '10', '--json', sys.argv[3]]))"


@pytest.mark.timeout(600)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="what a process holds is read from /proc")
def test_ten_sessions_good_and_bad_leave_nothing_behind(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, str(ROOT / "scripts"), str(ROOT), str(tmp_path / "figures.json")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    figures = json.loads((tmp_path / "figures.json").read_text())["figures"]
    assert (figures["leaks"], figures["faults"], figures["sessions"]) == (0, 0, 10)
    assert {"memory_mib_slope_per_100", "objects_slope_per_100", "descriptors_slope_per_100"} <= figures.keys()
