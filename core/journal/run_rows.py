"""Run rows: what the journal says of a run as a whole, and how a run is read back from all its rows."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.addresses.path_parts import lies_inside
from core.base.errors import GoalError, JournalError
from core.base.late_dataclasses import dataclass, field, fields, replace
from core.base.scope_paths import ScopePath, read_scope
from core.goals.references import Reference
from core.goals.step_terms import PLAIN_TERMS, RowLoop, StepCondition, StepTerms
from core.goals.world import WorldState
from core.journal.journal import JournalEntry, Row, RowState, RunRecord
from core.journal.serialization import pack_value, unpack_value
from core.planning.graph import PlanGraph, build_graph
from core.planning.plans import PlannedAction, compute_digest, freeze
from core.policy.policy import Policy
from core.policy.policy_rules import read_rule
from core.results.records import to_data
from core.rules.rule_types import PlannerRule, RuleKey
from core.rules.type_makers import ANYTHING

_PLAIN_TERMS = ("only_with", "attempts", "wait_s", "is_question", "always", "round_of", "row_digest")


def pack_terms(action: PlannedAction) -> dict[str, Any]:
    """Return the groups and terms of an action as data that ``unpack_terms`` reads back."""
    found: dict[str, Any] = {"groups": list(action.groups)} if action.groups else {}
    terms = action.terms
    if terms == PLAIN_TERMS:
        return found
    packed = {name: getattr(terms, name) for name in _PLAIN_TERMS} | {"follows": list(terms.follows)}
    packed["conditions"] = _pack_conditions(terms.conditions)
    if terms.loop:
        packed["loop"] = _pack_loop(terms.loop)
    if terms.rounds_above:
        packed["rounds_above"] = list(terms.rounds_above)
    return {**found, "terms": packed}


def unpack_terms(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the groups and terms that ``pack_terms`` packed, by the names of the attributes; a ValueError if they are none."""
    found: dict[str, Any] = {"groups": tuple(data.get("groups", ())), "terms": PLAIN_TERMS}
    if packed := data.get("terms"):
        found["terms"] = StepTerms(
            conditions=_unpack_conditions(packed["conditions"]),
            follows=tuple(packed["follows"]),
            loop=_unpack_loop(packed.get("loop")),
            rounds_above=tuple(packed.get("rounds_above", ())),
            **{name: packed[name] for name in _PLAIN_TERMS},
        )
    return found


def _pack_conditions(conditions: Sequence[StepCondition]) -> list[Any]:
    return [[pack_value(each.value), each.comparison, pack_value(each.wanted), each.unless] for each in conditions]


def _unpack_conditions(packed: Any) -> tuple[StepCondition, ...]:
    return tuple(
        StepCondition(unpack_value(value), comparison, unpack_value(wanted), unless)
        for value, comparison, wanted, unless in packed
    )


def _pack_loop(loop: RowLoop) -> list[Any]:
    around = {"conditions": _pack_conditions(loop.conditions), "each": loop.each}
    if loop.within:
        around["within"] = _pack_loop(loop.within)
    return [loop.loop_id, [loop.rows.goal_id, loop.rows.key], loop.at_most, loop.title, loop.collects, around]


def _unpack_loop(packed: Any) -> RowLoop | None:
    if packed is None:
        return None
    loop_id, rows, at_most, title, collects, around = packed
    return RowLoop(
        loop_id,
        Reference(*rows),
        at_most,
        title,
        collects,
        _unpack_conditions(around["conditions"]),
        around["each"],
        _unpack_loop(around.get("within")),
    )


UNDOING = "undo:"
"""What stands before the id of an action where a row is about taking it back."""

