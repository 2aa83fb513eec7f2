"""The repository's files as the architecture tests see them: everything that git tracks, or would."""

import ast
import gc
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ("core", "actuators", "agent")
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Source:
    """A Python file: its path from the root, with forward slashes, and its text."""

    name: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        """The parsed file."""
        tree = ast.parse(self.text, self.name)
        gc.freeze()  # all trees are a million objects that stay: looked for garbage again and again, they take twice the time
        return tree

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """Every node of the tree."""
        return list(ast.walk(self.tree))

    @property
    def lines(self) -> list[str]:
        """The lines of the file."""
        return self.text.splitlines()

    def is_in(self, *folders: str) -> bool:
        """Tell whether the file lies in one of the top-level folders."""
        return self.name.partition("/")[0] in folders

    def find_functions(self) -> Iterator[FunctionNode]:
        """Yield every function and method."""
        yield from (node for node in self.nodes if isinstance(node, FunctionNode))

    def find_classes(self) -> Iterator[ast.ClassDef]:
        """Yield every class."""
        yield from (node for node in self.nodes if isinstance(node, ast.ClassDef))


@lru_cache
def list_files() -> tuple[str, ...]:
    """List the repository's files, without those that git ignores."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return tuple(sorted(name for name in set(listed.split("\0")) if name and (ROOT / name).is_file()))


@lru_cache
def read_sources() -> tuple[Source, ...]:
    """Read all Python files."""
    return tuple(
        Source(name, (ROOT / name).read_text(encoding="utf-8")) for name in list_files() if name.endswith(".py")
    )


def read_shipped() -> tuple[Source, ...]:
    """Read the Python files that users get."""
    return tuple(source for source in read_sources() if source.is_in(*SHIPPED))
