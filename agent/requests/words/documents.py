"""Documents: YAML or JSON text as plain data, with the line and column of every part.

Closed on purpose: no tags, no anchors, no directives, no duplicate keys, no deep nesting, no huge files.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.composer import Composer
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from ruamel.yaml.reader import ReaderError

from core.base.errors import FlowError
from core.base.late_dataclasses import dataclass, field
from core.rules.params import shorten, suggest

MAX_BYTES = 1_048_576
MAX_DEPTH = 40
MAX_PARTS = 150_000
"""Keys, values, lists and mappings together."""
_MOST_BITS = 1023
"""Of a whole number: what is larger is no quantity, and the system refuses to write it out."""

DocumentPath = tuple[str | int, ...]
_SCALARS = {f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null", "timestamp")}
_TIMESTAMP = "tag:yaml.org,2002:timestamp"
_STRUCTURES = {"tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"}
_SURROGATE = re.compile("[\ud800-\udfff]")
_DIRECTIVE = re.compile(r"(?:[ \t]*(?:#.*)?\n)*%")
_BREAKS = "\x85\u2028\u2029"
"""What the parser takes for the end of a line, and neither YAML 1.2 nor JSON does."""

TOO_LARGE = "too_large"
"""Code of the error where a limit is passed."""

_DIVIDE = "Split it into several files."
_TOO_DEEP = f"it is nested deeper than {MAX_DEPTH} levels."
_QUOTE = "Put it in quotes if it is text."
_HINTS = {
    "mapping values are not allowed": "Put text that holds a colon and a space in quotes.",
    "found undefined alias": "Put text that begins with * in quotes.",
    "found character '\\t'": "Indent with spaces, not tabs.",
    "that cannot start any token": "Put text that begins with @, %, or ` in quotes.",
}


@dataclass(slots=True)
class Document:
    """A file's content.

    Attributes:
        marks: Line and column, from 1, by place (keys and indexes from the top): where the key or list item begins.
        path: The file, links followed; empty for a text that came without one.
    """

    name: str
    data: Any = None
    marks: dict[DocumentPath, tuple[int, int]] = field(default_factory=dict[DocumentPath, tuple[int, int]])
    path: str = ""

    def fail(self, place: DocumentPath, message: str, *, hint: str = "", code: str = "") -> FlowError:
        """Return an error that names the nearest known line and column of a place."""
        while place and place not in self.marks:
            place = place[:-1]
        return self.fail_at(self.marks.get(place, (1, 1)), message, hint=hint, code=code)

    def fail_at(self, mark: tuple[int, int], message: str, *, hint: str = "", code: str = "") -> FlowError:
        """Return an error that names a line and column."""
        line, column = mark
        evidence = {"file": self.name, "line": line, "column": column}
        return FlowError(f"{self.name}:{line}:{column}: {message}", hint=hint, code=code, evidence=evidence)


def read_document(path: Path) -> Document:
    """Read a YAML or JSON file.

    Args:
        path: File of at most 1 MiB, in UTF-8.

    Raises:
        FlowError: If it can't be read or isn't a closed document; names file, line and column.
    """
    document = parse_document(read_text(path), str(path))
    document.path = str(path.resolve())
    return document


def read_text(path: Path) -> str:
    """Return the text of a file; as ``read_document`` reads it."""
    document = Document(str(path))
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        hint = _suggest_file(path) if isinstance(error, FileNotFoundError) else ""
        raise document.fail((), f"the file can't be read: {error.strerror}.", hint=hint) from None
    if len(content) > MAX_BYTES:
        text = f"the file has more than {MAX_BYTES:,} bytes."
        raise document.fail((), text, hint=_DIVIDE, code=TOO_LARGE)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8", "replace")
        message = f"the file is not UTF-8: the byte 0x{content[error.start]:02x} can't be read."
        raise document.fail_at(_locate(before, len(before)), message, hint="Save it as UTF-8.") from None


def parse_document(text: str, name: str) -> Document:
    """Parse YAML or JSON text.

    Raises:
        FlowError: If it isn't a closed document; names line and column.
    """
    document = Document(name)
    if directive := _DIRECTIVE.match(text):
        raise document.fail_at(_locate(text, directive.end() - 1), "YAML directives are not allowed.")
    try:
        kept, restored = _hide_breaks(text)
        node = _make_parser().compose(kept)
    except _LimitError as error:
        raise document.fail_at(error.mark, error.text, hint=error.hint, code=TOO_LARGE) from None
    except MarkedYAMLError as error:
        raise _describe_fault(error, document) from None
    except ReaderError as error:
        message = f"the character U+{int(error.character):04X} is not allowed in a file."
        hint = 'Write it as an escape in double quotes, such as "\\x1b".'
        raise document.fail_at(_locate(text, error.position), message, hint=hint) from None
    except YAMLError as error:
        raise document.fail((), f"this is not valid YAML: {' '.join(str(error).split())}.") from None
    except RecursionError:
        raise document.fail((), _TOO_DEEP, code=TOO_LARGE) from None
    document.data = None if node is None else _Converter(document, restored).convert(node, ())
    return document


class _LimitError(Exception):
    """A document that passes a limit while it is read."""

    def __init__(self, text: str, hint: str, mark: tuple[int, int]) -> None:
        super().__init__(text)
        self.text, self.hint, self.mark = text, hint, mark


class _LimitingComposer(Composer):
    """Counts while it composes, so that what passes a limit costs no more than what keeps it."""

    parts = 0
    level = -1

    def compose_node(self, parent: Any, index: Any) -> Any:
        self.parts += 1
        self.level += 1
        text = "" if self.parts <= MAX_PARTS else f"it has more than {MAX_PARTS:,} keys and values."
        if text := _TOO_DEEP if self.level > MAX_DEPTH else text:
            mark = self.parser.peek_event().start_mark
            hint = "" if self.level > MAX_DEPTH else _DIVIDE
            raise _LimitError(text, hint, (mark.line + 1, mark.column + 1))
        node = super().compose_node(parent, index)
        self.level -= 1
        return node


def _make_parser() -> YAML:
    parser = YAML(typ="safe", pure=True)
    parser.Composer = _LimitingComposer
    return parser


@dataclass(slots=True)
class _Converter:
    """Makes plain data of nodes, and marks where they stand."""

    document: Document
    restored: Mapping[int, str]
    constructor: Any = field(default_factory=lambda: YAML(typ="safe", pure=True).constructor)

    def convert(self, node: Node, place: DocumentPath) -> Any:
        self.document.marks.setdefault(place, _mark(node))
        self._check(node)
        if isinstance(node, MappingNode):
            return dict(self._convert_pairs(node, place))
        if isinstance(node, SequenceNode):
            return [self.convert(each, (*place, index)) for index, each in enumerate(node.value)]
        return self._convert_scalar(node)

    def _check(self, node: Node) -> None:
        if node.anchor is not None:
            hint = "Write the value out, or use vars."
            raise self.document.fail_at(_mark(node), "anchors and aliases are not allowed.", hint=hint)
        tag = str(node.tag)
        fits = tag in (_SCALARS if isinstance(node, ScalarNode) else _STRUCTURES)
        if node.ctag.handle is not None or not fits:
            message = f"the tag {shorten(tag)} is not allowed; only plain data is."
            raise self.document.fail_at(_mark(node), message, hint=_QUOTE)

    def _convert_pairs(self, node: MappingNode, place: DocumentPath) -> Iterator[tuple[str, Any]]:
        seen: set[str] = set()
        for key_node, value_node in node.value:
            self._check(key_node)
            key = self._convert_scalar(key_node) if isinstance(key_node, ScalarNode) else None
            if not isinstance(key, str):
                found = shorten(key_node.value) if isinstance(key_node, ScalarNode) else "a list or mapping"
                raise self.document.fail_at(_mark(key_node), f"a key must be text, not {found}.", hint=_QUOTE)
            if key in seen:
                raise self.document.fail_at(_mark(key_node), f"the key {shorten(key)} appears twice.")
            seen.add(key)
            self.document.marks[(*place, key)] = _mark(key_node)
            yield key, self.convert(value_node, (*place, key))

    def _convert_scalar(self, node: Node) -> Any:
        tag = str(node.tag)
        if tag == _TIMESTAMP:
            return node.value
        try:
            value = self.constructor.construct_object(node)
            if isinstance(value, int) and value.bit_length() > _MOST_BITS:
                raise ValueError(tag)
            return _join_surrogates(value.translate(self.restored)) if isinstance(value, str) else value
        except UnicodeError:
            message = "the text holds half of a surrogate pair, which is not a character."
            raise self.document.fail_at(_mark(node), message) from None
        except (ValueError, KeyError, YAMLError):
            message = f"{shorten(node.value)} can't be read as {tag.rpartition(':')[2]}."
            raise self.document.fail_at(_mark(node), message, hint=_QUOTE) from None


def _suggest_file(path: Path) -> str:
    near = suggest(path.name, (each.name for each in path.parent.iterdir())) if path.parent.is_dir() else ""
    return near.strip(" ()").capitalize()


def _locate(text: str, position: int) -> tuple[int, int]:
    before = text[:position]
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def _hide_breaks(text: str) -> tuple[str, dict[int, str]]:
    """Return a text with stand-ins for what only the parser takes as line ends, and what they stand for."""
    found = [char for char in _BREAKS if char in text]
    unused = (chr(code) for code in range(0xE000, 0xF900) if chr(code) not in text)
    hidden = dict(zip(found, unused, strict=False))
    return text.translate(str.maketrans(hidden)), {ord(each): char for char, each in hidden.items()}


def _mark(node: Node) -> tuple[int, int]:
    return node.start_mark.line + 1, node.start_mark.column + 1


def _describe_fault(error: MarkedYAMLError, document: Document) -> FlowError:
    mark = error.problem_mark or error.context_mark
    problem = " ".join(str(error.problem or error.context).split())
    place = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    hint = next((hint for part, hint in _HINTS.items() if part in problem), "")
    return document.fail_at(place, f"this is not valid YAML: {problem}.", hint=hint)


def _join_surrogates(text: str) -> str:
    r"""Return a text with pairs of surrogates, such as ``\ud83d\ude00`` in JSON, as the characters that they mean."""
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
