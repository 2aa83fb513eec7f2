"""Runs every check, each with its time: `.venv/bin/python scripts/check.py [--fix] [--skip NAME]`. Ends with 1 when any failed.

With `--structure` it prints how the house stands instead: weight, folders, floors, chains of imports, circles, names; `--root FOLDER` of another checkout.
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the scripts import each other from the root

from scripts.checks.structure import House, describe

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent


def list_checks(*, fix: bool) -> dict[str, list[str]]:
    """Return the checks by name, in the order in which they run."""
    python = sys.executable
    return {
        "format": [str(BIN / "ruff"), "format", *([] if fix else ["--check"]), "."],
        "lint": [str(BIN / "ruff"), "check", *(["--fix"] if fix else []), "."],
        "types": [str(BIN / "pyright")],
        "imports": [str(BIN / "lint-imports"), "--no-cache"],
        "js lint": [python, "scripts/engine.py", "lint", *(["--fix"] if fix else [])],
        "js types": [python, "scripts/engine.py", "types"],
        "js built": [python, "scripts/engine.py", "build" if fix else "check"],
        "docs": [python, "scripts/docs.py", *([] if fix else ["--check"])],
        "sizes": [python, "-m", "pytest", "-q", "tests/architecture"],
    }


def run_check(name: str, command: list[str]) -> bool:
    """Run one check; print its output only when it fails, and return whether it passed."""
    start = time.monotonic()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    passed = done.returncode == 0
    if not passed:
        print(done.stdout + done.stderr)
    print(f"{'ok    ' if passed else 'FAILED'} {name:8} {time.monotonic() - start:6.1f} s", flush=True)
    return passed


def main() -> int:
    """Run all checks, so that one run shows all that is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fix", action="store_true", help="format, and mend what can be mended without thought")
    parser.add_argument("--skip", action="append", default=[], metavar="NAME", help="leave a check out")
    parser.add_argument("--structure", action="store_true", help="print how the house stands, and check nothing")
    parser.add_argument("--root", type=Path, default=ROOT, help="of another checkout, for --structure")
    asked = parser.parse_args()
    if asked.structure:
        print(describe(House(asked.root)))
        return 0
    checks = {name: each for name, each in list_checks(fix=asked.fix).items() if name not in asked.skip}
    results = [run_check(name, command) for name, command in checks.items()]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
