"""Goals files: structured goals in JSON or YAML, as a program would write them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agent.documents import Document, Place, read_document
from agent.flows import Flow
from core.budgets import Budget
from core.goals import ROOT, Goal
from core.params import suggest
from core.policy import Policy
from core.references import Reference

_KEYS = ("domain", "verb", "params", "object", "scope", "goal_id")


def load_goals(path: Path) -> Flow:
    """Read a goals file: a list of goals, or a mapping with the key ``goals``.

    Each goal has ``domain``, ``verb``, and optionally ``params``, ``object`` and ``scope`` (``root`` where absent). A
    value ``{"$ref": "g1.text"}`` refers to an output of an earlier goal.

    Args:
        path: JSON or YAML file.

    Raises:
        FlowError: If anything is wrong with it; names file, line and column.
    """
    document = read_document(path)
    data, place = document.data, ()
    if isinstance(data, dict) and set(data) == {"goals"}:
        data, place = data["goals"], ("goals",)
    if not isinstance(data, list) or not data:
        raise document.fail(place, "a goals file is a list of at least one goal, or a mapping with the key goals.")
    goals = tuple(_read_goal(entry, (*place, index), document) for index, entry in enumerate(data))
    places = tuple((*place, index, "params") for index in range(len(goals)))
    return Flow(path.stem, goals, Policy(), Budget(), document, places)


def _read_goal(entry: Any, place: Place, document: Document) -> Goal:
    if not isinstance(entry, dict):
        raise document.fail(place, "a goal is a mapping with domain, verb and params.")
    for key in entry:
        if key not in _KEYS:
            raise document.fail((*place, key), f'there is no key "{key}"{suggest(str(key), _KEYS)}.')
    for key in ("domain", "verb"):
        if not isinstance(entry.get(key), str) or not entry[key]:
            raise document.fail((*place, key), f"{key} is missing; it must be text.")
    params, scope = entry.get("params") or {}, entry.get("scope", ROOT)
    if not isinstance(params, dict):
        raise document.fail((*place, "params"), "params are a mapping.")
    if not isinstance(scope, str):
        raise document.fail((*place, "scope"), "the scope must be text.")
    bound = {str(key): _read_value(value, (*place, "params", key), document) for key, value in params.items()}
    return Goal(entry["domain"], entry["verb"], bound, str(entry.get("object", "")), scope=scope)


def _read_value(value: Any, place: Place, document: Document) -> Any:
    if isinstance(value, list):
        return [_read_value(each, (*place, index), document) for index, each in enumerate(value)]
    if not isinstance(value, Mapping):
        return value
    if set(value) == {"$ref"}:
        goal_id, _, key = str(value["$ref"]).partition(".")
        if not key:
            raise document.fail(place, f'"{value["$ref"]}" is no reference; write goal id, dot, output.')
        return Reference(goal_id, key)
    return {str(key): _read_value(each, (*place, str(key)), document) for key, each in value.items()}
