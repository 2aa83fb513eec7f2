"""The limits on size, each as a function from one file to its complaints."""

import ast
from collections.abc import Iterator

from tests.architecture.sources import FunctionNode, Source

FILE_LINES = 400
FUNCTION_LINES = 50
CLASS_LINES = 250
PUBLIC_METHODS = 15
PARAMETERS = 6
FOLDER_DEPTH = 4
ENGINE = "actuators/browser/playwright/engine/"  # its folders stand for the ideas of pages
ENGINE_DEPTH = 6

# What may be larger, and why.
LONG_FILES = {"core/planner_rules.py": "the table of rules: one entry a verb, nothing to divide"}
TOOL_CONTEXT = "ActionContext"  # what a tool's method takes first; the rest are its verb's parameters, however many


def find_long_files(source: Source) -> Iterator[str]:
    """Complain about a file of more than 400 lines."""
    if source.name not in LONG_FILES and len(source.lines) > FILE_LINES:
        yield f"{source.name}: {len(source.lines)} lines, {FILE_LINES} allowed"


def find_long_functions(source: Source) -> Iterator[str]:
    """Complain about functions of more than 50 lines; the docstring does not count, so that nobody saves on it."""
    for function in source.find_functions():
        length = measure(function)
        if length > FUNCTION_LINES:
            yield f"{source.name}:{function.lineno}: {function.name} has {length} lines, {FUNCTION_LINES} allowed"


def find_large_classes(source: Source) -> Iterator[str]:
    """Complain about classes of more than 250 lines or 15 public methods."""
    for node in source.find_classes():
        length = node.end_lineno - node.lineno + 1 if node.end_lineno else 0
        public = [m.name for m in node.body if isinstance(m, FunctionNode) and not m.name.startswith("_")]
        if length > CLASS_LINES:
            yield f"{source.name}:{node.lineno}: {node.name} has {length} lines, {CLASS_LINES} allowed"
        if len(public) > PUBLIC_METHODS:
            yield f"{source.name}:{node.lineno}: {node.name} has {len(public)} public methods, {PUBLIC_METHODS} allowed"


def find_many_parameters(source: Source) -> Iterator[str]:
    """Complain about functions with more than six parameters, `self` and `cls` apart."""
    for function in source.find_functions():
        spec = function.args
        arguments = [a for a in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs) if a.arg not in {"self", "cls"}]
        count = len(arguments)
        if count > PARAMETERS and not is_tool_context(arguments[0]) and not is_command(function):
            yield f"{source.name}:{function.lineno}: {function.name} has {count} parameters, {PARAMETERS} allowed"


def is_command(function: FunctionNode) -> bool:
    """Tell whether Typer reads the function's parameters as the options of a command, however many."""
    return any(ast.unparse(decorator).partition("(")[0].endswith(".command") for decorator in function.decorator_list)


def find_deep_folders(name: str) -> Iterator[str]:
    """Complain about a file that lies more than four folders deep; six in the engine."""
    allowed = ENGINE_DEPTH if name.startswith(ENGINE) else FOLDER_DEPTH
    if name.count("/") > allowed:
        yield f"{name}: {name.count('/')} folders deep, {allowed} allowed"


def is_tool_context(argument: ast.arg) -> bool:
    """Tell whether a parameter is what only a tool's method takes."""
    return isinstance(argument.annotation, ast.Name) and argument.annotation.id == TOOL_CONTEXT


def measure(function: FunctionNode) -> int:
    """Count the lines of a function from its `def` on, without its docstring."""
    first = function.body[0]
    length = (function.end_lineno or function.lineno) - function.lineno + 1
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        length -= (first.end_lineno or first.lineno) - first.lineno + 1
    return length
