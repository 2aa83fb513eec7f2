"""Late dataclasses: the same as the library's in all that is used of them, but written when they are needed."""

import copy
import dataclasses
import inspect
import pickle
from dataclasses import FrozenInstanceError, field, fields, is_dataclass, replace
from typing import Any

import pytest

from core.base import late_dataclasses
from core.base.late_dataclasses import dataclass

LATE: Any = late_dataclasses.dataclass
OPTIONS = ({}, {"frozen": True}, {"slots": True}, {"frozen": True, "slots": True}, {"kw_only": True}, {"eq": False})


def declare(decorate: Any, **options: Any) -> Any:
    """Return a class with a field of every kind, and one that inherits from it."""

    @decorate(**options)
    class Base:
        """One."""

        first: int
        told: str = field(default="x", repr=False, compare=False)
        many: list[int] = field(default_factory=list[int])
        fixed: float = field(default=2.5, init=False)
        named: tuple[int, ...] = field(default=(), kw_only=True, hash=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "fixed", self.fixed + 1)

    @decorate(**options)
    class Heir(Base):
        """Two."""

        last: str = "end"

    return Heir


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_what_an_instance_takes_can_be_asked_before_there_is_one(options: dict[str, Any]) -> None:
    ours, theirs = declare(LATE, **options), declare(dataclasses.dataclass, **options)
    asked, known = (inspect.signature(each).parameters.values() for each in (ours, theirs))
    assert [(each.name, each.kind, each.annotation) for each in asked] == [
        (each.name, each.kind, each.annotation) for each in known
    ]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_instances_are_made_told_compared_and_copied_as_the_library_does(options: dict[str, Any]) -> None:
    ours, theirs = declare(LATE, **options), declare(dataclasses.dataclass, **options)
    for values in ({"first": 1}, {"first": 1, "told": "y", "many": [2]}, {"first": 2, "named": (3,), "last": "z"}):
        mine, other = ours(**values), theirs(**values)
        assert repr(mine) == repr(other)
        assert dataclasses.asdict(mine) == dataclasses.asdict(other)
        assert (mine == ours(**values)) == (other == theirs(**values))
        assert (mine == ours(**values | {"told": "other"})) == (other == theirs(**values | {"told": "other"}))
        assert repr(replace(mine, first=7)) == repr(replace(other, first=7))
        assert repr(copy.deepcopy(mine)) == repr(other)
    assert [each.name for each in fields(ours)] == [each.name for each in fields(theirs)]
    assert ours.__match_args__ == theirs.__match_args__
    assert hasattr(ours(first=1), "__dict__") == hasattr(theirs(first=1), "__dict__")
    assert (ours.__hash__ is None) == (theirs.__hash__ is None)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("given", [{}, {"first": 1, "nothing": 2}, {"first": 1, "fixed": 2}], ids=str)
def test_wrong_arguments_are_refused_in_the_same_words(options: dict[str, Any], given: dict[str, Any]) -> None:
    with pytest.raises(TypeError) as mine:
        declare(LATE, **options)(**given)
    with pytest.raises(TypeError) as other:
        declare(dataclasses.dataclass, **options)(**given)
    assert str(mine.value) == str(other.value)


def test_a_frozen_one_is_neither_changed_nor_deleted_from() -> None:
    made = declare(LATE, frozen=True, slots=True)(1)
    for refused in (lambda: setattr(made, "first", 2), lambda: delattr(made, "first"), lambda: setattr(made, "new", 2)):
        with pytest.raises(FrozenInstanceError):
            refused()


@dataclass(frozen=True, slots=True)
class Point:
    """A place."""

    x: int
    y: float = 0.0


def test_a_frozen_one_has_the_hash_of_its_fields_and_survives_a_pickle() -> None:
    point = Point(1, 2.0)
    assert hash(point) == hash((1, 2.0))
    assert pickle.loads(pickle.dumps(point)) == point
    assert point != (1, 2.0)


def test_one_field_is_compared_as_the_library_does() -> None:
    nan = float("nan")

    @dataclass(frozen=True, slots=True)
    class Only:
        value: float

    assert Only(nan) == Only(nan)  # one and the same object, as in tuples
    assert hash(Only(1.0)) == hash((1.0,))


def test_methods_of_a_class_are_left_as_they_are() -> None:
    @dataclass(slots=True)
    class Own:
        value: int

        def __repr__(self) -> str:
            return "mine"

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 5

    assert (repr(Own(1)), Own(1) == 3, hash(Own(1))) == ("mine", True, 5)


def test_nothing_is_compiled_before_the_first_instance() -> None:
    @dataclass(slots=True)
    class Late:
        value: int

    kind: Any = Late
    before = vars(kind)["__init__"]
    assert is_dataclass(Late)
    assert Late(1).value == Late(value=1).value == 1
    assert vars(kind)["__init__"] is not before


@pytest.mark.parametrize("slots", [False, True])
def test_a_frozen_class_of_the_library_inherits_from_a_late_one(slots: bool) -> None:
    @dataclasses.dataclass(frozen=True, slots=slots)
    class Heir(declare(LATE, frozen=True, slots=slots)):
        more: int = 0

    made = Heir(1, more=2)
    assert (made, made.more) == (Heir(1, more=2), 2)
    assert made != Heir(1, more=3)
    with pytest.raises(FrozenInstanceError):
        made.first = 2


def test_a_class_of_the_library_that_is_not_frozen_does_not() -> None:
    with pytest.raises(TypeError, match="cannot inherit non-frozen dataclass from a frozen one"):
        dataclasses.dataclass(type("Heir", (declare(LATE, frozen=True),), {}))
