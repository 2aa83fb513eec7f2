from abc import abstractmethod
from typing import Any

import pytest

from actuators.verb_table import list_toolsets
from core.base.errors import AuthorityError, TableError
from core.results.tool_results import ToolCall, ToolOutcome
from core.tools.ports import ActionContext, Toolset
from core.tools.registry import ToolRegistry, read_toolset
from tests.core.samples import make_registry, provide_nothing
from tests.core.toys import Toys, ToyTools, make_toy_registry


class Small(Toolset):
    domain = "small"
    intent = "small_control"
    capability = "smallness"

    @abstractmethod
    async def shrink(self, context: ActionContext, what: str, how: str = "fast") -> ToolOutcome:
        """Shrink."""

    @abstractmethod
    async def grow(self, context: ActionContext) -> ToolOutcome:
        """Grow."""

    def describe(self) -> str:
        return "not abstract, so not a tool"


def test_every_abstract_method_is_a_tool_and_nothing_else() -> None:
    grow, shrink = read_toolset(Small)
    assert (grow.name, grow.domain, grow.intent, grow.verb) == ("small_grow", "small", "small_control", "grow")
    assert (grow.params, grow.required, grow.capability) == ((), (), "smallness")
    assert (shrink.params, shrink.required) == (("what", "how"), ("what",))


def test_tools_stand_sorted_by_name_whatever_the_order_of_registration() -> None:
    forwards, backwards = ToolRegistry(), ToolRegistry()
    for registry, toolsets in ((forwards, list_toolsets()), (backwards, list_toolsets()[::-1])):
        for toolset in toolsets:
            registry.register(toolset, provide_nothing)
    names = [spec.name for spec in forwards.specs()]
    assert names == sorted(names) == [spec.name for spec in backwards.specs()]
    assert len(names) == len(set(names))


async def test_a_family_is_taken_up_once_one_of_its_tools_is_asked_for() -> None:
    asked: list[str] = []

    def load() -> tuple[type[Toolset], ...]:
        asked.append("toy")
        return (ToyTools,)

    async def provide(_: type[Toolset]) -> Toolset:
        return Toys()

    registry = ToolRegistry()
    registry.register_family("toy", load, provide)
    assert registry.specs("small") == ()
    assert asked == []
    verb, _ = await registry.provide("toy_note")
    assert (verb, asked) == ("note", ["toy"])
    assert {spec.domain for spec in registry.specs("toy")} == {spec.domain for spec in registry.specs()} == {"toy"}
    assert asked == ["toy"]


def test_a_name_can_be_taken_only_once() -> None:
    registry = make_registry()
    with pytest.raises(TableError, match="Two tools are called browser_"):
        registry.register(list_toolsets()[0], provide_nothing)


def test_a_tool_that_takes_any_number_of_parameters_is_refused() -> None:
    class Greedy(Small):
        @abstractmethod
        async def eat(self, context: ActionContext, **params: str) -> ToolOutcome:
            """Eat."""

    with pytest.raises(TableError, match=r"small_eat: params must be one parameter with a type"):
        ToolRegistry().register(Greedy, provide_nothing)


def test_a_parameter_without_a_type_is_refused() -> None:
    async def eat(self: Toolset, context: ActionContext, what: str) -> ToolOutcome:
        raise AssertionError

    del eat.__annotations__["what"]
    vague: Any = type("Vague", (Small,), {"eat": abstractmethod(eat)})
    with pytest.raises(TableError, match=r"small_eat: what must be one parameter with a type"):
        ToolRegistry().register(vague, provide_nothing)


async def test_a_back_end_is_asked_for_only_when_a_tool_is_called() -> None:
    asked: list[type[Toolset]] = []

    async def provide(toolset: type[Toolset]) -> Toolset:
        asked.append(toolset)
        return Toys()

    registry = ToolRegistry()
    registry.register(ToyTools, provide)
    registry.specs()
    assert asked == []
    await registry.call(ToolCall("toy_note", {"text": "a"}), ActionContext("g0"))
    assert asked == [ToyTools]


async def test_a_call_reaches_the_back_end_with_its_context_and_params() -> None:
    toys, context = Toys(), ActionContext("g0_note_1", timeout_s=3)
    outcome = await make_toy_registry(toys).call(ToolCall("toy_note", {"text": "a"}), context)
    assert outcome.output == {"text": "a"}
    assert toys.contexts == [context]


async def test_a_call_of_a_tool_that_does_not_exist_is_refused() -> None:
    with pytest.raises(AuthorityError, match="no tool “browser_clack”"):
        await make_registry().call(ToolCall("browser_clack", {}), ActionContext("g0"))
