from typing import Annotated, Any, Literal

import pytest

from core.base.errors import TableError
from core.goals.world import WorldState
from core.results.tool_results import ToolOutcome
from core.rules.param_types import TEXT, Selector
from core.rules.params import validate_params
from core.rules.rule_types import FromWorld, PlannerRule, VerbRow
from core.rules.signatures import join_rows
from core.rules.type_makers import integer, listing
from core.tools.ports import ActionContext, Toolset
from core.tools.registry import read_toolset

ROW = VerbRow(intent="cook", action_class="actuate", summary="baked {what}", description_template="Bake {what}")


class KitchenTools(Toolset):
    domain = "kitchen"
    intent = "cook"
    capability = "oven"

    async def bake(
        self,
        context: ActionContext,
        what: Annotated[str, TEXT],
        oven: Annotated[str, FromWorld("ovens")],
        spot: Selector | None = None,
        heat: Literal["low", "high"] = "low",
        tins: Annotated[tuple[Literal["round", "long"], ...], listing(TEXT, 2)] | None = None,
        minutes: Annotated[int, integer(1, 90)] = 30,
        fan: bool = False,
    ) -> ToolOutcome:
        """Bake."""
        return ToolOutcome()

    async def guess(self, context: ActionContext, what: dict[str, str]) -> ToolOutcome:
        """Guess."""
        return ToolOutcome()


TOOLS = read_toolset(KitchenTools)


def join(**parts: Any) -> PlannerRule:
    row = VerbRow(**{**{name: getattr(ROW, name) for name in VerbRow.__dataclass_fields__}, **parts})
    return join_rows({("kitchen", "bake"): row}, TOOLS)["kitchen", "bake"]


def test_what_has_no_default_is_required_and_what_is_none_may_be_left_out() -> None:
    rule = join()
    assert rule.required_params == ("what", "oven")
    assert rule.optional_params == ("spot", "heat", "tins", "minutes", "fan")
    assert rule.default_params == {"heat": "low", "minutes": 30, "fan": False}


def test_a_closed_set_is_read_in_its_order_also_within_a_list() -> None:
    assert join().allowed_values == {"oven": FromWorld("ovens"), "heat": ("low", "high"), "tins": ("round", "long")}


def test_a_type_that_is_annotated_comes_before_the_plain_one() -> None:
    types = join().param_types
    assert types["what"] is TEXT
    assert (types["oven"].label, types["fan"].label) == ("text, not empty", "true or false")
    assert types["minutes"].label == "integer 1 to 90"
    assert (types["spot"].label, types["spot"].aims) == ("selector", True)


def test_what_a_goal_says_is_held_to_the_signature() -> None:
    world = WorldState("linux", values={"ovens": ("big",)})
    wrong = validate_params(join(), {"what": "", "oven": "small", "heat": "hot", "minutes": 91, "gas": 1}, world)
    assert {(each.param, each.kind) for each in wrong.problems} == {
        ("oven", "not_allowed"),
        ("heat", "not_allowed"),
        ("minutes", "type"),
        ("gas", "unknown"),
    }
    assert validate_params(join(), {"what": "", "oven": "big"}, world).params == {
        "what": "",
        "oven": "big",
        "heat": "low",
        "minutes": 30,
        "fan": False,
    }


def test_a_semantic_param_is_the_row_s_own_and_comes_last() -> None:
    rule = join(semantic_params={"mood": str})
    assert rule.optional_params[-1] == "mood"
    assert rule.param_types["mood"].label == "text, not empty"


def test_a_type_of_which_nothing_is_known_is_refused_by_the_name_of_its_param() -> None:
    with pytest.raises(TableError, match=r"The type of what is dict\[str, str\], which says too little"):
        join_rows({("kitchen", "guess"): ROW}, TOOLS)


def test_a_row_without_a_tool_has_no_params() -> None:
    assert join_rows({("kitchen", "boil"): ROW}, TOOLS)["kitchen", "boil"].declared_params == ()
