"""Goals files: structured goals in JSON or YAML, as a program would write them."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agent.requests.flows import MAX_GOALS, Flow
from agent.requests.words.documents import TOO_LARGE, Document, DocumentPath, parse_document, read_document
from core.base.budgets import Budget
from core.base.late_dataclasses import dataclass, field
from core.goals.meta_goals import ROOT, Goal
from core.goals.references import Reference
from core.goals.scopes import ScopeBook
from core.planner_rules import VERB_ROWS
from core.policy.policy import Policy
from core.rules.params import shorten, suggest

_KEYS = ("domain", "verb", "params", "object", "scope", "goal_id")
_NEEDED = ("domain", "verb")
_NUMBERED = re.compile(r"g[0-9]+")
_NAMES_NO_PARAM = re.compile(r"[^{}]+(\{lane\})?")
_SHARED = frozenset(
    domain for (domain, _), rule in VERB_ROWS.items() if any(_NAMES_NO_PARAM.fullmatch(each) for each in rule.resource)
)
"""Domains whose verbs act on one thing: the page, the desktop, the sound, the players."""


@dataclass(slots=True)
class _GoalReader:
    document: Document
    goals: list[Goal] = field(default_factory=list[Goal])
    ids: dict[str, str] = field(default_factory=dict[str, str])
    names: dict[str, str] = field(default_factory=dict[str, str])
    book: ScopeBook = field(default_factory=ScopeBook)
    latest: dict[str, str] = field(default_factory=dict[str, str])

    def follow(self, domain: str, verb: str) -> str:
        """Return the scope of a goal that names none: it comes after the one before on the same thing, unless it opens its own."""
        rule = VERB_ROWS.get((domain, verb))
        before = self.latest.get(domain)
        return f"after:{before}" if before and rule and not rule.session_bootstraps else ROOT

    def add(self, goal: Goal) -> None:
        """Append a goal."""
        self.goals.append(goal)
        self.book.add(goal)
        if goal.domain in _SHARED:
            self.latest[goal.domain] = goal.goal_id


def load_goals(path: Path) -> Flow:
    """Read a goals file: a list of goals, or a mapping with the key ``goals``.

    Each goal has ``domain``, ``verb``, and optionally ``params``, ``object``, ``scope`` (where absent, after the goal before
    it on the same page, desktop, sound or players, else ``root``) and ``goal_id`` (``g0``, ``g1``, … in order where absent).
    What is null is absent. A value ``{"$ref": "g1.text"}`` refers to an output of an
    earlier goal; texts are taken as they are.

    Raises:
        FlowError: If anything is wrong with it; names file, line and column.
    """
    return _read_goals(read_document(path), path.stem)


def parse_goals(text: str, *, name: str = "goals") -> Flow:
    """Read goals from text, as ``load_goals`` does from a file."""
    return _read_goals(parse_document(text, name), name)


def _read_goals(document: Document, name: str) -> Flow:
    data, place = document.data, ()
    if isinstance(data, dict) and set(data) == {"goals"}:
        data, place = data["goals"], ("goals",)
    if not isinstance(data, list) or not data:
        raise document.fail(place, "a goals file must be a list of at least one goal, or a mapping with the key goals.")
    if len(data) > MAX_GOALS:
        text = f"a goals file can have at most {MAX_GOALS:,} goals."
        raise document.fail(place, text, hint="Split it into several files.", code=TOO_LARGE)
    reader = _GoalReader(document)
    for index, entry in enumerate(data):
        _read_goal(entry, (*place, index), reader)
    places = tuple((*place, index, "params") for index in range(len(data)))
    return Flow(name, tuple(reader.goals), Policy(), Budget(), document, places, secrets=None, names=reader.names)


def _read_goal(entry: Any, place: DocumentPath, reader: _GoalReader) -> None:
    _check_entry(entry, place, reader.document)
    entry = {key: value for key, value in entry.items() if value is not None}
    goal_id = f"g{len(reader.goals)}"
    usual = reader.follow(entry["domain"], entry["verb"])
    scope = _read_scope(entry.get("scope", usual), place, reader)
    params = entry.get("params", {})
    bound = {key: _read_value(value, (*place, "params", key), reader) for key, value in params.items()}
    _take_id(entry.get("goal_id", goal_id), goal_id, place, reader)
    reader.add(Goal(entry["domain"], entry["verb"], bound, entry.get("object", ""), goal_id, scope))


def _check_entry(entry: Any, place: DocumentPath, document: Document) -> None:
    if not isinstance(entry, dict):
        raise document.fail(place, "a goal must be a mapping with domain, verb and params.")
    for key in entry:
        if key not in _KEYS:
            hint = f"Known keys: {', '.join(_KEYS)}."
            raise document.fail((*place, key), f"unknown key {shorten(key)}{suggest(key, _KEYS)}.", hint=hint)
    for key in ("domain", "verb", "object", "scope", "goal_id"):
        value = entry.get(key)
        if not isinstance(value, str | None):
            raise document.fail((*place, key), f"the {key} must be text, not {shorten(value)}.")
        if key in _NEEDED and not value:
            raise document.fail((*place, key), f"{key} is missing; it must be text.")
    if not isinstance(entry.get("params") or {}, dict):
        raise document.fail((*place, "params"), "params must be a mapping.")


def _take_id(name: str, goal_id: str, place: DocumentPath, reader: _GoalReader) -> None:
    if not name or name in reader.ids or (_NUMBERED.fullmatch(name) and name != goal_id):
        text = (
            f"the goal_id {shorten(name)} is taken or empty, or a number that isn't this goal's; it would be {goal_id}."
        )
        raise reader.document.fail((*place, "goal_id"), text)
    reader.ids |= {name: goal_id, goal_id: goal_id}
    if name != goal_id:
        reader.names[name] = goal_id


def _read_scope(scope: str, place: DocumentPath, reader: _GoalReader) -> str:
    form, _, target = scope.partition(":")
    if form == "after" and target in reader.ids:
        return f"after:{reader.ids[target]}"
    if fault := reader.book.resolve(scope)[1]:
        known = [*reader.ids, *reader.book.words]
        text = f"the scope {shorten(scope)} can't be used: {fault}{suggest(target, known)}."
        raise reader.document.fail((*place, "scope"), text, code="bad_scope")
    return scope


def _read_value(value: Any, place: DocumentPath, reader: _GoalReader) -> Any:
    if isinstance(value, list):
        return [_read_value(each, (*place, index), reader) for index, each in enumerate(value)]
    if not isinstance(value, Mapping):
        return value
    if set(value) == {"$ref"}:
        return _read_reference(value["$ref"], place, reader)
    return {key: _read_value(each, (*place, key), reader) for key, each in value.items()}


def _read_reference(text: object, place: DocumentPath, reader: _GoalReader) -> Reference:
    goal_id, _, key = text.partition(".") if isinstance(text, str) else ("", "", "")
    if not key:
        hint = 'Write goal id, dot, output: {"$ref": "g1.text"}.'
        raise reader.document.fail(place, f"{shorten(text)} is not a reference.", hint=hint)
    if goal_id not in reader.ids:
        message = f'no earlier goal is called "{goal_id}"{suggest(goal_id, reader.ids)}.'
        raise reader.document.fail(place, message, code="unknown_name")
    return Reference(reader.ids[goal_id], key)
