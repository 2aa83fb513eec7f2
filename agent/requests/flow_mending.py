"""Mending a flow's text: one text is put in the place of another, and every other byte stays; and what is left of a flow to be done."""

import json
import re
from collections.abc import Collection, Iterator

from ruamel.yaml import YAML
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from agent.requests.flows import Flow, parse_flow
from agent.requests.words.documents import DocumentPath, parse_document
from core.base.errors import FlowError, SurehandError
from core.base.late_dataclasses import dataclass, replace
from core.goals.meta_goals import ROOT, Goal
from core.goals.references import find_references

_ESCAPED, _OPENING = "$${", "${"
_BOM = "\ufeff"
_AFTER = "after:"
_TEXT = "tag:yaml.org,2002:str"
_UNWRITTEN = re.compile("[\x7f-\x9f\u2028\u2029\ufeff]")


@dataclass(frozen=True, slots=True)
class WrittenText:
    """A text where a flow's file has it.

    Attributes:
        style: How it is quoted: ``'``, ``"``, or nothing; ``|`` and ``>`` are blocks of lines.
    """

    place: DocumentPath
    value: str
    start: int
    end: int
    style: str


def list_texts(text: str) -> Iterator[WrittenText]:
    """Yield every text of a file; what is no text, such as a number, is left out.

    Raises:
        YAMLError: If it can't be read.
    """
    bare = text.removeprefix(_BOM)
    shift = len(text) - len(bare)
    for place, node in _list_scalars(YAML(typ="safe", pure=True).compose(bare), ()):
        start, end = node.start_mark.index + shift, node.end_mark.index + shift
        yield WrittenText(place, str(node.value), start, end, node.style or "")


def find_selectors(text: str, place: str, selector: str) -> list[WrittenText]:
    """Return where a goal of a flow has a selector just as it was used, so without a variable in it.

    Args:
        place: Where the goal's params stand, such as ``goals.3.browser.click``.
    """
    return [
        each
        for each in list_texts(text)
        if ".".join(map(str, each.place)).startswith(f"{place}.") and _unescape(each.value) == selector
    ]


def change_selector(content: bytes, place: str, selector: str, accepted: str) -> bytes:
    """Return a flow with another selector in one goal; all else stays byte for byte.

    Raises:
        FlowError: If the selector isn't there as it is, or the flow would say anything else than before.
    """
    text = content.decode("utf-8")
    found = find_selectors(text, place, selector)
    if not found:
        hint = "Run the flow again, or change it by hand."
        raise FlowError(f"The flow no longer has {selector} at {place}.", code="flow_changed", hint=hint)
    wanted = accepted.replace(_OPENING, _ESCAPED)
    changed = text
    for each in sorted(found, key=lambda one: -one.start):
        changed = put_text(changed, each, wanted)
    return changed.encode("utf-8")


def put_text(text: str, where: WrittenText, value: str) -> str:
    """Return a file's text with a value in one place, quoted as what stood there if that can say it.

    Raises:
        FlowError: If that can't be done without a change of anything else.
    """
    before = _read_data(text)
    wanted = _replace_at(before, where.place, value)
    for written in _write_styles(value, where.style):
        changed = text[: where.start] + written + text[where.end :]
        try:
            if _read_data(changed) == wanted:
                parse_document(changed.removeprefix(_BOM), "flow")
                return changed
        except SurehandError:
            continue
    text = f"The selector at {'.'.join(map(str, where.place))} can't be changed without changing more."
    raise FlowError(text, code="flow_not_writable", hint="Change it by hand.")


def _write_styles(value: str, style: str) -> Iterator[str]:
    single = f"'{value.replace(chr(39), 2 * chr(39))}'"
    double = _UNWRITTEN.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))
    if style == '"':
        yield double
    elif style == "" and value == value.strip():
        yield value
    yield single
    yield double


def _read_data(text: str) -> object:
    return parse_document(text.removeprefix(_BOM), "flow").data


def _replace_at(data: object, place: DocumentPath, value: str) -> object:
    if not place:
        return value
    first, *rest = place
    if isinstance(data, dict):
        return {key: _replace_at(each, tuple(rest), value) if key == first else each for key, each in data.items()}
    if isinstance(data, list):
        return [_replace_at(each, tuple(rest), value) if at == first else each for at, each in enumerate(data)]
    return data


def _list_scalars(node: Node | None, place: DocumentPath) -> Iterator[tuple[DocumentPath, ScalarNode]]:
    if isinstance(node, MappingNode):
        for key, value in node.value:
            yield from _list_scalars(value, (*place, str(key.value)))
    elif isinstance(node, SequenceNode):
        for index, each in enumerate(node.value):
            yield from _list_scalars(each, (*place, index))
    elif isinstance(node, ScalarNode) and str(node.tag) == _TEXT:
        yield place, node


def _unescape(text: str) -> str:
    return text if _OPENING in text.replace(_ESCAPED, "") else text.replace(_ESCAPED, _OPENING)


def leave_done(flow: Flow, done: Collection[str]) -> Flow | None:
    """Return what is left of a flow once some of its goals were done; None where that can't be done by itself.

    It can where all stand in one file, once each, and what is left is one chain of goals that uses nothing of what the others gave.
    """
    names = flow.places_of_goals
    if len(set(names.values())) < len(flow.goals):
        return None
    left = [
        (goal, place) for goal, place in zip(flow.goals, flow.places, strict=True) if names[goal.goal_id] not in done
    ]
    ids = {goal.goal_id: f"g{at}" for at, (goal, _) in enumerate(left)}
    goals: list[Goal] = []
    for goal, _ in left:
        parent = goal.scope.removeprefix(_AFTER)
        if goal.scope != ROOT and (not goal.scope.startswith(_AFTER) or parent not in names):
            return None
        if goal.terms.references or goal.terms.follows:
            return None
        if next(find_references((goal.params, [each.params for each in goal.verify])), None):
            return None
        scope = f"{_AFTER}{ids[parent]}" if parent in ids else ROOT
        terms = replace(goal.terms, only_with=ids.get(goal.terms.only_with, ""))
        goals.append(replace(goal, goal_id=ids[goal.goal_id], scope=scope, terms=terms))
    if sum(goal.scope == ROOT for goal in goals) != 1:
        return None
    places = tuple(place for _, place in left)
    documents = (flow.document,) * len(goals) if flow.documents else ()
    return replace(flow, goals=tuple(goals), places=places, documents=documents, names={}, is_part=True)


def check_flow(content: bytes, name: str) -> None:
    """Make sure that a text is a flow still, whatever its variables are.

    Raises:
        FlowError: If it isn't.
    """
    parse_flow(content.decode("utf-8-sig"), name=name)
