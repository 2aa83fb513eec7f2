"""What a module weighs: its lines, and how many of them are code and docstrings."""

import ast
from dataclasses import dataclass

_DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Weight:
    """Lines of one or more modules; those that are neither code nor docstrings are blank or comments."""

    lines: int = 0
    code: int = 0
    docstrings: int = 0

    def __add__(self, other: "Weight") -> "Weight":
        """Return the lines of both."""
        return Weight(self.lines + other.lines, self.code + other.code, self.docstrings + other.docstrings)


def weigh(text: str) -> Weight:
    """Return what a module weighs."""
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, _DOCUMENTED)]
    spans = [(doc.lineno, doc.end_lineno or doc.lineno) for node in nodes if (doc := _find_docstring(node))]
    told = {line for start, end in spans for line in range(start, end + 1)}
    lines = text.splitlines()
    silent = {
        number
        for number, line in enumerate(lines, 1)
        if number not in told and (not line.strip() or line.lstrip().startswith("#"))
    }
    return Weight(len(lines), len(lines) - len(told) - len(silent), len(told))


def _find_docstring(node: _DOCUMENTED) -> ast.Expr | None:
    match node.body:
        case [ast.Expr(value=ast.Constant(value=str())) as first, *_]:
            return first
        case _:
            return None
