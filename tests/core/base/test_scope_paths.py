import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.scope_paths import LEVELS, begin_scope, read_scope

NAMES = st.text(min_size=1, max_size=8) | st.sampled_from(["/", "%", "%2F", "%25", "a/b", ".", "..", " "])
PATHS = st.lists(NAMES, min_size=2, max_size=8)


def make(names: list[str]) -> object:
    scope = begin_scope(names[1], names[0])
    for name in names[2:]:
        scope = scope.child(name)
    return scope


@given(PATHS)
def test_a_scope_that_was_written_out_is_read_back(names: list[str]) -> None:
    assert read_scope(str(make(names))) == make(names)


@given(PATHS, PATHS)
def test_two_scopes_are_written_alike_only_if_they_are_the_same(one: list[str], other: list[str]) -> None:
    assert (str(make(one)) == str(make(other))) == (one == other)


def test_levels_are_read_by_name() -> None:
    scope = begin_scope("anna").child("s1").child("r1").child("g0").child("step")
    assert [scope.read_level(level) for level in LEVELS] == ["local", "anna", "s1", "r1", "g0"]
    assert str(scope) == "local/anna/s1/r1/g0/step"
    assert begin_scope("anna").read_level("run") == ""


def test_who_is_not_named_is_the_person_at_this_machine() -> None:
    assert str(begin_scope()) == str(begin_scope("")) == "local/person"


def test_no_level_can_be_left_out() -> None:
    with pytest.raises(ValueError, match="session"):
        begin_scope("anna").child("")
    with pytest.raises(ValueError, match="tenant"):
        begin_scope("anna", "")


def test_a_scope_holds_itself_and_what_lies_within_it() -> None:
    anna, berta = begin_scope("anna"), begin_scope("berta")
    assert anna.holds(anna)
    assert anna.holds(anna.child("s1"))
    assert not anna.child("s1").holds(anna)
    assert not anna.holds(berta.child("s1"))
