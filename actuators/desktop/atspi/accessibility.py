"""AtspiAccessibility: the accessibility tree over D-Bus."""

import asyncio
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

import psutil
from dbus_fast import Variant

from actuators.base import Availability, Environment
from actuators.deadlines import SHORTEST_S, limit
from actuators.desktop.atspi.connection import (
    ACCESSIBLE,
    ACTION,
    COMPONENT,
    EDITABLE,
    ROOT,
    SELECTION,
    VALUE,
    A11yConnection,
    BusApplication,
    Ref,
)
from actuators.desktop.atspi.origins import KNOWN, AtspiElementReader, Covering, Origins, WindowOrigin
from actuators.desktop.atspi.trees import MOST_DEPTH, AccessibleNode, TreeReader, name_node, walk_nodes
from actuators.desktop.atspi.words import DEFUNCT, to_aria
from actuators.desktop.ports.desktop import Element, Rect, Window, WindowSystem, order_boxes
from actuators.platforms.session_bus import BusRefusalError, ask_names, find_session_bus
from core.base.errors import DeviceError, TargetError

_POPUPS = {"window", "menu", "popup menu", "tool tip", "list"}  # the system's words for menus that stand by themselves


def choose_top_levels(
    listed: Sequence[tuple[AccessibleNode, Element]], window: Window, pid: int, tolerance_px: int = 200
) -> list[AccessibleNode]:
    """Return the node that is a window, and the menus open over it; frames are counted differently, so places may be off."""
    frames = [(node, element) for node, element in listed if node.role not in _POPUPS or node.name]
    own = pid == window.pid
    same_title = [each for each in frames if each[0].name == window.title]
    candidates = same_title or ([each for each in frames if each[0].is_showing] if own else [])
    if not same_title:
        candidates = [each for each in candidates if _distance(each[1].bounds, window.bounds) <= tolerance_px]
    if not candidates:
        return []
    nearest = min(candidates, key=lambda each: _distance(each[1].bounds, window.bounds))[0]
    popups = [node for node, _ in listed if node.role in _POPUPS and not node.name and node.is_showing]
    return [nearest, *popups]


def _distance(one: Rect | None, other: Rect) -> int:
    if one is None:
        return 1_000_000
    sizes = abs(one.width - other.width) + abs(one.height - other.height)
    if (one.x, one.y) == (0, 0):  # so says, too, who doesn't know where it is
        return sizes
    return abs(one.x - other.x) + abs(one.y - other.y) + sizes


def order_siblings(top: AccessibleNode, read: Mapping[AccessibleNode, Element]) -> list[Element]:
    """Return what is in a window, depth first; a node that wasn't read is left out with all that is in it."""
    ordered: list[Element] = []

    def add(node: AccessibleNode, depth: int) -> None:
        children = [child for child in node.children if child in read]
        for index in order_boxes([read[child].bounds for child in children]):
            ordered.append(read[children[index]])
            if depth < MOST_DEPTH:
                add(children[index], depth + 1)

    add(top, 0)
    return ordered


_SERVICE = "org.a11y.Bus"
_TREE_S = 15.0
_ANCESTORS = 5
_GONE = {"ServiceUnknown", "NameHasNoOwner", "UnknownObject"}
_LOOK_AGAIN_S = 0.25  # an application that announces nothing is looked at all the same


