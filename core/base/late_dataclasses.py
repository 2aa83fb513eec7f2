"""Dataclasses whose methods are written when somebody needs them.

The library's `dataclass` writes and compiles the source of up to six methods for each class that is imported: 0.45 ms, 0.2 s for what plans a
sentence, most of it never called. Here fields and slots are the library's; `==`, `hash`, `repr` and what keeps a class frozen are closures, and
`__init__`, which has to be quick, is compiled at the first instance. `dataclasses.fields`, `replace` and the rest take both alike.
"""

import dataclasses
import threading
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, field, fields, replace
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass", "field", "fields", "replace"]

_Class = type[Any]
_HASH, _PARAMS = "__hash__", "__dataclass_params__"
_MAKING = threading.local()


def _late_dataclass(
    cls: _Class | None = None, /, *, frozen: bool = False, slots: bool = False, kw_only: bool = False, eq: bool = True
) -> Any:
    """Return a class as `dataclasses.dataclass` would, for the options that are taken here."""
    if cls is None:
        return lambda given: _late_dataclass(given, frozen=frozen, slots=slots, kw_only=kw_only, eq=eq)
    own = frozenset(vars(cls))
    keeps_hash = not eq or ("__hash__" in own and not (cls.__hash__ is None and "__eq__" in own))
    cls.__doc__ = cls.__doc__ or f"{cls.__name__}()"
    _MAKING.is_late = True
    try:
        made: _Class = dataclasses.dataclass(cls, init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)
    finally:
        _MAKING.is_late = False
    setattr(made, _PARAMS, _LateParams(getattr(made, _PARAMS), is_frozen=frozen))
    methods: dict[str, Any] = {"__init__": _LateInit(made, is_frozen=frozen), "__repr__": _tell}
    if eq:
        methods["__eq__"] = _make_equality(made)
    if frozen:
        methods |= _make_guards(made)
        if slots:
            methods |= {"__getstate__": _get_state, "__setstate__": _set_state}
    for name, method in methods.items():
        if name not in own:
            setattr(made, name, method)
    if not keeps_hash:
        setattr(made, _HASH, _make_hash(made) if frozen else None)
    return made


class _LateParams:
    """What a class says of how it was made: frozen to the library's subclasses, which have to be as well, but not while one of ours is made."""

    def __init__(self, given: Any, *, is_frozen: bool) -> None:
        self._given, self._is_frozen = given, is_frozen

    @property
    def frozen(self) -> bool:
        return self._is_frozen and not getattr(_MAKING, "is_late", False)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._given, name)


class _LateInit:
    """Stands for the `__init__` of a class until it is called, or somebody asks for its signature."""

    def __init__(self, cls: _Class, *, is_frozen: bool) -> None:
        self._cls, self._is_frozen = cls, is_frozen

    def __get__(self, instance: Any, owner: _Class) -> Any:
        written: Any = _write_init(self._cls, is_frozen=self._is_frozen)
        self._cls.__init__ = written
        return written.__get__(instance, owner)


def _write_init(cls: _Class, *, is_frozen: bool) -> Callable[..., None]:
    """Return the `__init__` of a class, compiled from its fields."""
    known: dict[str, Any] = {"MISSING": MISSING, "set_field": object.__setattr__}
    params: dict[bool, list[str]] = {False: [], True: []}
    lines: list[str] = []
    for each in fields(cls):
        name, has_factory = each.name, each.default_factory is not MISSING
        value = name
        if has_factory:
            known[f"make_{name}"] = each.default_factory
            value = f"make_{name}() if {name} is MISSING else {name}" if each.init else f"make_{name}()"
        elif each.default is not MISSING:
            known[f"usual_{name}"] = each.default
            value = name if each.init else f"usual_{name}"
        if each.init:
            usual = "=MISSING" if has_factory else f"=usual_{name}" if each.default is not MISSING else ""
            params[bool(each.kw_only)].append(name + usual)
        if each.init or has_factory or each.default is not MISSING:
            lines.append(f"set_field(self, {name!r}, {value})" if is_frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    listed = ", ".join(["self", *params[False], *(["*", *params[True]] if params[True] else [])])
    exec(f"def __init__({listed}):\n " + "\n ".join(lines or ["pass"]), known)  # noqa: S102 -- it holds names of fields alone
    written = known["__init__"]
    written.__qualname__ = f"{cls.__qualname__}.__init__"
    written.__annotations__ = {each.name: each.type for each in fields(cls) if each.init} | {"return": None}
    return written


@recursive_repr()
def _tell(self: Any) -> str:
    told = (f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{type(self).__qualname__}({', '.join(told)})"


def _make_getter(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """Return what gets these attributes as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda one: tuple(getattr(one, name) for name in names)


def _make_equality(cls: _Class) -> Callable[[Any, Any], Any]:
    get = _make_getter(tuple(each.name for each in fields(cls) if each.compare))

    def equals(self: Any, other: Any) -> Any:
        return get(self) == get(other) if other.__class__ is self.__class__ else NotImplemented

    return equals


def _make_hash(cls: _Class) -> Callable[[Any], int]:
    def counts(each: "Field[Any]") -> bool:
        return each.compare if each.hash is None else each.hash

    get = _make_getter(tuple(each.name for each in fields(cls) if counts(each)))
    return lambda self: hash(get(self))


def _make_guards(cls: _Class) -> dict[str, Any]:
    """Return what refuses to change or delete a field of a frozen class."""
    names = frozenset(each.name for each in fields(cls))

    def change(self: Any, name: str, value: Any) -> None:
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def delete(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return {"__setattr__": change, "__delattr__": delete}


def _get_state(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for each, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)


if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    dataclass = _late_dataclass
