"""Debian's `rust-doc`: the one that is installed, or the two pages and their furniture out of its package, kept under `build/`."""

import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import IO

from scripts.benchmarks.environment import BUILD
from scripts.benchmarks.looks.tools import MissingToolError

PACKAGE = "rust-doc"
INSTALLED = Path("/usr/share/doc/rust-doc/html")
SMALL = "std/ffi/struct.OsString.html"
LARGE = "std/iter/trait.Iterator.html"
"""Of about 290 and 730 KB in Debian 12."""


def find_documentation() -> Path:
    """Return the folder of the documentation.

    Raises:
        MissingToolError: If it isn't installed, and the package can't be fetched.
    """
    if (INSTALLED / LARGE).exists():
        return INSTALLED
    folder = BUILD / PACKAGE
    if not (folder / LARGE).exists():
        fetch_documentation(folder)
    return folder


def fetch_documentation(folder: Path) -> None:
    """Fetch the package, and take out of it what the two pages need; nothing is installed.

    Args:
        folder: Where to.

    Raises:
        MissingToolError: If it can't be fetched.
    """
    if not shutil.which("apt-get") or not shutil.which("dpkg-deb"):
        raise MissingToolError(f"{PACKAGE} is a package of Debian's, and this is another system")
    print(f"fetching {PACKAGE}", flush=True)
    with tempfile.TemporaryDirectory(prefix="surehand-bench-") as place:
        command = ["apt-get", "download", "-o", "APT::Sandbox::User=root", PACKAGE]
        done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
        packages = list(Path(place).glob("*.deb"))
        if not packages:
            raise MissingToolError(f"{PACKAGE} can't be fetched: {done.stderr.strip()[-300:]}")
        with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(packages[0])], stdout=subprocess.PIPE) as unpacking:
            assert unpacking.stdout
            take_pages(unpacking.stdout, folder)
    if not (folder / LARGE).exists():
        raise MissingToolError(f"this {PACKAGE} has no {LARGE}")


def take_pages(stream: IO[bytes], folder: Path) -> None:
    """Write the two pages and what lies beside the front page into a folder.

    Args:
        stream: The package's files, as tar.
        folder: Where to.
    """
    within = "." + str(INSTALLED) + "/"
    with tarfile.open(fileobj=stream, mode="r|") as archive:
        for member in archive:
            name = member.name.removeprefix(within)
            if name == member.name or not member.isfile() or ("/" in name and name not in {SMALL, LARGE}):
                continue
            content = archive.extractfile(member)
            assert content
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content.read())
