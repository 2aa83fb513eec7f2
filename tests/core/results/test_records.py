import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import ErrorInfo
from core.goals.meta_goals import Goal
from core.goals.references import Reference, Template
from core.planning.plans import freeze
from core.results.records import from_data, to_data
from core.results.tool_results import RunResult, StepLog, ToolResult

json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text()),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
)


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (Reference("g1", "rows.0"), {"$ref": "g1.rows.0"}),
        (Template(("a", Reference("g1", "text"))), {"$template": ["a", {"$ref": "g1.text"}]}),
        ((1, [2, (3,)]), [1, [2, [3]]]),
        ({"b", "c", "a"}, ["a", "b", "c"]),
        (frozenset([2, 1]), [1, 2]),
        ({5: "x"}, {"5": "x"}),
        (
            ErrorInfo("bad", "No.", evidence={"a": (1,)}),
            {"code": "bad", "message": "No.", "hint": "", "evidence": {"a": [1]}},
        ),
        (b"x", "b'x'"),
    ],
)
def test_anything_becomes_plain_data(value: object, data: object) -> None:
    assert to_data(value) == data


@given(json_values)
def test_what_is_plain_data_already_stays_as_it_is(value: Any) -> None:
    assert to_data(value) == value
    assert to_data(freeze(value)) == value


def test_a_receipt_can_be_written_as_json() -> None:
    result = ToolResult("failed", output=freeze({"rows": [{"a": 1}]}), error=ErrorInfo("bad", "No."))
    data = to_data(StepLog("g0_a_1", "g0", "toy.a", "Do it", result, dropped=("x",)))
    assert isinstance(data, Mapping)
    assert json.loads(json.dumps(data)) == data
    assert data["result"]["output"] == {"rows": [{"a": 1}]}
    assert data["result"]["error"]["code"] == "bad"


def test_a_goal_keeps_its_references_readable() -> None:
    data = to_data(Goal("browser", "type", {"text": Reference("g0", "text")}))
    assert data["params"] == {"text": {"$ref": "g0.text"}}


def test_a_result_is_read_back_from_its_record_whatever_a_later_version_says_besides() -> None:
    error = ErrorInfo("dns_failed", "No such host.", evidence={"host": "x.test"})
    log = StepLog(
        "a1", "g1", "browser.navigate", "open x.test", ToolResult("failed", error=error, artifacts=("p.png",))
    )
    result = RunResult(run_id="r1", outcome="failed", reply="No.", step_logs=(log,), errors=(error,))
    told = json.loads(json.dumps(to_data(result))) | {"newer": [1]}
    told["step_logs"][0]["result"]["newer"] = 2
    assert from_data(RunResult, told) == result


def test_a_record_that_lacks_what_is_needed_is_no_result() -> None:
    with pytest.raises(TypeError):
        from_data(RunResult, {"run_id": "r1"})
