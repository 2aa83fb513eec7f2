"""Which module imports which, when it is loaded or ever, read from the sources; and what a graph of names is like."""

import ast
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

Graph = Mapping[str, Collection[str]]
"""Names, and the names that each of them points to."""


def read_imports(root: Path, trees: Iterable[str], *, ever: bool = False) -> dict[str, set[str]]:
    """Return every module of some folders with the modules of these folders that it imports when it is loaded.

    Packages whose ``__init__`` does nothing don't count.

    Args:
        root: Where the folders lie.
        trees: Names of folders.
        ever: Whether imports inside functions, those by ``import_module`` and those for type checkers count, which load nothing.
    """
    list_imports = _list_all_imports if ever else _list_imports
    files = {path.relative_to(root): path for tree in trees for path in sorted((root / tree).rglob("*.py"))}
    modules = {_name(path): path for path in files if path.name != "__init__.py"}
    graph = dict[str, set[str]]()
    for name, path in modules.items():
        graph[name] = {
            found
            for found in list_imports(ast.parse(files[path].read_text(encoding="utf-8")), path.parent)
            if found in modules
        } - {name}
    return graph


def _name(path: Path) -> str:
    return ".".join(path.with_suffix("").parts)


def _list_imports(tree: ast.Module, folder: Path) -> Iterator[str]:
    pending: list[ast.stmt] = list(tree.body)
    while pending:
        node = pending.pop()
        yield from _name_imported(node, folder)
        if isinstance(node, ast.If):
            pending += node.orelse if ast.unparse(node.test) == "TYPE_CHECKING" else [*node.body, *node.orelse]
        elif isinstance(node, ast.Try):
            pending += [
                *node.body,
                *node.orelse,
                *node.finalbody,
                *(each for one in node.handlers for each in one.body),
            ]
        elif isinstance(node, ast.ClassDef):
            pending += node.body


def _list_all_imports(tree: ast.Module, folder: Path) -> Iterator[str]:
    for node in ast.walk(tree):
        yield from _name_imported(node, folder)
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            yield from (str(each.value) for each in node.args if isinstance(each, ast.Constant))


def _name_imported(node: ast.AST, folder: Path) -> Iterator[str]:
    """Yield what a statement may import: modules, and what may be modules or names in them."""
    if isinstance(node, ast.ImportFrom):
        origin = _find_origin(node, folder)
        yield origin
        yield from (f"{origin}.{alias.name}" for alias in node.names)
    elif isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)


def _find_origin(node: ast.ImportFrom, folder: Path) -> str:
    """Return the module that names are imported from, in full where it is named by its distance."""
    if not node.level:
        return node.module or ""
    parts = folder.parts[: len(folder.parts) - node.level + 1]
    return ".".join([*parts, *([node.module] if node.module else [])])


def lift_to_packages(graph: Graph) -> dict[str, set[str]]:
    """Return the graph of the packages that the modules lie in.

    A module that lies beside packages counts as a package of its own: in a house, such as the table of rules, and in a room
    that is no floor by itself, since its modules stand above and below the rooms within it.

    Args:
        graph: Of modules.
    """
    owners = {name.rpartition(".")[0] for name in graph}
    split = {owner for owner in owners if "." not in owner or _stands_on_both_sides(owner, graph)}
    lone = {name for name in graph if name.rpartition(".")[0] in split and _lies_beside_packages(name, owners)}
    lifted = defaultdict[str, set[str]](set)
    for name, imports in graph.items():
        room = _room(name, lone)
        lifted[room] |= {_room(each, lone) for each in imports} - {room}
    return dict(lifted)


def _stands_on_both_sides(owner: str, graph: Graph) -> bool:
    """Tell whether a room imports the rooms within it, and they import it."""
    arrows = [(name, each) for name, imports in graph.items() for each in imports]
    above = any(_lies_in(name, owner) and _lies_below(each, owner) for name, each in arrows)
    return above and any(_lies_below(name, owner) and _lies_in(each, owner) for name, each in arrows)


def _lies_in(name: str, owner: str) -> bool:
    return name.rpartition(".")[0] == owner


def _lies_below(name: str, owner: str) -> bool:
    return name.rpartition(".")[0].startswith(f"{owner}.")


def _lies_beside_packages(name: str, owners: Collection[str]) -> bool:
    owner = name.rpartition(".")[0]
    return any(each.startswith(f"{owner}.") for each in owners)


def _room(name: str, lone: Collection[str]) -> str:
    return name if name in lone else name.rpartition(".")[0]


def find_circle(graph: Graph) -> list[str]:
    """Return names that import each other in a circle, the first one again at the end; nothing where there is none.

    Args:
        graph: Of modules or packages.
    """
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def list_circles(graph: Graph) -> list[list[str]]:
    """Return circles of names that import each other, of which no name is in two.

    Args:
        graph: Of modules or packages.
    """
    circles: list[list[str]] = []
    left = {name: set(imports) for name, imports in graph.items()}
    while circle := find_circle(left):
        circles.append(circle)
        left = {name: imports - set(circle) for name, imports in left.items() if name not in circle}
    return circles


def find_longest_chain(graph: Graph) -> list[str]:
    """Return the longest chain of imports, the importer first.

    Args:
        graph: Of modules or packages, without circles.

    Raises:
        graphlib.CycleError: If there are circles.
    """
    chains = dict[str, list[str]]()
    for name in TopologicalSorter(graph).static_order():
        below = max((chains[each] for each in sorted(graph.get(name, ()))), key=len, default=[])
        chains[name] = [name, *below]
    return max(chains.values(), key=len, default=[])
