"""Documents: YAML or JSON text as plain data, with the line and column of every part.

Closed on purpose: no tags, no anchors, no duplicate keys, no deep nesting, no huge files.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from core.errors import FlowError

MAX_BYTES = 1_048_576
MAX_DEPTH = 40

Place = tuple[str | int, ...]
_SCALARS = {f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null")}
_TIMESTAMP = "tag:yaml.org,2002:timestamp"
_STRUCTURES = {"tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"}
_CONSTRUCTOR = YAML(typ="safe", pure=True).constructor


@dataclass(slots=True)
class Document:
    """A file's content.

    Attributes:
        name: How messages call the file.
        data: Mappings, lists and scalars.
        marks: Line and column, from 1, by place (keys and indexes from the top).
    """

    name: str
    data: Any = None
    marks: dict[Place, tuple[int, int]] = field(default_factory=dict[Place, tuple[int, int]])

    def fail(self, place: Place, message: str, *, hint: str = "", code: str = "") -> FlowError:
        """Return an error that names the nearest known line and column of a place."""
        while place and place not in self.marks:
            place = place[:-1]
        line, column = self.marks.get(place, (1, 1))
        text = f"{self.name}:{line}:{column}: {message}"
        evidence = {"file": self.name, "line": line, "column": column}
        return FlowError(text, hint=hint, code=code, evidence=evidence)


def read_document(path: Path) -> Document:
    """Read a YAML or JSON file.

    Args:
        path: File of at most 1 MiB, in UTF-8.

    Raises:
        FlowError: If it can't be read or isn't a closed document; names file, line and column.
    """
    document = Document(str(path))
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise document.fail((), f"the file has {size:,} bytes; at most {MAX_BYTES:,} are read.")
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise document.fail((), f"the file is not UTF-8: byte {error.start} can't be read.") from None
    except OSError as error:
        raise document.fail((), f"the file can't be read: {error.strerror}.") from error
    return parse_document(text, str(path))


def parse_document(text: str, name: str) -> Document:
    """Parse YAML or JSON text.

    Args:
        text: The text.
        name: How messages call it.

    Raises:
        FlowError: If it isn't a closed document; names line and column.
    """
    document = Document(name)
    try:
        node = YAML(typ="safe", pure=True).compose(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        document.marks[()] = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        raise document.fail((), f"this is no YAML: {error.problem or error.context}.") from None
    except YAMLError as error:
        raise document.fail((), f"this is no YAML: {' '.join(str(error).split())}.") from None
    except RecursionError:
        raise document.fail((), f"it is nested deeper than {MAX_DEPTH} levels.") from None
    document.data = None if node is None else _convert(node, (), document)
    return document


def _convert(node: Node, place: Place, document: Document) -> Any:
    mark = node.start_mark
    document.marks[place] = (mark.line + 1, mark.column + 1)
    if len(place) > MAX_DEPTH:
        raise document.fail(place, f"it is nested deeper than {MAX_DEPTH} levels.")
    if node.anchor is not None:
        raise document.fail(place, "anchors and aliases are not allowed.", hint="Write the value out, or use vars.")
    if isinstance(node, MappingNode):
        return dict(_convert_pairs(_checked(node, place, document), place, document))
    if isinstance(node, SequenceNode):
        _checked(node, place, document)
        return [_convert(each, (*place, index), document) for index, each in enumerate(node.value)]
    return _convert_scalar(node, place, document)


def _checked(node: Node, place: Place, document: Document) -> Node:
    tag = str(node.tag)
    if tag not in _STRUCTURES | _SCALARS | {_TIMESTAMP}:
        raise document.fail(place, f'the tag "{tag}" is not allowed; only plain data is.')
    return node


def _convert_pairs(node: Node, place: Place, document: Document) -> Iterator[tuple[str, Any]]:
    seen: set[str] = set()
    for key_node, value_node in node.value:
        key = _convert(key_node, place, document)
        mark = key_node.start_mark
        document.marks[(*place, str(key))] = (mark.line + 1, mark.column + 1)
        if not isinstance(key, str):
            raise document.fail((*place, str(key)), f"the key {key!r} must be text.", hint="Put it in quotes.")
        if key in seen:
            raise document.fail((*place, key), f'the key "{key}" stands twice.')
        seen.add(key)
        yield key, _convert(value_node, (*place, key), document)
    start = node.start_mark
    document.marks[place] = (start.line + 1, start.column + 1)


def _convert_scalar(node: Node, place: Place, document: Document) -> Any:
    tag = str(_checked(node, place, document).tag)
    if not isinstance(node, ScalarNode) or tag == _TIMESTAMP:
        return node.value
    try:
        return _CONSTRUCTOR.construct_object(node)
    except (ValueError, YAMLError):
        raise document.fail(place, f'"{node.value}" is not a {tag.rpartition(":")[2]}.') from None
