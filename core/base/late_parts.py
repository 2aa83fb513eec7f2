"""Parts that are made when something is first asked of them, so that what makes them isn't imported before."""

import re
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar, cast

_T = TypeVar("_T")


class _LatePart:
    """Stands for a part; closing one that was never made does nothing."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._made: Any = None

    def __getattr__(self, name: str) -> Any:
        if self._made is None:
            self._made = self._make()
        return getattr(self._made, name)

    async def close(self) -> None:
        if self._made is not None:
            await self._made.close()


def make_late(make: Callable[[], _T]) -> _T:
    """Return what stands for what is made; it answers by its methods and attributes, not by operators."""
    return cast("_T", _LatePart(make))


def import_late(module: str, name: str) -> Callable[..., Any]:
    """Return what calls something of a module that is imported by the first call."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return getattr(import_module(module), name)(*args, **kwargs)

    return call


class _LatePattern:
    """Stands for an expression; what is asked of it is kept, so that it costs no more than the expression itself."""

    def __init__(self, text: str, flags: int, make: Callable[[str, int], re.Pattern[str]]) -> None:
        self.pattern, self._flags, self._make = text, flags, make

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._make(self.pattern, self._flags), name)
        setattr(self, name, found)
        return found


def compile_late(
    text: str, flags: int = 0, make: Callable[[str, int], re.Pattern[str]] = re.compile
) -> re.Pattern[str]:
    """Return an expression that is compiled when it is first used: a process needs few of those that its modules have."""
    return cast("re.Pattern[str]", _LatePattern(text, flags, make))
