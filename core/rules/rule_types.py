"""VerbRow, one row of the rules table; and PlannerRule, the row joined with the signature of its tool."""

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from pydantic_core import SchemaValidator, core_schema

from core.base.late_dataclasses import dataclass, field
from core.rules.approval_classes import ApprovalClass

if TYPE_CHECKING:
    from core.rules.type_makers import ParamType

ActionClass = Literal["actuate", "observe"]
Repeat = Literal["safe", "at_most_once"]
UndoKind = Literal["inverse", "journal", "irreversible"]
Recovery = Literal["repeat", "compare", "ask"]
"""What settles an act that was begun and whose end was not written down:

- ``repeat``: it is done again, since doing it twice is doing it once;
- ``compare``: what was written down before the act is compared with the world, and that decides;
- ``ask``: a verifier of the flow decides, or a person; it is never done again by itself.
"""

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
    """Which validated params become a ContextFrame."""

    domain: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MadeName:
    """What a verb opens or makes, as it is remembered afterwards.

    Attributes:
        kind: What it is: ``page``, ``file``, ``app`` or ``target``.
        name: The param that names it, or else the key of the output.
    """

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class CommandLine:
    """Which params together start a program.

    Attributes:
        verb: ``domain.verb`` that it is where the arguments are code to the program; policy must allow that one as well.
    """

    program: str
    arguments: str
    verb: str


@dataclass(frozen=True, kw_only=True)
class VerbRow:
    """What the table says of a (domain, verb), beside what the signature of its tool says.

    Attributes:
        intent: Family of tools that may carry it out.
        action_class: ``actuate`` changes the world, ``observe`` doesn't.
        summary: A phrase for the reply, in the past tense; a template as ``core.base.phrases`` reads it.
        description_template: A phrase for the plan; likewise.
        choose_one: Groups of which exactly one param must be given.
        choose_any: Groups of which at least one param must be given.
        semantic_params: Params that shape the context and never become arguments of the tool, with the type of each as a signature says it.
        allow_semantic_only: Without its technical params the plan has frames and no action.
        context_consumption: ``{param: (domain, key)}`` to fill a missing param from context frames.
        session_bootstraps: Kinds of session that the tool opens when none is open.
        provides_substrate: The tool opens what it needs, so that it may come first.
        approval: What has to be approved before it runs.
        recovery: What settles it after a crash; None stands for ``repeat`` where repeating is safe and ``ask`` where it isn't.
        reads: What kind of thing its output was read from (``page``, ``file``, ``window``, …), which nobody vouches for;
            empty where the output is our own.
        destroys: The params that name what is lost by it: taken away, overwritten, closed or ended. Words like "it" are asked
            about there, where they may mean something else.
        resource: What it must hold alone; braces name params or ``lane``: ``page:{lane}``.
        opens: What it opens; None where that is nothing.
        makes: What it makes; None where that is nothing. Files that a receipt lists as made are known beside.
        ends_programs: It is there to end programs; of others it is told which ended meanwhile.
        needs: Capabilities of the machine; ``session:<kind>`` an open session.
        opt_in: It runs only where policy names it.
        command: The params that start a program, where what it is given may be code.
        timeout_s: Seconds until it is given up; a ``timeout`` param and 5 s more take its place, and a ``lasting`` param is added.
    """

    intent: str
    action_class: ActionClass
    summary: str
    description_template: str
    choose_one: tuple[tuple[str, ...], ...] = ()
    choose_any: tuple[tuple[str, ...], ...] = ()
    semantic_params: Mapping[str, Any] = field(default_factory=dict[str, Any])
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
    opens: MadeName | None = None
    makes: MadeName | None = None
    holds_seat: bool = False
    ends_programs: bool = False
    needs: tuple[str, ...] = ()
    opt_in: bool = False
    command: CommandLine | None = None
    timeout_s: float = 30

    @property
    def settled_by(self) -> Recovery:
        """What settles it after a crash."""
        return self.recovery or ("repeat" if self.repeat == "safe" else "ask")


@dataclass(frozen=True, kw_only=True)
class PlannerRule(VerbRow):
    """How one (domain, verb) becomes an action: its row, and its params as the signature of its tool says them.

    Attributes:
        required_params: Must be given, or come from context.
        allowed_values: Closed sets of values; anything else is ``blocked``.
    """

    required_params: tuple[str, ...] = ()
    optional_params: tuple[str, ...] = ()
    param_types: "Mapping[str, ParamType]" = field(default_factory=dict[str, "ParamType"])
    allowed_values: Mapping[str, tuple[str, ...] | FromWorld] = field(
        default_factory=dict[str, "tuple[str, ...] | FromWorld"]
    )
    default_params: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def __post_init__(self) -> None:
        """Make the mappings read-only: an action carries its rule to whoever chooses a tool for it."""
        for name in ("param_types", "allowed_values", "default_params", "context_consumption"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    @cached_property
    def validator(self) -> SchemaValidator:
        """Checks all params by their types; compiled when it is first used, since a run uses few of the rules."""
        fields = {
            name: core_schema.typed_dict_field(each.schema, required=False) for name, each in self.param_types.items()
        }
        schema = core_schema.typed_dict_schema(fields, extra_behavior="forbid")
        return SchemaValidator(schema)

    @property
    def targets(self) -> tuple[str, ...]:
        """The params that name what is acted on, by their types."""
        return tuple(name for name in self.declared_params if self.param_types[name].aims)

    @property
    def declared_params(self) -> tuple[str, ...]:
        """All params, the required ones first."""
        return self.required_params + self.optional_params


def list_destroyed(rules: Mapping[RuleKey, VerbRow]) -> dict[str, tuple[str, ...]]:
    """Return the params that name what a verb destroys, by ``domain.verb``."""
    return {f"{domain}.{verb}": rule.destroys for (domain, verb), rule in rules.items() if rule.destroys}
