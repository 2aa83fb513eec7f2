"""Reads the lock: `requirements/sets.txt` says which packages each set holds, `requirements/hashes.txt` has the hashes of each package once.

pip and uv are given a requirements file that is put together of both. Standard library only, as the bootstrap is; `scripts/lock.py` renews the two.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Generator
from pathlib import Path

SETS = Path(__file__).resolve().parents[2] / "requirements" / "sets.txt"
HASHES = SETS.with_name("hashes.txt")


def read_pins(name: str) -> str:
    """Return the packages of a set, one a line, each with its version and where it is needed."""
    return SETS.read_text(encoding="utf-8").partition(f"[{name}]\n")[2].partition("\n\n")[0]


def read_hashes() -> dict[str, list[str]]:
    """Return the hashes of each package, by name and version."""
    blocks = HASHES.read_text(encoding="utf-8").replace("\n    ", " ").splitlines()
    return {block.split()[0]: block.split()[1:] for block in blocks}


def compose(name: str) -> str:
    """Return a set as a requirements file with hashes. What has none gets none, so that whoever installs refuses it."""
    known = read_hashes()
    lines: list[str] = []
    for pin in read_pins(name).splitlines():
        hashes = known.get(pin.partition(" ")[0], [])
        lines.append(" ".join([pin, *(f"--hash=sha256:{each}" for each in hashes)]) + "\n")
    return "".join(lines)


@contextlib.contextmanager
def write_requirements(*names: str) -> Generator[str]:
    """Give the path of a requirements file that holds these sets, as long as the context lasts."""
    with tempfile.TemporaryDirectory(prefix="surehand-lock-") as folder:
        file = Path(folder, "-".join(names) + ".txt")
        file.write_text("".join(map(compose, names)), encoding="utf-8")
        yield str(file)
