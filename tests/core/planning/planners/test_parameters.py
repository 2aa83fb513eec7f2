from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import GoalError
from core.planning.planners.metadata import (
    ParameterKind,
    PlannerInput,
    PlannerMetadata,
    find_parameter_faults,
    read_parameters,
)

FITTING: dict[str, st.SearchStrategy[Any]] = {
    "text": st.text(),
    "integer": st.integers(),
    "number": st.integers() | st.floats(allow_nan=False, allow_infinity=False),
    "boolean": st.booleans(),
    "list": st.lists(st.integers()) | st.tuples(st.text()),
    "mapping": st.dictionaries(st.text(), st.integers()),
}
BESIDE: dict[str, list[Any]] = {
    "text": [1, None, True, []],
    "integer": [1.0, "1", True, None],
    "number": ["1", True, float("nan"), float("inf"), None],
    "boolean": [0, 1, "true", None],
    "list": ["abc", {}, None],
    "mapping": [[], "a", None],
}


def describe(*inputs: PlannerInput) -> PlannerMetadata:
    return PlannerMetadata(name="toy", description="A toy.", capabilities=("toy",), inputs=inputs)


def take(name: str, kind: Any = "text", **facts: Any) -> PlannerInput:
    return PlannerInput(name=name, kind=kind, description="What.", **facts)


@pytest.mark.parametrize("kind", get_args(ParameterKind))
@given(data=st.data())
def test_a_value_of_its_type_is_taken_as_it_is(kind: str, data: st.DataObject) -> None:
    value = data.draw(FITTING[kind])
    assert read_parameters(describe(take("x", kind)), {"x": value})["x"] is value


@pytest.mark.parametrize(("kind", "value"), [(kind, value) for kind, values in BESIDE.items() for value in values])
def test_a_value_of_another_type_is_refused(kind: str, value: Any) -> None:
    with pytest.raises(GoalError, match="“x” is not"):
        read_parameters(describe(take("x", kind)), {"x": value})


def test_all_faults_are_named_at_once() -> None:
    inputs = (take("goal"), take("depth", "integer"), take("mode", choices=("fast", "slow")))
    with pytest.raises(GoalError) as caught:
        read_parameters(describe(*inputs), {"gaol": 1, "depth": "deep", "mode": "odd"})
    assert caught.value.code == "bad_parameters"
    assert caught.value.evidence["faults"] == [
        "“gaol” is unknown",
        "“goal” is missing",
        "“depth” is not a whole number",
        "“mode” is none of fast, slow",
    ]


def test_what_need_not_be_given_has_its_default() -> None:
    inputs = (take("depth", "integer", is_required=False, default=3), take("note", is_required=False))
    assert dict(read_parameters(describe(*inputs), {})) == {"depth": 3, "note": None}
    assert dict(read_parameters(describe(*inputs), {"note": None, "depth": 4})) == {"depth": 4, "note": None}


@given(st.dictionaries(st.text(max_size=3), st.none() | st.integers() | st.text(max_size=3), max_size=5))
def test_anything_may_be_given_without_more_than_faults(given_values: dict[str, Any]) -> None:
    inputs = (take("a"), take("b", "integer", is_required=False, default=1))
    faults = find_parameter_faults(inputs, given_values)
    is_good = set(given_values) <= {"a", "b"} and isinstance(given_values.get("a"), str)
    assert (not faults) == (is_good and isinstance(given_values.get("b", 1), int))
