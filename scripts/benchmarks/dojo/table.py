"""A suite's tools as a benchmark's own rules and toolsets: a row for each, made from its schema, and the tools that call it.

Beside them is `reading.take`: what whoever reads, a person's rule or a model, takes out of what earlier steps read. Its answer is never vouched for.
"""

import inspect
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pydantic import TypeAdapter

from core.results.tool_results import ToolOutcome
from core.rules.param_types import TEXT
from core.rules.rule_checks import check_table
from core.rules.rule_types import PlannerRule, RuleKey
from core.rules.type_makers import ANYTHING, ParamType
from core.tools.ports import ActionContext, Toolset
from core.tools.registry import ToolRegistry

READING, TAKE, VALUE = "reading", "take", "value"


class Hands(Protocol):
    """What the tools of a table act with; another for each run."""

    async def call(self, function: str, args: Mapping[str, Any]) -> ToolOutcome:
        """Call one of the suite's functions."""
        ...

    def take(self, what: str) -> Any:
        """Return what is taken out of what was read."""
        ...


@dataclass(slots=True)
class Stage:
    """Where the tools of a table find the hands of the run that is going on.

    Attributes:
        hands: Those.
    """

    hands: Hands | None = None

    def require(self) -> Hands:
        """Return them.

        Raises:
            RuntimeError: If no run is going on.
        """
        if self.hands is None:
            raise RuntimeError("A tool was called outside of a run.")
        return self.hands


class StagedTools(Toolset):
    """Tools that act with the hands on a stage."""

    def __init__(self, stage: Stage) -> None:
        """Act on this stage."""
        self.stage = stage


class ReadingTools(StagedTools):
    """Takes a value out of what was read."""

    domain = READING
    intent = READING
    capability = READING

    async def take(self, context: ActionContext, what: str, of: tuple[str, ...]) -> ToolOutcome:
        """Take a value out of what was read.

        Args:
            context: About the action.
            what: Which value is meant.
            of: What was read.
        """
        del context, of
        return ToolOutcome({VALUE: self.stage.require().take(what)})


@dataclass(frozen=True, slots=True)
class SuiteTable:
    """The rules and tools of a suite.

    Attributes:
        name: Of the suite, which is the domain of its verbs.
        rules: A row for each tool.
        registry: The tools.
        stage: Where they find who acts.
        acting: Names of the functions that change something or fetch an address.
        fetching: Those of them that also give what somebody else wrote.
    """

    name: str
    rules: Mapping[RuleKey, PlannerRule]
    registry: ToolRegistry
    stage: Stage
    acting: frozenset[str]
    fetching: frozenset[str]


def make_table(
    name: str, functions: Sequence[Any], acting: Collection[str], fetching: Collection[str] = ()
) -> SuiteTable:
    """Return the table of a suite, checked as the product's own is.

    Args:
        name: Of the suite.
        functions: Its tools, each with a `name` and the pydantic model of its `parameters`.
        acting: Names of those that change something or fetch an address.
        fetching: Names of those that also give what somebody else wrote.

    Raises:
        TableError: If a row and its tool don't fit.
    """
    stage, registry = Stage(), ToolRegistry()

    async def provide(toolset: type[Toolset]) -> Toolset:
        made: Any = toolset
        return made(stage)

    rules = {(name, each.name): _make_rule(name, each, is_acting=each.name in acting) for each in functions}
    rules[READING, TAKE] = _make_reading_rule()
    registry.register(_make_toolset(name, functions), provide)
    registry.register(ReadingTools, provide)
    check_table(rules, registry.specs())
    return SuiteTable(name, rules, registry, stage, frozenset(acting), frozenset(fetching))


def _make_rule(suite: str, function: Any, *, is_acting: bool) -> PlannerRule:
    fields: Mapping[str, Any] = function.parameters.model_fields
    words = function.name.replace("_", " ")
    return PlannerRule(
        intent=suite,
        action_class="actuate" if is_acting else "observe",
        summary=f"did “{words}”",
        description_template=words.capitalize(),
        required_params=tuple(name for name, each in fields.items() if each.is_required()),
        optional_params=tuple(name for name, each in fields.items() if not each.is_required()),
        param_types={name: _make_type(each.annotation) for name, each in fields.items()},
        repeat="at_most_once" if is_acting else "safe",
        reads="page",
    )


def _make_type(annotation: Any) -> ParamType:
    return ParamType(str(getattr(annotation, "__name__", annotation)), TypeAdapter(annotation).core_schema)


def _make_reading_rule() -> PlannerRule:
    return PlannerRule(
        intent=READING,
        action_class="observe",
        summary="took {what}",
        description_template="Take {what} out of what was read",
        required_params=("what", "of"),
        param_types={"what": TEXT, "of": ANYTHING},
        repeat="safe",
    )


def _make_toolset(suite: str, functions: Sequence[Any]) -> type[Toolset]:
    """Return a toolset with a method for each function, whose signature is the function's."""
    methods = {each.name: _make_method(each.name, each.parameters.model_fields) for each in functions}
    tags = dict.fromkeys(("domain", "intent", "capability"), suite)
    return type(f"{suite.capitalize()}Tools", (StagedTools,), {**tags, **methods})


def _make_method(function: str, fields: Mapping[str, Any]) -> Any:
    async def call(self: StagedTools, context: ActionContext, **given: Any) -> ToolOutcome:
        del context
        return await self.stage.require().call(function, given)

    parts = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in ("self", "context")]
    parts += [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if each.is_required() else None,
            annotation=Any,
        )
        for name, each in fields.items()
    ]
    call.__dict__["__signature__"] = inspect.Signature(parts)
    call.__annotations__ = {**dict.fromkeys(fields, Any), "return": ToolOutcome}
    return call