class AtspiAccessibility:
    """Elements of applications by the accessibility bus."""

    def __init__(
        self, environment: Environment, windows: WindowSystem | None = None, *, use_cache: bool = True
    ) -> None:
        """Connect to nothing yet; an application's own list of its elements is asked for first where the cache is used."""
        self._address = find_session_bus(environment.variables)
        self._connection = A11yConnection(self._address)
        self._trees = TreeReader(self._connection, use_cache=use_cache)
        self._reader = AtspiElementReader(self._connection)
        self._origins = Origins(windows)
        self._covering = Covering(self._connection)
        self._lost: set[str] = set()  # applications that don't know where they are

    def assess(self) -> Availability:
        """Say whether there is an accessibility bus, or whether one would be started."""
        if not self._address:
            return self._say_no("No session bus found.", "Start Surehand within a desktop session.")
        names = ask_names(self._address)
        if names is None:
            return self._say_no(
                "The session bus does not answer.", "Check whether the desktop session is still running."
            )
        if _SERVICE not in names:
            return self._say_no("No accessibility bus found.", "Install at-spi2-core.")
        return Availability("accessibility", available=True, reason="The accessibility bus answers (AT-SPI).")

    async def elements(self, window: Window | None, *, depth: int | None = None) -> tuple[Element, ...]:
        """Return what is in a window, or in all of them: depth first, siblings in reading order."""
        applications = await self._connection.applications()
        if window is not None:
            applications = [each for each in applications if each.pid == window.pid] or applications
        read = await asyncio.gather(*(self._read(each, window, depth) for each in applications))
        return tuple(element for part in read for element in part)

    async def refresh(self, element: Element) -> Element | None:
        """Return an element as it is now, or None if it is gone."""
        node = await self._trees.describe(element.ref)
        if node is None or node.bits & DEFUNCT:
            return None
        origin = await self._find_origin(node.ref, element.pid) if node.ref.name in self._lost else KNOWN
        return await self._reader.read(node, element.path, element.pid, whole=True, origin=origin, known=element)

    async def invoke(self, element: Element, action: str) -> None:
        """Let an element do one of its actions."""
        target = _ref(element).seen_as(ACTION)
        with _refusing(element, "has no actions"):
            names = [each[0] for each in await self._connection.call(target, "GetActions")]
            if action not in names:
                raise _refuse(element, f"has no action {action!r}, only {', '.join(names) or 'none'}")
            if not await self._connection.call_apart(target, "DoAction", "i", names.index(action)):
                raise _refuse(element, f"refused to {action}")

    async def set_text(self, element: Element, text: str) -> None:
        """Replace an element's text."""
        with _refusing(element, "takes no text", "target_readonly"):
            if not await self._connection.call(_ref(element).seen_as(EDITABLE), "SetTextContents", "s", text):
                raise _refuse(element, "takes no text", "target_readonly")

    async def set_number(self, element: Element, number: float) -> None:
        """Set an element's number."""
        with _refusing(element, "takes no number", "target_readonly"):
            await self._connection.put(_ref(element).seen_as(VALUE), "CurrentValue", Variant("d", float(number)))

    async def select(self, element: Element) -> None:
        """Choose an entry of a list in place of the one that is chosen there."""
        with _refusing(element, "can't be chosen"):
            if not await self._select(_ref(element)):
                raise _refuse(element, "is not in a list to choose from")

    async def focus(self, element: Element) -> None:
        """Give an element the keyboard focus."""
        with _refusing(element, "takes no focus"):
            if not await self._connection.call(_ref(element).seen_as(COMPONENT), "GrabFocus"):
                raise _refuse(element, "takes no focus")

    async def wait_for_change(self, timeout_s: float) -> None:
        """Return when an application says that something has changed, or after a short while."""
        async with self._connection.listen() as changed:
            try:
                # wait_for would lose a stop that comes together with a change, and there are many.
                async with asyncio.timeout(max(SHORTEST_S, min(timeout_s, _LOOK_AGAIN_S))):
                    await changed.wait()
            except TimeoutError:
                return

    async def close(self) -> None:
        """Let go of the bus; calling it again does nothing."""
        await self._connection.close()

    async def _read(self, application: BusApplication, window: Window | None, depth: int | None) -> list[Element]:
        try:
            return await limit(self._read_all(application, window, depth), _TREE_S, "The application")
        except BusRefusalError:
            return []  # it has left the bus meanwhile
        except DeviceError as error:
            if error.code != "not_settled":
                raise
            return [_silent(application)]

    async def _read_all(self, application: BusApplication, window: Window | None, depth: int | None) -> list[Element]:
        tops = [top for top in await self._trees.read(application) if window is not None or top.is_showing]
        frames = {top: await self._reader.read(top, (), application.pid, whole=False) for top in tops}
        chosen = choose_top_levels(list(frames.items()), window, application.pid) if window else tops
        found: list[Element] = []
        for place, top in enumerate(chosen):
            bounds, own = frames[top].bounds, window if place == 0 else None
            origin = await self._origins.find(bounds, top.name, application.pid, own)
            if origin != KNOWN:
                self._lost.add(application.root.name)
            found.extend(await self._read_below(top, application.pid, depth, origin))
        return found

    async def _find_origin(self, ref: Ref, pid: int) -> WindowOrigin | None:
        top = ref
        for _ in range(MOST_DEPTH):
            above = Ref(*await self._connection.get(top.seen_as(ACCESSIBLE), "Parent"))
            if above == Ref(ref.name, ROOT):
                break
            top = above
        node = await self._trees.describe(top)
        if node is None:
            return None
        return await self._origins.find((await self._reader.read(node, (), pid, whole=False)).bounds, node.name, pid)

    async def _read_below(
        self, top: AccessibleNode, pid: int, depth: int | None, origin: WindowOrigin | None
    ) -> list[Element]:
        listed = [(node, above) for node, above in walk_nodes(top) if depth is None or len(above) <= depth]
        asked = (self._reader.read(node, (), pid, whole=False, origin=origin) for node, _ in listed)
        read = dict(zip((node for node, _ in listed), await asyncio.gather(*asked), strict=True))
        _tell_surroundings(listed, read)
        if top.reveals and origin is not None:
            for node in await self._covering.find_covered(top, read, origin) & read.keys():
                read[node] = replace(read[node], bounds=None, states=read[node].states - {"visible"})
        return order_siblings(top, read)

    async def _select(self, ref: Ref) -> bool:
        """Choose an element in what it is in, or an ancestor of it in what that is in, whichever lets itself be chosen."""
        for _ in range(_ANCESTORS):
            parent = Ref(*await self._connection.get(ref.seen_as(ACCESSIBLE), "Parent"))
            if SELECTION in await self._connection.call(parent.seen_as(ACCESSIBLE), "GetInterfaces"):
                index = await self._connection.call(ref.seen_as(ACCESSIBLE), "GetIndexInParent")
                chosen = parent.seen_as(SELECTION)
                await self._connection.call(chosen, "ClearSelection")
                return bool(await self._connection.call(chosen, "SelectChild", "i", index))
            ref = parent
        return False

    def _say_no(self, reason: str, remedy: str) -> Availability:
        return Availability("accessibility", available=False, reason=reason, remedy=remedy)


