"""TreeReader: the elements of an application as they come from the bus, at once from its cache or step by step."""

import asyncio
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from actuators.desktop.atspi.connection import ACCESSIBLE, A11yConnection, BusApplication, Ref
from actuators.desktop.atspi.words import (
    FOCUSABLE,
    MANAGES_DESCENDANTS,
    hide,
    is_showing,
    join_bits,
    name_role,
    show_visible,
)
from actuators.platforms.session_bus import BusObject, BusRefusalError
from core.base.late_dataclasses import dataclass, field

MOST_NODES = 4000
MOST_CHILDREN = 300
MOST_DEPTH = 60
AT_ONCE = 16
"""Calls that wait for one application's answers at the same time, so that a slow one isn't taken for a hung one."""

_CACHE_FIELDS = 10
_TOOL_TIP = "GtkTooltipWindow"  # counts as visible in GTK 4 while it isn't open

T = TypeVar("T")

_HOLDING = {"combo box", "menu item"}
_OPENED = {"menu", "combo box", "menu bar"}  # what is in them is known though it isn't shown


@dataclass(slots=True, eq=False)
class AccessibleNode:
    """An element as the bus tells of it.

    Attributes:
        parent: What it is in; None where that wasn't told.
        index: Which child it is; -1 where that isn't known.
        child_count: How many children it has; -1 where that isn't known.
        reveals: Whether what is visible in it counts as shown, since its application doesn't say what is shown.
        unread: How many more there are in it than were asked for.
        is_choice: Whether it is in what opens a list or a menu, whose entries are known though they aren't shown.
    """

    ref: Ref
    parent: Ref | None
    index: int
    child_count: int
    interfaces: frozenset[str]
    name: str
    role: str
    description: str
    bits: int
    children: list["AccessibleNode"] = field(default_factory=list["AccessibleNode"])
    reveals: bool = False
    unread: int = 0
    is_choice: bool = False

    @property
    def is_showing(self) -> bool:
        """Whether it can be seen."""
        return is_showing(self.bits)

    def tell_children(self) -> None:
        """Let those in it know what they can't tell by themselves."""
        for child in self.children:
            if self.reveals and self.is_showing and child.name != _TOOL_TIP:
                child.reveals, child.bits = True, show_visible(child.bits)
            if self.is_choice and not self.is_showing:  # Qt says of the entries of a closed list that they are shown
                child.bits = hide(child.bits)
            child.is_choice = self.is_choice or self.role in _HOLDING


class TreeReader:
    """Reads trees."""

    def __init__(self, connection: A11yConnection, *, use_cache: bool = True) -> None:
        """Read over a connection; with the cache an application's own list of its elements is asked for first."""
        self._connection = connection
        self._use_cache = use_cache
        self._reticent: set[str] = set()  # applications that don't say of their elements whether they are shown

    async def read(self, application: BusApplication) -> list[AccessibleNode]:
        """Return an application's windows with all that is in them; ``not_settled`` if it doesn't answer."""
        known = {node.ref: node for node in await self._read_cache(application)}
        children = await self._connection.call(application.root.seen_as(ACCESSIBLE), "GetChildren")
        tops = [Ref(*each) for each in children]
        _link(known.values())
        reading = _TreeReading(self._connection, known)
        found = await reading.complete(tops)
        if any(top.reveals for top in found):
            self._reticent.add(application.root.name)
        return found

    async def describe(self, ref: Ref) -> AccessibleNode | None:
        """Return one element, or None if it is gone."""
        node = await _TreeReading(self._connection, {}).describe(ref)
        if node is not None and ref.name in self._reticent:
            node.bits = show_visible(node.bits)
        return node

    async def _read_cache(self, application: BusApplication) -> list[AccessibleNode]:
        if not self._use_cache:
            return []
        cache = BusObject(application.root.name, "/org/a11y/atspi/cache", "org.a11y.atspi.Cache")
        try:
            items: list[Any] = await self._connection.call(cache, "GetItems")
        except BusRefusalError:
            return []
        return [_from_cache(item) for item in items if len(item) == _CACHE_FIELDS]


