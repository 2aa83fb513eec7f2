"""A single text of a YAML or JSON file, found and replaced where it stands: every other byte of the file stays."""

import json
import re
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from agent.requests.words.documents import DocumentPath, parse_document
from core.base.errors import SurehandError

_MARK = "\ufeff"
_FLOWING = (None, "'", '"')
"""Styles of texts that begin and end in a line of their own: plain and quoted ones, no blocks."""

_TEXT = "tag:yaml.org,2002:str"
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff]")


class ScalarError(Exception):
    """A text can't be replaced where it stands; says why."""


def find_scalar(text: str, place: DocumentPath) -> str:
    """Return a text of a file.

    Raises:
        ScalarError: If there is no text at that place, or it is written as a block of lines.
    """
    return str(_find(text.removeprefix(_MARK), place).value)


def replace_scalar(text: str, place: DocumentPath, new: str) -> str:
    """Return the text of a file with another text at one place, in double quotes.

    Raises:
        ScalarError: If that can't be done without a change of anything else.
    """
    bare = text.removeprefix(_MARK)
    node = _find(bare, place)
    quoted = _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(new, ensure_ascii=False))
    changed = bare[: node.start_mark.index] + quoted + bare[node.end_mark.index :]
    try:
        before, after = parse_document(bare, "before"), parse_document(changed, "after")
    except SurehandError as error:
        raise ScalarError(f"the file would no longer be read: {error.message}") from None
    _set(before.data, place, new)
    if before.data != after.data:
        raise ScalarError("it can't be written without a change of something else")
    return text[: len(text) - len(bare)] + changed


def _find(text: str, place: DocumentPath) -> ScalarNode:
    try:
        node = YAML(typ="safe", pure=True).compose(text)
    except YAMLError:
        raise ScalarError("the file can't be read") from None
    for part in place:
        node = _step(node, part)
    if not isinstance(node, ScalarNode) or str(node.tag) != _TEXT:
        raise ScalarError("it does not stand in the file as a text")
    if node.style not in _FLOWING:
        raise ScalarError("it is written as a block of lines")
    return node


def _step(node: Node | None, part: str | int) -> Node | None:
    if isinstance(node, MappingNode):
        return next((value for key, value in node.value if key.value == part), None)
    if isinstance(node, SequenceNode) and isinstance(part, int) and part < len(node.value):
        return node.value[part]
    return None


def _set(data: Any, place: DocumentPath, new: str) -> None:
    for part in place[:-1]:
        data = data[part]
    data[place[-1]] = new
