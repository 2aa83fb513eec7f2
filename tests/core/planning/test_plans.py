import copy
import re
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.goals.references import Reference, Template
from core.planning.plans import compute_digest, freeze, thaw

texts = st.text(st.characters(exclude_categories=[]), max_size=6)
references = st.builds(Reference, texts, texts)
scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), texts)
templates = st.builds(lambda parts: Template(tuple(parts)), st.lists(st.one_of(texts, references), max_size=3))
values = st.recursive(
    st.one_of(scalars, references, templates),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=8,
)
args = st.dictionaries(texts, values, max_size=4)


def digest(given: Any) -> str:
    return compute_digest("toy", "toy_control", "look", given)


def spell(value: Any) -> Any:
    """Return a value in a form that is equal exactly where the types and bytes are."""
    if isinstance(value, dict):
        return ("mapping", sorted((key, spell(each)) for key, each in value.items()))
    if isinstance(value, list | tuple):
        return ("list", [spell(each) for each in value])
    if isinstance(value, Template):
        return ("template", [spell(each) for each in value.parts])
    if isinstance(value, Reference):
        return ("reference", value.goal_id, value.key)
    return (type(value).__name__, repr(value))


@given(args)
def test_a_digest_is_64_hexadecimal_digits_and_always_the_same(given: dict[str, Any]) -> None:
    assert re.fullmatch("[0-9a-f]{64}", digest(given))
    assert digest(given) == digest(copy.deepcopy(given)) == digest(freeze(given)) == digest(thaw(freeze(given)))


@given(args)
def test_the_order_of_keys_does_not_change_a_digest(given: dict[str, Any]) -> None:
    assert digest(dict(reversed(given.items()))) == digest(given)


@given(args, args)
def test_different_args_have_different_digests(left: dict[str, Any], right: dict[str, Any]) -> None:
    assert (digest(left) == digest(right)) == (repr(spell(left)) == repr(spell(right)))


@given(args.filter(bool), st.data())
def test_changing_one_value_changes_the_digest(given: dict[str, Any], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(given)))
    value = data.draw(values)
    changed = {**given, name: value}
    assert (digest(changed) == digest(given)) == (repr(spell(value)) == repr(spell(given[name])))


LOOKALIKES: list[tuple[Any, Any]] = [
    (1, 1.0),
    (1, True),
    (0, False),
    (1, "1"),
    (None, "null"),
    ("", None),
    ("a", ["a"]),
    (["a", "b"], ["ab"]),
    ([["a"]], ["a"]),
    ([], {}),
    ("é", "e\u0301"),
    ("\U0001f600", "\ud83d\ude00"),
    ("\ud800", "\ud801"),
    ("\ud800", "?"),
    (Reference("g0", "text"), "${g0.text}"),
    (Reference("g0", "text"), Template((Reference("g0", "text"),))),
    (Reference("g0", "text"), ["reference", "g0", "text"]),
    (Reference("g0", "a.b"), Reference("g0.a", "b")),
    (Template(("${g0.text}",)), Template((Reference("g0", "text"),))),
    (Template(("a", "b")), Template(("ab",))),
    ({"$ref": "${g0.text}"}, Reference("g0", "text")),
    (["list"], []),
]


@pytest.mark.parametrize(("left", "right"), LOOKALIKES)
def test_values_that_look_alike_have_different_digests(left: Any, right: Any) -> None:
    assert digest({"it": left}) != digest({"it": right})


def test_domain_intent_and_verb_are_part_of_the_digest() -> None:
    parts = [("a", "b", "c"), ("x", "b", "c"), ("a", "x", "c"), ("a", "b", "x"), ("ab", "", "c"), ("a", "c", "b")]
    assert len({compute_digest(*each, {}) for each in parts}) == len(parts)


@pytest.mark.parametrize("value", [{1, 2}, b"x", object(), {5: "x"}])
def test_what_is_no_data_can_t_be_part_of_an_action(value: object) -> None:
    with pytest.raises(TypeError, match="can't be part of an action"):
        digest({"it": value})


def test_a_frozen_value_can_t_be_changed_at_any_depth() -> None:
    frozen = freeze({"a": [{"b": [1]}]})
    assert isinstance(frozen, MappingProxyType)
    assert isinstance(frozen["a"], tuple)
    assert isinstance(frozen["a"][0], MappingProxyType)
    assert frozen["a"][0]["b"] == (1,)


def test_freezing_copies_so_that_a_later_change_of_the_original_does_not_show() -> None:
    original = {"a": [{"b": 1}]}
    frozen = freeze(original)
    original["a"][0]["b"] = 2
    original["a"].append({})
    assert thaw(frozen) == {"a": ({"b": 1},)}


def test_a_thawed_value_is_a_copy() -> None:
    frozen = freeze({"a": {"b": 1}})
    thawed = thaw(frozen)
    thawed["a"]["b"] = 2
    assert frozen["a"]["b"] == 1