_NESTED = {"args", "resources", "rule", "verifier", "written", "groups", "terms"}


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """A run as its rows tell it.

    Attributes:
        asked: What was asked for, in the person's words or as the name of a flow.
        rows: By action id, what was said of the action, in order; taking back has rows of its own.
        ended: How the run ended; empty where it was cut short.
        secrets: Names of the secrets that it may use; None for all.
        workspace: Its working folder, absolute; empty where it had none.
        scope: For whom and within what it was; None in runs of before there was one.
        planner: The planner that it carries out, as data; empty for none.
        model: Name of the model that the planner may ask; empty for the usual one.
    """

    run_id: str
    asked: str
    policy: Policy
    plan_digest: str
    graph: PlanGraph
    rows: Mapping[str, tuple[Row, ...]] = field(default_factory=dict[str, tuple[Row, ...]])
    ended: str = ""
    left_out: frozenset[str] = frozenset()
    principal: str = ""
    secrets: tuple[str, ...] | None = None
    workspace: str = ""
    scope: ScopePath | None = None
    planner: Mapping[str, Any] = field(default_factory=dict[str, Any])
    model: str = ""

    def find_last(self, action_id: str, *states: RowState) -> Row | None:
        """Return the last row about an action that has one of these states."""
        return next((row for row in reversed(self.rows.get(action_id, ())) if row.entry.state in states), None)

    def check_workspace(self, world: WorldState) -> None:
        """Refuse by a GoalError to take the run up from another folder, such as a copy: its paths would lead out of that."""
        here = world.workspace
        is_same = here == self.workspace or (
            lies_inside(here, self.workspace, world.platform) and lies_inside(self.workspace, here, world.platform)
        )
        if not is_same:
            there = f'"{self.workspace}"' if self.workspace else "no folder"
            text = f"Run {self.run_id} belongs to {there}; this is “{here}”."
            hint = "Go to that folder, or repeat the request here."
            raise GoalError(text, code="other_workspace", hint=hint)

    def narrow_policy(self, today: Policy) -> Policy:
        """Return what may be touched on going on or back: what is allowed today, as far as the run had it too.

        Nothing that the run had approved beforehand or allowed by name is taken from its rows.

        Args:
            today: What the person and the settings allow now, with absolute roots.
        """
        named = tuple(verb for verb in today.extra_verbs if verb in self.policy.extra_verbs)
        return replace(today.narrow(self.policy), extra_verbs=named)

    def find_back(self, action_id: str, since: Row) -> RowState | None:
        """Return how far it got to take an act back after a row about it; None if nobody began."""
        back = self.find_last(f"{UNDOING}{action_id}", "intent", "undone", "failed")
        return back.entry.state if back and back.position > since.position else None


def note_plan(run_id: str, graph: PlanGraph, facts: Mapping[str, Any], policy: Policy) -> list[JournalEntry]:
    """Return the rows with which a run begins: its terms, and every action as it was planned.

    Args:
        facts: ``asked``, ``plan_digest``, ``principal``, ``scope``, ``workspace``, ``left_out`` where something was not selected, and ``secrets``
            (names) where only some may be used.
    """
    begun = JournalEntry(run_id, "", "begun", {**to_data(facts), "policy": to_data(policy)})
    return [begun, *(note_planned(run_id, action, graph) for action in graph.nodes.values())]


def note_planned(run_id: str, action: PlannedAction, graph: PlanGraph) -> JournalEntry:
    """Return the row of an action as it was planned."""
    body = {"action": _pack_action(action), "parents": list(graph.parents(action.action_id))}
    return JournalEntry(run_id, action.action_id, "planned", body)


def note_end(run_id: str, outcome: str) -> JournalEntry:
    """Return the row with which a run ends."""
    return JournalEntry(run_id, "", "ended", {"outcome": outcome})


def read_run(record: RunRecord, rules: Mapping[RuleKey, PlannerRule]) -> RecordedRun:
    """Return a run from its rows, each action with its row of today's table.

    Raises:
        JournalError: ``journal_damaged`` if rows are bad, missing, or don't say what they must.
    """
    if record.damage:
        text = f"The record of run {record.run_id} is damaged: {'; '.join(record.damage)}."
        hint = "Nothing of it is repeated. Check what it did, and request the rest again."
        raise JournalError(text, code="journal_damaged", hint=hint)
    try:
        return _read_run(record, rules)
    except (KeyError, TypeError, ValueError, AttributeError, StopIteration) as fault:
        text = f"The record of run {record.run_id} can't be read: {fault!r}."
        raise JournalError(text, code="journal_damaged") from fault


