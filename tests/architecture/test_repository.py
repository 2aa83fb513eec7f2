import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts.setup import locks
from tests.architecture.sources import ROOT, list_files

# Joined here, so that this file does not name them.
HOSTS = [
    ".".join(parts)
    for parts in [
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("debian", "org"),
        ("crates", "io"),
        ("golang", "org"),
    ]
]
EXAMPLE_USERS = "ada|user|me"  # people that tests and documents may make up
HOMES = re.compile(
    rf"(?<![\w.])(?:/root/|/work/|/(?:home|Users)/(?!(?:{EXAMPLE_USERS})\b)\w|[A-Z]:\\Users\\(?!(?:{EXAMPLE_USERS})\b)\w)"
)
SETS = re.findall(r"^\[(.+)\]$", locks.SETS.read_text(encoding="utf-8"), re.MULTILINE)


def read_texts() -> dict[str, str]:
    texts: dict[str, str] = {}
    for name in list_files():
        content = (ROOT / name).read_bytes()
        if b"\0" not in content and name != "tests/architecture/test_repository.py":
            texts[name] = content.decode("utf-8")
    return texts


def test_no_file_names_a_package_registry() -> None:
    assert [(name, host) for name, text in read_texts().items() for host in HOSTS if host in text] == []


def test_no_file_names_a_folder_of_one_machine() -> None:
    own = str(Path.home()) + "/"
    found = [(name, match.group()) for name, text in read_texts().items() for match in HOMES.finditer(text)]
    assert found + [(name, own) for name, text in read_texts().items() if own in text] == []


@pytest.mark.parametrize(
    ("text", "seen"),
    [("/home/bob/x", True), ("/home/ada/x", False), (r"C:\Users\bob", True), ("/root/x", True), ("a/root/x", False)],
)
def test_a_folder_of_one_machine_is_seen(text: str, seen: bool) -> None:
    assert (HOMES.search(text) is not None) == seen


@pytest.mark.parametrize("name", SETS)
def test_a_set_of_the_lock_has_hashes_and_names_no_place(name: str) -> None:
    text = locks.compose(name)
    assert "://" not in text
    assert text
    assert [
        line for line in text.splitlines() if not re.match(r"[\w.-]+==\S+ .*--hash=sha256:[0-9a-f]{64}$", line)
    ] == []


def test_the_lock_has_no_hash_that_no_set_asks_for() -> None:
    pinned = {pin.split()[0] for name in SETS for pin in locks.read_pins(name).splitlines()}
    assert pinned == set(locks.read_hashes())


def read_pins(name: str) -> dict[str, str]:
    text = locks.read_pins(name)
    return {canonicalize_name(match[1]): match[2] for match in re.finditer(r"^([\w.-]+)==(\S+)", text, re.MULTILINE)}


def list_requirements(lock: str) -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras: dict[str, list[str]] = project["project"]["optional-dependencies"]
    chosen = {"base": [], "dev": list(extras)}[lock]
    return project["project"]["dependencies"] + [text for extra in chosen for text in extras[extra]]


@pytest.mark.parametrize("lock", ["base", "dev"])
def test_every_declared_dependency_is_locked_within_its_bounds(lock: str) -> None:
    pins = read_pins(lock)
    wanted = [Requirement(text) for text in list_requirements(lock)]
    assert [str(r) for r in wanted if not r.specifier.contains(pins.get(canonicalize_name(r.name), "0"))] == []
    assert [str(r) for r in wanted if not r.specifier] == []


def test_what_a_person_gets_is_what_was_tested() -> None:
    assert read_pins("base").items() <= read_pins("dev").items()
