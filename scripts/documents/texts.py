"""Finds every text for people in the tree's syntax: what errors say, and whatever else reads like words.

A text is rendered as a template: ``{path}`` stands for what is filled in. Where the code chooses between two words, both
are told; where a name is a constant of the module, or is assigned in the same function, its text is put in.
"""

import ast
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ("core", "actuators", "agent")
MOST_WAYS = 8
MOST_BARE_WORDS = 9  # more without a mark between them are a list for a program
_MARKS = re.compile(r"[,.:;“”{}()']")
_CODE = re.compile(r"[a-z]+(?:_[a-z]+)*")
_WORDS = re.compile(r"[A-Za-z{“\"'][^\n]*[a-z]{2}[^\n]*")
_NO_WORDS = re.compile(
    r"=>|\\[dswb]|\(\?|\b[A-Z]{4,} [A-Z*]|^\W*--|\[[\w.]+[,\]]|[;{]$|\|[A-Z]|^[\w.]+\[.*\]$|^\w+ \| None$|://.*\?|\(\("
    r"|^(?:PRAGMA|SELECT|UPDATE|INSERT) |^\w+ ?= ?\S+$|^\w+\(\{"
)
_VOCABULARY = re.compile(r"[a-z0-9 ]+")
_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
Names = Mapping[str, Sequence[ast.expr]]


@dataclass(frozen=True, slots=True, order=True)
class Text:
    """A text that a person can get.

    Attributes:
        family: ``core``, ``language``, ``agent``, or the family of actuators.
        code: Of the error that says it; empty for anything else.
        text: With a name in braces for what is filled in.
        hint: What an error says about what to do.
    """

    family: str
    code: str
    text: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Module:
    """A module, with what its names stand for.

    Attributes:
        family: Where it belongs.
        nodes: Its syntax: every node, with the names that it can see.
        names: Its constants.
    """

    family: str
    nodes: Sequence[tuple[ast.AST, Names]]
    names: Names


def read_modules(root: Path = ROOT) -> list[Module]:
    """Return every module that is shipped."""
    paths = (path for folder in SHIPPED for path in sorted((root / folder).rglob("*.py")))
    return [_read(path, path.relative_to(root).parts) for path in paths]


def _read(path: Path, parts: tuple[str, ...]) -> Module:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = _read_names(tree.body)
    return Module(_name_family(parts), list(_walk_scope(tree, names)), names)


def _name_family(parts: tuple[str, ...]) -> str:
    match parts:
        case ("core", "language", *_):
            return "language"
        case ("actuators", family, _, *_):
            return family
        case _:
            return parts[0]


def _read_names(body: Sequence[ast.stmt]) -> dict[str, list[ast.expr]]:
    """Return what names are given, with every value that one is given."""
    names: dict[str, list[ast.expr]] = {}
    for node in itertools.chain.from_iterable(map(_walk_own, body)):
        for target, given in _list_givings(node):
            for name, value in _pair(target, given):
                names.setdefault(name, []).append(value)
    return names