def _read_run(record: RunRecord, rules: Mapping[RuleKey, PlannerRule]) -> RecordedRun:
    begun = next(row.entry.body for row in record.rows if row.entry.state == "begun")
    planned = [row.entry.body for row in record.rows if row.entry.state == "planned"]
    actions = [_unpack_action(body["action"], rules) for body in planned]
    edges = [(parent, body["action"]["action_id"]) for body in planned for parent in body["parents"]]
    rows: dict[str, tuple[Row, ...]] = {}
    for row in record.rows:
        rows[row.entry.action_id] = (*rows.get(row.entry.action_id, ()), row)
    policy: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in begun["policy"].items()
    }
    policy["rules"] = tuple(map(read_rule, begun["policy"]["rules"]))
    return RecordedRun(
        run_id=record.run_id,
        asked=begun["asked"],
        policy=Policy(**policy),
        plan_digest=begun["plan_digest"],
        graph=build_graph(actions, edges),
        rows=rows,
        ended=_find_end(record.rows),
        left_out=frozenset(begun.get("left_out", ())),
        principal=str(begun.get("principal", "")),
        workspace=str(begun.get("workspace", "")),
        scope=read_scope(begun["scope"]) if begun.get("scope") else None,
        planner=begun.get("planner", {}),
        model=str(begun.get("model", "")),
        secrets=None if begun.get("secrets") is None else tuple(map(str, begun["secrets"])),
    )


def _find_end(rows: Iterable[Row]) -> str:
    ended = ""
    for row in rows:
        if row.entry.state == "ended":
            ended = row.entry.body["outcome"]
        elif row.entry.state == "resumed":
            ended = ""
    return ended


def _pack_action(action: PlannedAction) -> dict[str, Any]:
    plain = {each.name: getattr(action, each.name) for each in fields(action) if each.name not in _NESTED}
    verifier = [_pack_action(each) for each in action.verifier]
    packed = {"args": pack_value(action.args), "resources": list(action.resources), "verifier": verifier}
    marks = {"written": dict(action.written)} if action.written else {}
    return {**plain, **packed, **marks, **pack_terms(action)}


def _unpack_action(data: Mapping[str, Any], rules: Mapping[RuleKey, PlannerRule]) -> PlannedAction:
    parts: dict[str, Any] = {**data, "args": unpack_value(data["args"]), "resources": tuple(data["resources"])}
    parts["written"] = freeze(data.get("written", {}))
    parts |= unpack_terms(data)
    parts["verifier"] = tuple(_unpack_action(each, rules) for each in data["verifier"])
    parts["rule"] = rules.get((data["domain"], data["verb"])) or _recall_rule(parts)
    action = PlannedAction(**parts)
    if compute_digest(action.domain, action.intent, action.verb, action.args) != action.digest:
        raise ValueError(f"the arguments of {action.action_id} differ from the planned ones")
    return action


def _recall_rule(parts: Mapping[str, Any]) -> PlannerRule:
    """Return what an action says of the row that it was planned by, where the table has none for its verb any more."""
    args = tuple(parts["args"])
    return PlannerRule(
        intent=parts["intent"],
        action_class=parts["action_class"],
        summary=parts["summary"],
        description_template="",
        required_params=args,
        param_types=dict.fromkeys(args, ANYTHING),
        approval=parts["approval"],
        repeat=parts["repeat"],
        recovery=parts["recovery"],
        reads=parts["reads"],
        undo=parts["undo"],
        resource=parts["resources"],
        timeout_s=parts["timeout_s"],
    )
