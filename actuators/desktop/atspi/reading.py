"""ElementReader: turns nodes of the bus into elements, with places, values and actions."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from actuators.desktop.atspi.connection import (
    ACCESSIBLE,
    ACTION,
    COMPONENT,
    TEXT,
    VALUE,
    A11yConnection,
    Ref,
)
from actuators.desktop.atspi.origins import KNOWN, WindowOrigin
from actuators.desktop.atspi.trees import AT_ONCE, AccessibleNode, is_own_action, name_kind, name_node
from actuators.desktop.atspi.words import UNREADABLE, name_states, to_aria
from actuators.desktop.ports.desktop import Element, Rect
from actuators.platforms.session_bus import BusObject, BusRefusalError

MOST_CHARACTERS = 100_000
_LABELLED_BY = 2
_LABELLED = {"textbox", "combobox", "spinbutton", "slider", "listbox", "searchbox"}
_SCREEN = 0  # coordinates of the whole screen
_SHOWS_NUMBER = {"spinbutton", "slider", "progressbar", "scrollbar"}
T = TypeVar("T")


class AtspiElementReader:
    """Reads what elements hold."""

    def __init__(self, connection: A11yConnection) -> None:
        self._connection = connection
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def read(
        self,
        node: AccessibleNode,
        path: tuple[tuple[str, str], ...],
        pid: int,
        *,
        whole: bool,
        origin: WindowOrigin | None = KNOWN,
        known: Element | None = None,
    ) -> Element:
        """Return an element as it is now, without a place where no origin is known; as a whole, also what it can do unseen."""
        role = known.role if known else to_aria(name_kind(node))
        shown = node.is_showing
        bounds, value, limits, actions, label = await asyncio.gather(
            self._read_bounds(node, origin if shown else None),
            self._read_text(node, shown or whole),
            self._read_numbers(node, shown or whole),
            self._read_actions(node, shown or whole),
            self._read_label(node, shown and role in _LABELLED),
        )
        name = " ".join((label or name_node(node, known.name if known else None)).split())
        if "number" in limits and (value is None or role in _SHOWS_NUMBER):
            value = limits["number"]
        if role == "combobox":
            value = name or None if value is None else value
            name = "" if name == value else name  # what is chosen is not what it is called
        states = name_states(node.bits, node.role) - (set() if bounds else {"visible"})
        details: dict[str, Any] = {"role": node.role} | {key: limits[key] for key in ("range", "step") if key in limits}
        if node.unread:
            details["unread"] = node.unread
        if node.description:
            details["description"] = node.description
        shows_itself = value == node.name and role not in _LABELLED
        return Element(
            node.ref, role, name, None if shows_itself else value, bounds, states, actions, pid, path, details
        )

    async def _read_bounds(self, node: AccessibleNode, origin: WindowOrigin | None) -> Rect | None:
        if origin is None or COMPONENT not in node.interfaces:
            return None
        extents = await self._ask(node.ref.seen_as(COMPONENT), "GetExtents", "u", _SCREEN)
        if extents is None or min(extents[2:]) <= 0:
            return None
        x, y, width, height = extents
        return Rect(origin[0] + x, origin[1] + y, width, height)

    async def _read_text(self, node: AccessibleNode, wanted: bool) -> str | None:
        if not wanted or TEXT not in node.interfaces or node.role == UNREADABLE:
            return None
        count = await self._get(node, TEXT, "CharacterCount")
        if count is None:
            return None
        return await self._ask(node.ref.seen_as(TEXT), "GetText", "ii", 0, min(count, MOST_CHARACTERS))

    async def _read_numbers(self, node: AccessibleNode, wanted: bool) -> dict[str, Any]:
        if not wanted or VALUE not in node.interfaces:
            return {}
        names = ("CurrentValue", "MinimumValue", "MaximumValue", "MinimumIncrement")
        current, lowest, highest, step = await asyncio.gather(*(self._get(node, VALUE, name) for name in names))
        if current is None:
            return {}
        numbers: dict[str, Any] = {"number": format_number(current)}
        if (lowest or 0.0) < (highest or 0.0):
            numbers["range"] = (lowest or 0.0, highest)
        if step:
            numbers["step"] = step
        return numbers

    async def _read_actions(self, node: AccessibleNode, wanted: bool) -> tuple[str, ...]:
        if not wanted or ACTION not in node.interfaces:
            return ()
        listed: Sequence[Sequence[str]] | None = await self._ask(node.ref.seen_as(ACTION), "GetActions")
        return tuple(each[0] for each in listed or () if is_own_action(each[0]))

    async def _read_label(self, node: AccessibleNode, wanted: bool) -> str:
        if not wanted:
            return ""
        relations = await self._ask(node.ref.seen_as(ACCESSIBLE), "GetRelationSet")
        labels = [Ref(*ref) for kind, refs in relations or () if kind == _LABELLED_BY for ref in refs]
        if not labels:
            return ""
        return await self._take_turn(lambda: self._connection.get(labels[0].seen_as(ACCESSIBLE), "Name")) or ""

    async def _get(self, node: AccessibleNode, interface: str, name: str) -> Any:
        return await self._take_turn(lambda: self._connection.get(node.ref.seen_as(interface), name))

    async def _ask(self, target: BusObject, member: str, signature: str = "", *body: object) -> Any:
        return await self._take_turn(lambda: self._connection.call(target, member, signature, *body))

    async def _take_turn(self, ask: Callable[[], Awaitable[T]]) -> T | None:
        """Wait for an answer; None if the element is gone or doesn't tell."""
        async with self._turns:
            try:
                return await ask()
            except BusRefusalError:
                return None


def format_number(number: float) -> str:
    """Write a number as people do: without the zeros that say nothing."""
    rounded = round(number, 10)
    return str(int(rounded)) if rounded.is_integer() else repr(rounded)
