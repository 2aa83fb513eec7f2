"""Which tests a change reaches, and over how many imports: the nearest first.

Imports come from grimp. What they don't show is added: modules that are named in strings (imported late, or started as programs), the
conftest whose fixtures a test asks for, files that are named by their names, and the rows of `unseen.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import takewhile
from pathlib import Path, PurePosixPath

import grimp

PACKAGES = ("core", "actuators", "agent", "tests", "fixtures", "scripts")
TABLE = Path(__file__).with_name("unseen.toml")
SEEDED = 1
"""How far what reads a file that isn't Python is from it."""
SHARED_ROOM = 0.6
"""How many imports nearer a test is for each folder that it shares with what changed."""
_STRING = re.compile(r"""["']([A-Za-z_][\w.]*\.[\w.]*\w)["']""")
_FIXTURE = re.compile(r"@pytest\.fixture[^\n]*\n(?:@[^\n]*\n)*\s*(?:async )?def (\w+)")
_TEST = re.compile(r"tests/(?!windows/).*test_[^/]+\.py|tests/test_[^/]+\.py")


class Reach:
    """What leads to what in a tree."""

    def __init__(self, root: Path, table: Path = TABLE) -> None:
        """Read the tree.

        Args:
            root: Where it is.
            table: What imports don't show.
        """
        self._root = root
        self._rows: list[dict[str, list[str]]] = tomllib.loads(table.read_text(encoding="utf-8"))["reads"]

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The text of each module, by its path."""
        found = (path for name in PACKAGES for path in sorted((self._root / name).rglob("*.py")))
        return {path.relative_to(self._root).as_posix(): path.read_text(encoding="utf-8") for path in found}

    @cached_property
    def tests(self) -> list[str]:
        """The files of tests that run here; those for Windows run in a lane of their own."""
        return [path for path in self.texts if _TEST.fullmatch(path)]

    @cached_property
    def _test_set(self) -> frozenset[str]:
        return frozenset(self.tests)

    @cached_property
    def users(self) -> Mapping[str, set[str]]:
        """By the path of each module, the paths of those that use it."""
        paths = {name_module(path): path for path in self.texts}
        graph = grimp.build_graph(*PACKAGES, cache_dir=str(self._root / ".import_linter_cache"))
        users: defaultdict[str, set[str]] = defaultdict(set)
        for name in graph.modules & paths.keys():
            for used in graph.find_modules_directly_imported_by(name):
                if used in paths:
                    users[paths[used]].add(paths[name])
        for path, text in self.texts.items():
            for named in set(_STRING.findall(text)) & paths.keys():
                users[paths[named]].add(path)
            for conftest in self._list_conftests(path):
                users[conftest].add(path)
        return users

    @cached_property
    def _fixtures(self) -> Mapping[str, re.Pattern[str]]:
        """By the path of each conftest, what a test says that asks for a fixture of it."""
        found: dict[str, re.Pattern[str]] = {}
        for path, text in self.texts.items():
            if path.endswith("conftest.py") and (names := _FIXTURE.findall(text)):
                found[path] = re.compile(rf"\b(?:{'|'.join(names)})\b")
        return found

    def _list_conftests(self, path: str) -> list[str]:
        """Return the conftests whose fixtures a test, or a conftest below them, asks for."""
        folders = [folder.as_posix() for folder in PurePosixPath(path).parents]
        above = (f"{folder}/conftest.py" for folder in folders if f"{folder}/conftest.py" != path)
        return [each for each in above if each in self._fixtures and self._fixtures[each].search(self.texts[path])]

    def measure(self, changed: Iterable[str]) -> dict[str, float]:
        """Return the files of tests that changed files reach, with how far they are: 0 for a test that changed itself.

        That is how many imports lie between, less for a test that stands in the room that mirrors that of what changed.

        Args:
            changed: Paths from the root. What is gone reaches what still names it.
        """
        found: dict[str, float] = {}
        for path in changed:
            room = PurePosixPath(path).parent.parts
            for test, imports in self._count_imports(path).items():
                shared = count_shared(room, PurePosixPath(test).parent.parts[1:])
                distance = max(0.0, imports - SHARED_ROOM * shared) if imports else 0.0
                found[test] = min(distance, found.get(test, distance))
        return found

    def _count_imports(self, path: str) -> dict[str, int]:
        """Return how many imports lie between a file and each file of tests that it reaches."""
        found: dict[str, int] = {}
        for seed, distance in self._list_seeds(path):
            found[seed] = min(distance, found.get(seed, distance))
        edge = sorted(found.items(), key=lambda each: each[1])
        for module, distance in edge:  # it grows while it is gone through
            for user in self.users.get(module, ()):
                if distance + 1 < found.get(user, len(self.texts)):
                    found[user] = distance + 1
                    edge.append((user, distance + 1))
        return {test: distance for test, distance in found.items() if test in self._test_set}

    def _list_seeds(self, path: str) -> list[tuple[str, int]]:
        """Return the modules that a changed file is, or that read it."""
        seeds = [(path, 0)] if path in self.texts else []
        pure = PurePosixPath(path)
        for row in self._rows:
            if any(pure.match(pattern) for pattern in row["files"]):
                seeds += [
                    (each, SEEDED) for each in self.texts if any(PurePosixPath(each).match(by) for by in row["by"])
                ]
        if pure.suffix != ".py" or path.startswith(("fixtures/", "tests/")):
            named = [f"{pure.name}", f"/{pure.parent.name}/"] if path.startswith("fixtures/sites/") else [pure.name]
            seeds += [
                (each, SEEDED)
                for each, text in self.texts.items()
                if each != path and any(name in text for name in named)
            ]
        return seeds


def name_module(path: str) -> str:
    """Return the dotted name of the module at a path."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def count_shared(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many folders two ways have in common, from the first on."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
