from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.goals.references import Reference
from core.planning.context import ContextFrame, consume_frames, produce_frames
from core.rules.param_types import TEXT
from core.rules.rule_types import ContextProduction
from tests.core.samples import make_rule

RULE = make_rule(
    optional_params=("place", "size"),
    param_types={"place": TEXT, "size": TEXT},
    context_production=ContextProduction("map", ("place", "size")),
    context_consumption={"place": ("map", "place")},
)
SILENT = make_rule(optional_params=("place",), param_types={"place": TEXT})


def frame(name: str, domain: str = "map", key: str = "place") -> ContextFrame:
    return ContextFrame(domain, {key: name}, name)


@pytest.mark.parametrize(
    ("params", "data"),
    [
        ({"place": "attic"}, {"place": "attic"}),
        ({"place": "attic", "size": 3, "colour": "red"}, {"place": "attic", "size": 3}),
        ({"place": "", "size": 0}, {"place": "", "size": 0}),
        ({"place": False}, {"place": False}),
        ({"place": None, "size": "x"}, {"size": "x"}),
        ({"place": ["attic"], "size": "x"}, {"size": "x"}),
        ({"place": Reference("g0", "text"), "size": "x"}, {"size": "x"}),
    ],
)
def test_a_frame_holds_the_scalars_that_its_rule_names(params: dict[str, Any], data: dict[str, Any]) -> None:
    assert produce_frames(RULE, params, "g3") == (ContextFrame("map", data, "g3"),)


@pytest.mark.parametrize("params", [{}, {"place": None}, {"place": ("a",)}, {"colour": "red"}])
def test_there_is_no_frame_where_no_key_is_left(params: dict[str, Any]) -> None:
    assert produce_frames(RULE, params, "g3") == ()


def test_a_rule_that_produces_nothing_leaves_no_frame() -> None:
    assert produce_frames(SILENT, {"place": "attic"}, "g3") == ()


def test_the_nearest_frame_that_has_the_key_fills_a_missing_param() -> None:
    frames = [frame("a", domain="other"), frame("b", key="size"), frame("c"), frame("d")]
    assert consume_frames(RULE, {}, frames) == {"place": "c"}
    assert consume_frames(RULE, {"place": None}, frames) == {"place": "c"}


@pytest.mark.parametrize("value", ["attic", "", 0, False])
def test_an_explicit_param_always_wins(value: object) -> None:
    assert consume_frames(RULE, {"place": value}, [frame("c")]) == {"place": value}


def test_a_rule_that_consumes_nothing_takes_nothing() -> None:
    assert consume_frames(SILENT, {}, [frame("c")]) == {}


def test_a_frame_is_read_only() -> None:
    data: dict[str, Any] = {"place": "attic"}
    made: Any = ContextFrame("map", data, "g0")
    data["place"] = "cellar"
    assert made.data == {"place": "attic"}
    with pytest.raises(TypeError):
        made.data["place"] = "cellar"


@given(st.dictionaries(st.sampled_from(["place", "size", "x"]), st.text(max_size=3)), st.lists(st.text(max_size=3)))
def test_filling_in_never_changes_or_drops_a_param_that_is_there(given: dict[str, str], names: list[str]) -> None:
    filled = consume_frames(RULE, given, [frame(name) for name in names])
    assert filled.items() >= given.items()
    assert set(filled) - set(given) <= {"place"}
