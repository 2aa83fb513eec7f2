"""How the house stands: weight, folders, floors, chains of imports, names. `scripts/check.py --structure` prints it."""

import ast
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from scripts.checks.import_graph import (
    Graph,
    find_circle,
    find_longest_chain,
    lift_to_packages,
    list_circles,
    read_imports,
)
from scripts.checks.weights import Weight, weigh

TREES = ("core", "actuators", "agent")
MODULES_A_FOLDER = 16
IMPORTS_IN_A_ROW = 14
FLOORS = 12
SMALL_LINES = 60
WHOLE = "all"
MOST_LINES = {WHOLE: 135_000, "agent/cli": 8_500}
"""Lines of Python that rooms may have; what has to be added first finds what it replaces."""

MOST_DOCSTRINGS = 24_000


@dataclass(frozen=True)
class House:
    """What the project consists of.

    Attributes:
        root: Where it lies.
    """

    root: Path

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The files that git tracks, or would, as paths from the root with forward slashes."""
        command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
        listed = subprocess.run(command, cwd=self.root, capture_output=True, text=True, check=True).stdout
        return tuple(sorted(name for name in set(listed.split("\0")) if name and (self.root / name).is_file()))

    @cached_property
    def modules(self) -> dict[str, set[str]]:
        """The modules that users get, and which of these each imports when it is loaded."""
        return read_imports(self.root, TREES)

    @cached_property
    def circles(self) -> list[list[str]]:
        """The circles between files by all that they import, late or for types only, too."""
        return list_circles(read_imports(self.root, TREES, ever=True))

    @cached_property
    def packages(self) -> dict[str, set[str]]:
        """The same of packages."""
        return lift_to_packages(self.modules)

    def count_modules(self) -> dict[str, int]:
        """Return how many modules of Python, JavaScript or TypeScript each folder has, the fullest first; ``__init__`` doesn't count."""
        sources = (
            name
            for name in self.files
            if name.endswith((".py", ".js", ".ts")) and not name.endswith(("__init__.py", ".d.ts"))
        )
        return dict(Counter(name.rpartition("/")[0] for name in sources).most_common())

    def list_full_folders(self) -> list[str]:
        """Complain about folders with more modules than they may have."""
        return [
            f"{folder}: {count} modules, {MODULES_A_FOLDER} allowed"
            for folder, count in self.count_modules().items()
            if count > MODULES_A_FOLDER
        ]

    @cached_property
    def weights(self) -> dict[str, Weight]:
        """What each file weighs that users get."""
        shipped = (name for name in self.files if name.endswith(".py") and name.partition("/")[0] in TREES)
        return {name: weigh((self.root / name).read_text(encoding="utf-8")) for name in shipped}

    def weigh_rooms(self) -> dict[str, Weight]:
        """Return what each folder weighs, down to the second level, the heaviest first."""
        rooms = defaultdict[str, list[Weight]](list)
        for name, weight in self.weights.items():
            rooms["/".join(name.split("/")[:-1][:2])].append(weight)
        summed = {room: sum(weights, Weight()) for room, weights in rooms.items()}
        return dict(sorted(summed.items(), key=lambda item: -item[1].lines))

    def list_heavy_rooms(self) -> list[str]:
        """Complain about rooms that have more lines than they may, and about all of it together."""
        rooms = _add_up(self.weigh_rooms())
        heavy = [
            f"{room}: {rooms[room].lines:,} lines, {most:,} allowed"
            for room, most in MOST_LINES.items()
            if room in rooms and rooms[room].lines > most
        ]
        docstrings = rooms[WHOLE].docstrings
        return [*heavy, *([f"{docstrings:,} lines of docstrings"] if docstrings > MOST_DOCSTRINGS else [])]

    def list_owned(self) -> dict[str, str]:
        """Return the modules that only one other imports, each with that one."""
        importers = defaultdict[str, list[str]](list)
        for name, imports in self.modules.items():
            for each in imports:
                importers[each].append(name)
        return {name: found[0] for name, found in sorted(importers.items()) if len(found) == 1}

    def count_small_owned(self) -> int:
        """Return how many of these have less than 60 lines."""
        files = (f"{name.replace('.', '/')}.py" for name in self.list_owned())
        return sum(self.weights[file].lines < SMALL_LINES for file in files)

    def list_twins(self) -> list[str]:
        """Complain about names of classes that mean two things; a leading underscore makes no other name of it."""
        homes = defaultdict[str, list[str]](list)
        for file in self.files:
            if file.endswith(".py") and file.partition("/")[0] in TREES:
                for name in _list_classes((self.root / file).read_text(encoding="utf-8")):
                    homes[name.lstrip("_")].append(file)
        return [f"{name}: {', '.join(files)}" for name, files in sorted(homes.items()) if len(files) > 1]


def _list_classes(text: str) -> Iterator[str]:
    yield from (node.name for node in ast.parse(text).body if isinstance(node, ast.ClassDef))


def describe(house: House) -> str:
    """Return the figures of a house, and what is behind the worst of each.

    Args:
        house: The house.
    """
    core = {name: imports & set(house.packages) for name, imports in house.packages.items() if name.startswith("core")}
    rooms = sum(1 for name in core if name not in house.modules)
    chain, floors = find_longest_chain(house.modules), find_longest_chain(house.packages)
    counts = house.count_modules()
    lines = [
        *_tell_weights(house.weigh_rooms()),
        f"modules               {len(house.modules)}, with {_count_arrows(house.modules)} arrows",
        f"packages              {len(house.packages)}, with {_count_arrows(house.packages)} arrows",
        f"rooms of core         {rooms}, with {_count_arrows(core)} arrows",
        f"folders too full      {len(house.list_full_folders())} of {len(counts)}; {MODULES_A_FOLDER} modules are allowed",
        *(f"    {folder}: {count}" for folder, count in list(counts.items())[:5]),
        f"floors of packages    {len(floors)}; {FLOORS} are allowed",
        f"    {' → '.join(floors)}",
        f"imports in a row      {len(chain) - 1}; {IMPORTS_IN_A_ROW} are allowed",
        f"    {' → '.join(chain)}",
        f"circles of modules    {len(house.circles) or 'none'}; imports for types and inside functions count",
        *(f"    {' → '.join(circle)}" for circle in house.circles),
        f"circles of packages   {' → '.join(find_circle(house.packages)) or 'none'}",
        f"imported by one only  {len(house.list_owned())}, of which {house.count_small_owned()} have less than {SMALL_LINES} lines",
        f"names of two classes  {len(house.list_twins())}",
        *(f"    {twin}" for twin in house.list_twins()),
    ]
    return "\n".join(lines)


def _count_arrows(graph: Graph) -> int:
    return sum(len(imports) for imports in graph.values())


def _add_up(rooms: dict[str, Weight]) -> dict[str, Weight]:
    return {**rooms, WHOLE: sum(rooms.values(), Weight())}


def _tell_weights(rooms: dict[str, Weight]) -> list[str]:
    lines = [f"{room:30} {each.lines:7,} {each.code:7,} {each.docstrings:10,}" for room, each in _add_up(rooms).items()]
    return [f"{'room':30} {'lines':>7} {'code':>7} {'docstrings':>10}", *lines, ""]
