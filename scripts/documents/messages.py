"""Finds every text that a person can get, and writes them side by side, by family and by the error's code."""

import ast
import gc
import itertools
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from scripts.documents.texts import (
    MOST_WAYS,
    ROOT,
    Module,
    Names,
    Text,
    is_code,
    list_codelike,
    list_given,
    list_wordless,
    read_modules,
    reads_like_words,
    render,
)

CODES = ROOT / "scripts" / "documents" / "error_codes.toml"
_REFUSAL = re.compile(r"^refuse (\w+): (.+)$", re.MULTILINE)
_ONLY_HOLES = re.compile(r"\W*(?:\{[^{}]*\}\W*)*")
_NO_CLASS = {"SurehandError", "ErrorInfo"}


@cache
def read_codes() -> dict[str, list[str]]:
    """Return every code that is explained, with what it means and what to do."""
    return tomllib.loads(CODES.read_text(encoding="utf-8"))


def read_class_codes(modules: Iterable[Module]) -> dict[str, str]:
    """Return the errors' classes, with the code that each has where none is given."""
    bases: dict[str, tuple[list[str], str]] = {}
    for node in (node for module in modules for node, _ in module.nodes if isinstance(node, ast.ClassDef)):
        bases[node.name] = ([ast.unparse(base) for base in node.bases], _find_own_code(node))
    return {name: _find_code(name, bases) for name in bases if _is_error(name, bases)}


def _find_own_code(node: ast.ClassDef) -> str:
    given = (each for each in node.body if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == "code")
    return next((str(each.value.value) for each in given if isinstance(each.value, ast.Constant)), "")


def _is_error(name: str, bases: dict[str, tuple[list[str], str]]) -> bool:
    return name == "SurehandError" or any(_is_error(base, bases) for base in bases.get(name, ((), ""))[0])


def _find_code(name: str, bases: dict[str, tuple[list[str], str]]) -> str:
    above, own = bases.get(name, ([], ""))
    return own or next((code for base in above if (code := _find_code(base, bases))), "")


@dataclass(frozen=True, slots=True)
class Told:
    """What the tree's syntax tells of messages and codes.

    Attributes:
        texts: Every text, in an order that doesn't follow the modules.
        defaults: The codes of classes of errors.
        given: The codes that a module gives, with its family.
        codelike: The strings of a module that have the form of a code, with its family.
    """

    texts: tuple[Text, ...]
    defaults: frozenset[str]
    given: tuple[tuple[str, frozenset[str]], ...]
    codelike: tuple[tuple[str, frozenset[str]], ...]


@cache
def read_tree(root: Path = ROOT) -> Told:
    """Read every module that is shipped, once."""
    gc.disable()  # a million nodes, none of which is garbage, are looked at again and again: two thirds of the time
    try:
        modules = read_modules(root)
        classes = read_class_codes(modules)
        return Told(
            _collect_texts(modules, classes, root),
            frozenset(classes.values()),
            tuple((module.family, list_given(module)) for module in modules),
            tuple((module.family, list_codelike(module)) for module in modules),
        )
    finally:
        gc.enable()


def _collect_texts(modules: Iterable[Module], classes: dict[str, str], root: Path) -> tuple[Text, ...]:
    found = {text for module in modules for text in _collect(module, classes)}
    told = {part for text in found if text.code for part in (text.text, text.hint)}
    others = {text for text in found if text.code or text.text not in told}
    return tuple(sorted(others.union(_collect_refusals(root))))


def _collect(module: Module, classes: dict[str, str]) -> Iterator[Text]:
    nodes = module.nodes
    used = list_wordless(node for node, _ in nodes)
    for node, names in nodes:
        if isinstance(node, ast.Call) and (parts := _read_error(node, classes)):
            used.update(each for part in parts for each in ast.walk(part))
            yield from _render_error(module.family, parts, names)
    for node, names in nodes:
        for parts in _list_helped(node) if node not in used else ():
            used.update(each for part in parts for each in ast.walk(part))
            yield from _render_error(module.family, parts, names)
    yield from _collect_others(module.family, [node for node, _ in nodes], used)


def _read_error(call: ast.Call, classes: dict[str, str]) -> tuple[ast.expr, ast.expr, ast.expr] | None:
    """Return the code, the message and the hint of an error that is made; None where none is made."""
    name = ast.unparse(call.func).rpartition(".")[2]
    if name not in classes and name != "ErrorInfo":
        return None
    given = {each.arg: each.value for each in call.keywords if each.arg}
    order = ("code", "message", "hint") if name == "ErrorInfo" else ("message",)
    given |= dict(zip(order, call.args, strict=False))
    default = ast.Constant(classes.get(name, ""))
    return (
        (given.get("code", default), given["message"], given.get("hint", ast.Constant("")))
        if "message" in given
        else None
    )


