"""What was planned comes out of the journal as it went in."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.goals.references import Reference, Template
from core.goals.secret_values import Secret
from core.journal.serialization import pack_value, unpack_value
from core.planning.plans import compute_digest, freeze

names = st.from_regex(r"[a-z_][a-z0-9_]{0,8}", fullmatch=True)
references = st.builds(Reference, names, names)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
stand_ins = (
    references | st.builds(Secret, names) | st.builds(Template, st.lists(st.text() | references, max_size=4).map(tuple))
)
values = st.recursive(
    scalars | stand_ins,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(values)
def test_any_planned_value_survives_json(value: Any) -> None:
    packed = json.loads(json.dumps(pack_value(value)))
    assert unpack_value(packed) == freeze(value)
    assert compute_digest("a", "b", "c", {"x": unpack_value(packed)}) == compute_digest("a", "b", "c", {"x": value})


@pytest.mark.parametrize("written", ["secret", "ref", "map", "template"])
def test_a_mapping_that_looks_like_a_stand_in_stays_a_mapping(written: str) -> None:
    value = {written: "x"}
    assert unpack_value(pack_value(value)) == value


@pytest.mark.parametrize("packed", [{}, {"ref": ["a"]}, {"other": 1}, {"map": {}, "ref": ["a", "b"]}, {"secret": 1}])
def test_what_was_not_packed_is_refused(packed: Any) -> None:
    with pytest.raises(ValueError, match="not a packed value"):
        unpack_value(packed)


def test_what_is_no_data_is_refused() -> None:
    with pytest.raises(TypeError, match="part of a plan"):
        pack_value({"x": object()})
