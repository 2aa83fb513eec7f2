"""PlannerRule, one row of the rules table, and the checks that every row passes before the program starts."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from pydantic_core import SchemaValidator, ValidationError, core_schema

from core.base.errors import TableError
from core.base.phrases import is_template, name_fields
from core.results.provenance import ORIGIN_KINDS
from core.results.recovery import Recovery
from core.rules.param_types import ParamType
from core.tools.registry import ToolSpec

ActionClass = Literal["actuate", "observe"]
ApprovalClass = Literal["none", "confirm", "apply_diff", "run_job"]
Repeat = Literal["safe", "at_most_once"]
UndoKind = Literal["inverse", "journal", "irreversible"]
RuleKey = tuple[str, str]


@dataclass(frozen=True, slots=True)
class FromWorld:
    """Allowed values that the WorldState lists, since configuration may add some.

    Attributes:
        name: Key in ``WorldState.values``.
    """

    name: str


@dataclass(frozen=True, slots=True)
class ContextProduction:
    """Which validated params become a ContextFrame.

    Attributes:
        domain: Domain of the frame.
        keys: Params to keep.
    """

    domain: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CommandLine:
    """Which params together start a program.

    Attributes:
        program: The param that names it.
        arguments: The param with its arguments.
        verb: ``domain.verb`` that it is where the arguments are code to the program; policy must allow that one as well.
    """

    program: str
    arguments: str
    verb: str


@dataclass(frozen=True, kw_only=True)
class PlannerRule:
    """How one (domain, verb) becomes an action.

    Attributes:
        intent: Family of tools that may carry it out.
        action_class: ``actuate`` changes the world, ``observe`` doesn't.
        summary: A phrase for the reply, in the past tense; a template as ``core.base.phrases`` reads it.
        description_template: A phrase for the plan; likewise.
        required_params: Must be given, or come from context.
        optional_params: May be given.
        choose_one: Groups of which exactly one param must be given.
        choose_any: Groups of which at least one param must be given.
        param_types: A type for every param.
        allowed_values: Closed sets of values; anything else is ``blocked``.
        semantic_params: Params that shape the context and never become arguments of the tool.
        default_params: Filled in where absent, and then as authoritative as the rest.
        allow_semantic_only: Without its technical params the plan has frames and no action.
        context_consumption: ``{param: (domain, key)}`` to fill a missing param from context frames.
        context_production: The frame that the validated params leave.
        session_bootstraps: Kinds of session that the tool opens when none is open.
        provides_substrate: The tool opens what it needs, so that it may come first.
        approval: What has to be approved before it runs.
        repeat: Whether doing it twice is harmless.
        recovery: What settles it after a crash; None stands for ``repeat`` where repeating is safe and ``ask`` where it isn't.
        reads: What kind of thing its output was read from (``page``, ``file``, ``window``, …), which nobody vouches for;
            empty where the output is our own.
        undo: How it is taken back.
        destroys: The params that name what is lost by it: taken away, overwritten, closed or ended. Words like "it" are asked
            about there, where they may mean something else.
        resource: What it must hold alone; braces name params or ``lane``: ``page:{lane}``.
        needs: Capabilities of the machine; ``session:<kind>`` an open session.
        opt_in: It runs only where policy names it.
        command: The params that start a program, where what it is given may be code.
        timeout_s: Seconds until it is given up; a ``timeout`` param and 5 s more take its place, and a ``lasting`` param is added.
    """

    intent: str
    action_class: ActionClass
    summary: str
    description_template: str
    required_params: tuple[str, ...] = ()
    optional_params: tuple[str, ...] = ()
    choose_one: tuple[tuple[str, ...], ...] = ()
    choose_any: tuple[tuple[str, ...], ...] = ()
    param_types: Mapping[str, ParamType] = field(default_factory=dict[str, ParamType])
    allowed_values: Mapping[str, tuple[str, ...] | FromWorld] = field(
        default_factory=dict[str, "tuple[str, ...] | FromWorld"]
    )
    semantic_params: tuple[str, ...] = ()
    default_params: Mapping[str, Any] = field(default_factory=dict[str, Any])
    allow_semantic_only: bool = False
    context_consumption: Mapping[str, RuleKey] = field(default_factory=dict[str, RuleKey])
    context_production: ContextProduction | None = None
    session_bootstraps: tuple[str, ...] = ()
    provides_substrate: bool = False
    approval: ApprovalClass = "none"
    repeat: Repeat = "at_most_once"
    recovery: Recovery | None = None
    reads: str = ""
    undo: UndoKind = "irreversible"
    destroys: tuple[str, ...] = ()
    resource: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    opt_in: bool = False
    command: CommandLine | None = None
    timeout_s: float = 30.0

    @cached_property
    def validator(self) -> SchemaValidator:
        """Checks all params by their types; compiled when it is first used, since a run uses few of the rules."""
        fields = {
            name: core_schema.typed_dict_field(each.schema, required=False) for name, each in self.param_types.items()
        }
        schema = core_schema.typed_dict_schema(fields, extra_behavior="forbid")
        return SchemaValidator(schema)

    @property
    def settled_by(self) -> Recovery:
        """What settles it after a crash."""
        return self.recovery or ("repeat" if self.repeat == "safe" else "ask")

    @property
    def declared_params(self) -> tuple[str, ...]:
        """All params, the required ones first."""
        return self.required_params + self.optional_params


def check_table(rules: Mapping[RuleKey, PlannerRule], tools: Collection[ToolSpec]) -> None:
    """Check every row, alone and against the tools; refuse to start on drift.

    Args:
        rules: The table.
        tools: Every published tool.

    Raises:
        TableError: If anything is wrong; lists everything that is.
    """
    by_name = {(tool.domain, tool.verb): tool for tool in tools}
    made = [rule.context_production for rule in rules.values() if rule.context_production]
    produced = {(each.domain, key) for each in made for key in each.keys}
    faults = [f"{domain}.{verb} has a tool but no rule" for domain, verb in by_name.keys() - rules.keys()]
    for (domain, verb), rule in rules.items():
        found = find_faults(rule) + _find_tool_faults(rule, by_name.get((domain, verb)))
        orphans = sorted(set(rule.context_consumption.values()) - produced)
        found += [f"it consumes {'.'.join(orphan)}, which no rule produces" for orphan in orphans]
        faults += [f"{domain}.{verb}: {fault}" for fault in found]
    if faults:
        raise TableError("The rules table is inconsistent: " + "; ".join(sorted(faults)))


def list_destroyed(rules: Mapping[RuleKey, PlannerRule]) -> dict[str, tuple[str, ...]]:
    """Return the params that name what a verb destroys, by ``domain.verb``.

    Args:
        rules: The table.
    """
    return {f"{domain}.{verb}": rule.destroys for (domain, verb), rule in rules.items() if rule.destroys}


def find_faults(rule: PlannerRule) -> list[str]:
    """Return what is wrong with a row, in words; empty if nothing is."""
    if broken := [each for each in _list_templates(rule) if not is_template(each)]:
        return [f"{', '.join(map(repr, broken))} can't be read as a template"]
    declared = set(rule.declared_params)
    consumed = set(rule.context_consumption)
    produced = set(rule.context_production.keys if rule.context_production else ())
    grouped = {name for group in rule.choose_one + rule.choose_any for name in group}
    uses = {
        "param_types": set(rule.param_types),
        "allowed_values": set(rule.allowed_values),
        "default_params": set(rule.default_params),
        "semantic_params": set(rule.semantic_params),
        "destroys": set(rule.destroys),
        "context_consumption": consumed,
        "context_production": produced,
        "choose_one or choose_any": grouped,
        "description_template": name_fields(rule.description_template),
        "summary": name_fields(rule.summary),
        "command": {rule.command.program, rule.command.arguments} if rule.command else set[str](),
        "resource": {name for each in rule.resource for name in name_fields(each)} - {"lane"},
    }
    faults = [
        f"{where} names {', '.join(sorted(names - declared))}, which the rule doesn't declare"
        for where, names in uses.items()
        if names - declared
    ]
    if len(declared) != len(rule.declared_params):
        faults.append("a param is declared twice")
    if untyped := declared - set(rule.param_types):
        faults.append(f"{', '.join(sorted(untyped))} has no type")
    if guessed := consumed & set(rule.destroys):
        faults.append(f"{', '.join(sorted(guessed))} names what is destroyed, and may not come from context")
    if both := set(rule.required_params) & set(rule.default_params):
        faults.append(f"{', '.join(sorted(both))} is required and has a default")
    return faults + _find_class_faults(rule)


def _find_class_faults(rule: PlannerRule) -> list[str]:
    faults: list[str] = []
    if rule.action_class == "observe" and rule.repeat != "safe":
        faults.append("an observing verb must be safe to repeat")
    if rule.session_bootstraps and not rule.provides_substrate:
        faults.append("it opens sessions but doesn't provide its substrate")
    if rule.reads and rule.reads not in ORIGIN_KINDS:
        faults.append(
            f"it reads from {rule.reads}, which is not a kind of thing; there are {', '.join(sorted(ORIGIN_KINDS))}"
        )
    if not 0 < rule.timeout_s <= 3600:
        faults.append("timeout_s must be above 0 and at most 3600")
    for name, allowed in rule.allowed_values.items():
        default = rule.default_params.get(name)
        if default is not None and not isinstance(allowed, FromWorld) and default not in allowed:
            faults.append(f"the default of {name} is not an allowed value")
    return faults + _find_default_faults(rule)


def _find_default_faults(rule: PlannerRule) -> list[str]:
    known = {name: value for name, value in rule.default_params.items() if name in rule.param_types}
    try:
        rule.validator.validate_python(known)
    except ValidationError as error:
        return [f"the default of {each['loc'][0]} is ill-typed: {each['msg']}" for each in error.errors()]
    return []


def _list_templates(rule: PlannerRule) -> tuple[str, ...]:
    return (rule.description_template, rule.summary, *rule.resource)


def _find_tool_faults(rule: PlannerRule, tool: ToolSpec | None) -> list[str]:
    if tool is None or tool.intent != rule.intent:
        return [f"no tool of intent {rule.intent} exists for it"]
    arguments = set(rule.declared_params) - set(rule.semantic_params)
    faults = [f"its tool has no parameter {name}" for name in sorted(arguments - set(tool.params))]
    faults += [f"its tool's parameter {name} is undeclared" for name in sorted(set(tool.params) - arguments)]
    supplied = set(rule.required_params) | set(rule.default_params)
    faults += [f"its tool needs {name}" for name in sorted(set(tool.required) - supplied)]
    return faults