def _list_helped(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr, ast.expr]]:
    """Yield what a helper, or a row of a table, makes an error of: there is a code, and there are words."""
    if isinstance(node, ast.Dict):
        rows = [[key, value] for key, value in zip(node.keys, node.values, strict=True) if key]
    elif isinstance(node, ast.Call):
        rows = [[*node.args, *(each.value for each in node.keywords)]]
    else:
        rows = [node.elts] if isinstance(node, ast.Tuple) else []
    for row in rows:
        codes = [each for each in row if isinstance(each, ast.Constant) and each.value in read_codes()]
        words = [each for each in row if isinstance(each, ast.JoinedStr | ast.Constant) and _has_words(each)]
        if codes and words:
            yield codes[0], words[0], words[1] if len(words) > 1 else ast.Constant("")


def _has_words(node: ast.expr) -> bool:
    return any(map(reads_like_words, render(node, {})))


def _render_error(family: str, parts: tuple[ast.expr, ast.expr, ast.expr], names: Names) -> Iterator[Text]:
    codes, messages, hints = (render(part, names) for part in parts)
    codes = [code for code in codes if is_code(code)] or ["given by its cause"]
    paired = zip(messages, hints, strict=True) if len(messages) == len(hints) else itertools.product(messages, hints)
    for code in codes:
        for message, hint in itertools.islice(paired, MOST_WAYS):
            if not _ONLY_HOLES.fullmatch(message):
                yield Text(family, code, message, hint)
        paired = itertools.product(messages, hints)


def _collect_others(family: str, nodes: Sequence[ast.AST], used: set[ast.AST]) -> Iterator[Text]:
    strings = [node for node in nodes if isinstance(node, ast.JoinedStr)]
    inside = {each for node in strings for part in node.values for each in ast.walk(part)}
    for node in nodes:
        if isinstance(node, ast.Constant | ast.JoinedStr) and node not in used and node not in inside:
            yield from (Text(family, "", text) for text in render(node, {}) if reads_like_words(text))


def _collect_refusals(root: Path) -> Iterator[Text]:
    """Yield what a sentence is refused with, which the files of a language say."""
    folder = root / "core" / "language"
    for path in sorted(folder.glob("*/*.phrases")):
        yield from (Text("language", code, text) for code, text in _REFUSAL.findall(path.read_text(encoding="utf-8")))
    for path in sorted(folder.glob("*/*.toml")):
        wording = tomllib.loads(path.read_text(encoding="utf-8")).get("wording", {})
        yield from (Text("language", "", text) for text in wording.values())


def write_messages() -> str:
    """Return every text that a person can get, side by side."""
    texts = read_tree().texts
    lines = [
        "# Messages",
        "",
        "Every text that a person can get, side by side. Made from the code by `scripts/docs.py`; docs/style.md says how",
        "they are written, docs/errors.md what the codes mean. Words in braces are filled in; an arrow begins the hint.",
        "",
    ]
    for family, group in itertools.groupby(texts, key=lambda text: text.family):
        lines += [f"## {family}", "", *_write_family(list(group))]
    return "\n".join(lines)


def _write_family(texts: list[Text]) -> Iterator[str]:
    for code, group in itertools.groupby((text for text in texts if text.code), key=lambda text: text.code):
        yield from (
            f"### {code}" if is_code(code) else f"### Code {code}",
            "",
            "```text",
            *itertools.chain.from_iterable(map(_write, group)),
            "```",
            "",
        )
    others = [text.text for text in texts if not text.code]
    for title, chosen in (
        ("Other sentences", filter(_is_sentence, others)),
        ("Parts of sentences", itertools.filterfalse(_is_sentence, others)),
    ):
        if shown := list(chosen):
            yield from (f"### {title}", "", "```text", *(each.strip().replace("\n", " ") for each in shown), "```", "")


def _is_sentence(text: str) -> bool:
    return text.rstrip().endswith((".", "?", "!")) and not text.strip()[:1].islower()


def _write(text: Text) -> Iterator[str]:
    yield text.text.strip().replace("\n", " ")
    if text.hint:
        yield f"    → {text.hint.strip()}"