def _list_givings(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    if isinstance(node, ast.Assign):
        yield from ((target, node.value) for target in node.targets)
    elif isinstance(node, ast.AnnAssign):
        yield node.target, node.value


def _pair(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name) and value is not None:
        yield target.id, value
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for each, part in zip(target.elts, value.elts, strict=False):
            yield from _pair(each, part)


def _walk_own(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and those below it, except what belongs to another function or class."""
    yield node
    if not isinstance(node, _FUNCTIONS | ast.ClassDef | ast.Lambda):
        for child in ast.iter_child_nodes(node):
            yield from _walk_own(child)


def _walk_scope(node: ast.AST, names: Names) -> Iterator[tuple[ast.AST, Names]]:
    waiting = [(node, names)]
    while waiting:
        above, seen = waiting.pop()
        if isinstance(above, _FUNCTIONS):
            seen = {**seen, **_read_names(above.body)}
        for child in ast.iter_child_nodes(above):
            yield child, seen
            waiting.append((child, seen))


def render(node: ast.expr, names: Names, depth: int = 0) -> list[str]:
    """Return the texts that an expression can be, as templates.

    Args:
        node: The expression.
        names: What names stand for.
        depth: How many names were followed.
    """
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else [f"{{{node.value}}}"]
    if isinstance(node, ast.JoinedStr):
        return ["".join(map(_render_part, node.values))]
    if isinstance(node, ast.IfExp):
        return render(node.body, names, depth) + render(node.orelse, names, depth)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        pairs = itertools.product(render(node.left, names, depth), render(node.right, names, depth))
        return [left + right for left, right in itertools.islice(pairs, MOST_WAYS)]
    return _render_name(node, names, depth)


def _render_name(node: ast.expr, names: Names, depth: int) -> list[str]:
    known = names.get(node.id, ()) if isinstance(node, ast.Name) and depth < 3 else ()
    found = [text for value in known for text in render(value, names, depth + 1)]
    return found[:MOST_WAYS] or [f"{{{name_hole(node)}}}"]


def _render_part(part: ast.expr) -> str:
    if isinstance(part, ast.Constant):
        return str(part.value)
    return f"{{{name_hole(part.value)}}}" if isinstance(part, ast.FormattedValue) else "{…}"


def name_hole(node: ast.expr) -> str:
    """Return a short name for what is filled in: ``path`` for ``escape_text(path)``.

    Args:
        node: The expression in the braces.
    """
    if isinstance(node, ast.Name | ast.Attribute):
        return ast.unparse(node).removeprefix("self.").lstrip("_")
    if isinstance(node, ast.IfExp):
        ways = [name_hole(each) for each in (node.body, node.orelse)]
        return "|".join(ways)
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(map(_render_part, node.values)).replace("{", "").replace("}", "")
    if isinstance(node, ast.Subscript):
        return name_hole(node.slice) if isinstance(node.slice, ast.Constant) else name_hole(node.value)
    return _name_call(node)


def _name_call(node: ast.expr) -> str:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
        return name_hole(node.func.value)
    if isinstance(node, ast.Call) and node.args:
        return name_hole(node.args[-1] if ast.unparse(node.func).endswith(("join", "map")) else node.args[0])
    if isinstance(node, ast.BoolOp):
        return "|".join(map(name_hole, node.values))
    if isinstance(node, ast.GeneratorExp | ast.ListComp):
        return name_hole(node.elt)
    return "…"


def is_code(text: object) -> bool:
    """Tell whether a value has the form of an error's code."""
    return isinstance(text, str) and bool(_CODE.fullmatch(text))


def reads_like_words(text: str) -> bool:
    """Tell whether a text looks as if a person should read it, rather than a program."""
    bare = text.strip()
    is_list = len(bare.split()) > MOST_BARE_WORDS and not _MARKS.search(bare)
    return " " in bare and not is_list and bool(_WORDS.fullmatch(bare)) and not _NO_WORDS.search(bare)


def list_wordless(nodes: Iterable[ast.AST]) -> set[ast.AST]:
    """Return the strings that no person reads: docstrings, annotations, patterns, members of sets, keys, what is compared.

    Args:
        nodes: All of a module.
    """
    found: set[ast.AST] = set()
    for node in nodes:
        for child in _list_unread(node):
            found.update(ast.walk(child))
    return found


def _list_unread(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield node.value
    elif isinstance(node, ast.Set | ast.Compare | ast.Subscript):
        yield from ast.iter_child_nodes(node)
    elif isinstance(node, ast.Dict):
        yield from (key for key in node.keys if key)
        yield from filter(_is_vocabulary, node.values)
    elif isinstance(node, ast.Tuple | ast.List):
        yield from filter(_is_vocabulary, node.elts)
    elif isinstance(node, ast.AnnAssign | ast.arg) and node.annotation:
        yield node.annotation
    elif isinstance(node, ast.Call):
        yield from _list_unread_of_call(node)


def _is_vocabulary(node: ast.AST) -> bool:
    """Tell whether a member of a list or table is words that are recognised, not said."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(_VOCABULARY.fullmatch(node.value))


def _list_unread_of_call(call: ast.Call) -> Iterator[ast.AST]:
    called = ast.unparse(call.func).rpartition(".")[2]
    if called in {"compile", "frozenset", "cast", "match_any_of", "evaluate", "split", "set", "match", "search"}:
        yield call


def list_given(module: Module) -> frozenset[str]:
    """Return the codes that stand behind ``code=`` and ``code =``."""
    found: set[str] = set()
    for node, _ in module.nodes:
        if isinstance(node, ast.keyword) and node.arg == "code":
            texts = render(node.value, module.names)
            found.update(text for text in texts if is_code(text) or text.startswith("unknown_{"))
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "code":
            found.update(text for text in render(node.value, module.names) if is_code(text))
    return frozenset(found)


def list_codelike(module: Module) -> frozenset[str]:
    """Return every string that has the form of a code."""
    return frozenset(
        str(node.value) for node, _ in module.nodes if isinstance(node, ast.Constant) and is_code(node.value)
    )