def _ref(element: Element) -> Ref:
    ref = element.ref
    if not isinstance(ref, Ref):
        raise _refuse(element, "is not on the accessibility bus")
    return ref


def _tell_surroundings(
    listed: Sequence[tuple[AccessibleNode, tuple[AccessibleNode, ...]]], read: dict[AccessibleNode, Element]
) -> None:
    """Add to elements what they are in, and hide the entries of a list that has no place, since it is closed."""
    for node, above in listed:
        path = tuple(
            (read[each].role, read[each].name) if each in read else (to_aria(each.role), name_node(each))
            for each in above
        )
        holder = read.get(above[-1])
        if above[-1].is_choice and holder is not None and "visible" not in holder.states:
            read[node] = replace(read[node], bounds=None, states=read[node].states - {"visible"})
        read[node] = replace(read[node], path=path)


def _silent(application: BusApplication) -> Element:
    try:
        name = psutil.Process(application.pid).name()
    except psutil.Error:
        name = f"process {application.pid}"
    return Element(application.root, "application", name, states=frozenset({"silent"}), pid=application.pid)


@contextmanager
def _refusing(element: Element, why: str, code: str = "target_unsuitable") -> Generator[None]:
    try:
        yield
    except BusRefusalError as error:
        if error.name.rpartition(".")[2] in _GONE:
            raise _refuse(element, "is gone", "target_detached") from error
        raise _refuse(element, why, code) from error


def _refuse(element: Element, why: str, code: str = "target_unsuitable") -> TargetError:
    return TargetError(
        f"The {element.role} {element.name!r} {why}.",
        code=code,
        hint="Name another element, or use the pointer and the keyboard.",
        evidence={"role": element.role, "name": element.name, "actions": list(element.actions)},
    )
