"""What the fake browser refuses: every method of a port that it does not write itself. A new one needs no line here."""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NoReturn, TypeVar, cast

from core.base.errors import NotSimulatedError

Port = TypeVar("Port")


def refuse(what: str, evidence: Mapping[str, Any] | None = None) -> NotSimulatedError:
    """Return the error for what the fake browser does not know.

    Args:
        what: What it can't do, as in "It can't …".
    """
    return NotSimulatedError(
        f"The simulated browser can't {what}: its pages have only what was declared.",
        hint="Do this step in a real browser.",
        evidence=evidence,
    )


def refuse_the_rest(part: object, port: type[Port]) -> Port:
    """Return a back end that does what a part of the fake writes, and raises ``not_simulated`` for what else its port has."""
    for name, _ in inspect.getmembers(port, inspect.iscoroutinefunction):
        if not hasattr(part, name):
            setattr(part, name, _make_refusal(name))
    return cast("Port", part)


def _make_refusal(name: str) -> Callable[..., Awaitable[NoReturn]]:
    async def refuse_it(*_: object, **__: object) -> NoReturn:
        raise refuse(name.replace("_", " "))

    return refuse_it
