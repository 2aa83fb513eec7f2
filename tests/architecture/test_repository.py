import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

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
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))


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


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_lock_file_has_hashes_and_names_no_place(lock: Path) -> None:
    text = lock.read_text(encoding="utf-8")
    entries = re.split(r"^(?=\S)", text, flags=re.MULTILINE)[1:]
    assert "://" not in text
    assert entries
    assert [entry.split()[0] for entry in entries if "==" not in entry or "--hash=sha256:" not in entry] == []


def read_pins(name: str) -> dict[str, str]:
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    return {canonicalize_name(match[1]): match[2] for match in re.finditer(r"^([\w.-]+)==(\S+)", text, re.MULTILINE)}


def list_requirements(lock: str) -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras: dict[str, list[str]] = project["project"]["optional-dependencies"]
    chosen = {"base": [], "dev": ["dev"], "all": list(extras)}[lock]
    return project["project"]["dependencies"] + [text for extra in chosen for text in extras[extra]]


@pytest.mark.parametrize("lock", ["base", "dev", "all"])
def test_every_declared_dependency_is_locked_within_its_bounds(lock: str) -> None:
    pins = read_pins(lock)
    wanted = [Requirement(text) for text in list_requirements(lock)]
    assert [str(r) for r in wanted if not r.specifier.contains(pins.get(canonicalize_name(r.name), "0"))] == []
    assert [str(r) for r in wanted if not r.specifier] == []


@pytest.mark.parametrize(("larger", "smaller"), [("dev", "base"), ("all", "dev")])
def test_the_lock_files_agree(larger: str, smaller: str) -> None:
    assert read_pins(smaller).items() <= read_pins(larger).items()