class _TreeReading:
    """One look at an application: what its cache told, and what has to be asked for."""

    def __init__(self, connection: A11yConnection, known: dict[Ref, AccessibleNode]) -> None:
        self._connection = connection
        self._known = known
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def complete(self, tops: Sequence[Ref]) -> list[AccessibleNode]:
        """Return the top nodes with their trees, whatever the cache left out being asked for."""
        found = await self._take(tops)
        level = found
        for depth in range(MOST_DEPTH):
            if not level:
                break
            await asyncio.gather(*(self._fill(node) for node in level if _needs_children(node)))
            for node in level:
                # A window that is shown, and nothing of what is in it: its application never says so (GTK 4).
                is_silent = node.children and not any(child.is_showing for child in node.children)
                node.reveals |= bool(not depth and node.is_showing and is_silent)
                node.tell_children()
            level = [child for node in level for child in node.children]
        return found

    async def describe(self, ref: Ref) -> AccessibleNode | None:
        """Return one element, or None if it is gone.

        Each property is asked for by itself: asked for all at once, programs with Qt end.
        """
        try:
            name, description, count, role, bits, interfaces = await asyncio.gather(
                self._get(ref, "Name", ""),
                self._get(ref, "Description", ""),
                self._get(ref, "ChildCount", -1),
                self._call(ref, "GetRole"),
                self._call(ref, "GetState"),
                self._call(ref, "GetInterfaces"),
            )
        except BusRefusalError:
            return None
        return AccessibleNode(
            ref, None, -1, count, frozenset(interfaces), name, name_role(role), description, join_bits(bits)
        )

    async def _fill(self, node: AccessibleNode) -> None:
        try:
            refs = await self._list_children(node)
        except BusRefusalError:
            return
        node.children = await self._take(refs)
        if len(self._known) >= MOST_NODES:
            node.unread += len(refs) - len(node.children)

    async def _list_children(self, node: AccessibleNode) -> list[Ref]:
        if node.child_count > MOST_CHILDREN:
            node.unread = node.child_count - MOST_CHILDREN
            asked = [self._call(node.ref, "GetChildAtIndex", "i", index) for index in range(MOST_CHILDREN)]
            return [Ref(*each) for each in await asyncio.gather(*asked)]
        listed = await self._call(node.ref, "GetChildren")
        node.unread = len(listed[MOST_CHILDREN:])
        return [Ref(*each) for each in listed[:MOST_CHILDREN]]

    async def _take(self, refs: Iterable[Ref]) -> list[AccessibleNode]:
        wanted = [ref for ref in refs if not ref.path.endswith("/null")]
        new = [ref for ref in wanted if ref not in self._known][: max(0, MOST_NODES - len(self._known))]
        for ref, node in zip(new, await asyncio.gather(*(self.describe(ref) for ref in new)), strict=True):
            if node is not None:
                self._known[ref] = node
        return [self._known[ref] for ref in wanted if ref in self._known]

    async def _get(self, ref: Ref, name: str, missing: T) -> T:
        """Return a property, or what stands for it where the application doesn't tell it."""
        async with self._turns:
            try:
                return await self._connection.get(ref.seen_as(ACCESSIBLE), name)
            except BusRefusalError:
                return missing

    async def _call(self, ref: Ref, member: str, signature: str = "", *body: object) -> Any:
        async with self._turns:
            return await self._connection.call(ref.seen_as(ACCESSIBLE), member, signature, *body)


def walk_nodes(
    node: AccessibleNode, above: tuple[AccessibleNode, ...] = ()
) -> Iterator[tuple[AccessibleNode, tuple[AccessibleNode, ...]]]:
    """Yield all that is in an element, depth first, each with what it is in."""
    for child in node.children:
        path = (*above, node)
        yield child, path
        if len(path) < MOST_DEPTH:
            yield from walk_nodes(child, path)


def _needs_children(node: AccessibleNode) -> bool:
    """Tell whether an element's children have to be asked for: not told, or not in their order."""
    if not (node.is_showing or node.is_choice or node.role in _OPENED):
        return False
    if node.child_count == 0:
        return False
    if len(node.children) < min(node.child_count, MOST_CHILDREN):
        return True
    unordered = any(index != child.index for index, child in enumerate(node.children))
    return unordered or (node.child_count < 0 and node.is_showing and bool(node.bits & MANAGES_DESCENDANTS))


def _link(nodes: Iterable[AccessibleNode]) -> None:
    listed = list(nodes)
    known = {node.ref: node for node in listed}
    for node in sorted(listed, key=lambda each: each.index):
        if node.parent in known and node.parent != node.ref:
            known[node.parent].children.append(node)


def _from_cache(item: Sequence[Any]) -> AccessibleNode:
    ref, _, parent, index, child_count, interfaces, name, role, description, bits = item
    return AccessibleNode(
        Ref(*ref),
        Ref(*parent),
        index,
        child_count,
        frozenset(interfaces),
        name,
        name_role(role),
        description,
        join_bits(bits),
    )


_TYPE = re.compile(r"(?:Gtk|Adw)[A-Z]\w*")
_OWN_TYPE = re.compile(r"(?:Gjs_)?(?:[A-Z][a-z0-9]+){2,}")  # of the program itself
_NAMED_BY_CONTENT = {"push button", "toggle button", "check box", "radio button", "link", "page tab", "switch"}
_BUTTONS = {"push button", "toggle button"}
_LABELS, _GROUPS = {"label", "static"}, {"panel", "filler", "grouping", "section"}
_ANYWHERE = re.compile(r"[a-z][a-z0-9-]*\.[A-Za-z][A-Za-z0-9.-]*")


def name_node(node: AccessibleNode, known: str | None = None) -> str:
    """Return an element's name: what it is called, else what is written on it; as it is known, where what is in it isn't."""
    told = "" if _is_type(node) else node.name
    labels = list(_list_labels(node)) if known is None else [known]
    for label in labels:  # GTK 4 counts a label twice that is also what the element is labelled by
        if label and told.endswith(f" {label}") and told[: -len(label) - 1].replace("_", "", 1) == label:
            return label
    if told or node.role not in _NAMED_BY_CONTENT:
        return told
    return " ".join(labels)


def _is_type(node: AccessibleNode) -> bool:
    """Tell whether an element is named after its type, as GTK 4 does where it has no name."""
    if node.role in _NAMED_BY_CONTENT | _LABELS:
        return bool(_TYPE.fullmatch(node.name))
    return bool(_TYPE.fullmatch(node.name) or (node.reveals and _OWN_TYPE.fullmatch(node.name)))


def name_kind(node: AccessibleNode) -> str:
    """Return the system's word for an element's role; that of a group for what only holds the button that can be pressed."""
    holds = any(child.role in _BUTTONS for child in node.children)
    return "grouping" if holds and node.role in _BUTTONS and not node.bits & FOCUSABLE else node.role


def is_own_action(name: str) -> bool:
    """Tell whether an action is an element's own, and not one of its window that GTK 4 lists with all that is in it."""
    return not _ANYWHERE.fullmatch(name)


def _list_labels(node: AccessibleNode) -> Iterator[str]:
    for child in node.children:
        if child.role in _LABELS and child.name:
            yield child.name
        elif child.role in _GROUPS:
            yield from _list_labels(child)
