"""ScreenTools: the tools that look at the screen, over any desktop."""

from typing import Annotated, Any, Literal

from actuators.deadlines import Deadline
from actuators.desktop.finding.element_naming import describe_element, make_selector
from actuators.desktop.finding.locating import Locating
from actuators.desktop.finding.looking import Sight, Sought, SoughtElements
from actuators.desktop.finding.window_finding import describe_window, find_window, name_window
from actuators.desktop.ports.parts import DesktopParts
from actuators.desktop.tools.outlining import OutlineWish, WindowOutlines
from actuators.desktop.tools.screenshots import ScreenshotTaking
from core.base.errors import DeadlineError, DeviceError
from core.outlines.items import OutlineRequest
from core.results.tool_results import ToolOutcome
from core.rules.param_types import (
    BOOLEAN,
    ELEMENT_TARGET,
    WORD,
    ElementWords,
    ImagePath,
    LongText,
    ScreenPart,
    TimeLimit,
    WindowName,
)
from core.rules.type_makers import beside, integer, needing
from core.tools.ports import ActionContext

_LISTED = 50


class ScreenTools(ScreenshotTaking):
    """Looking: text by OCR, elements by the accessibility tree, pictures by comparison.

    What is looked for is a ``text``, an element by ``role`` and ``name`` (either or both), or an ``image``.
    """

    intent = "screen_perception"
    capability = "screen"

    def __init__(self, parts: DesktopParts, locator: Locating) -> None:
        super().__init__(parts)
        self._locator = locator
        self._sight = Sight(parts)
        self._outlines = WindowOutlines(parts, locator)

    async def find(
        self,
        context: ActionContext,
        text: Annotated[str, needing(WORD, ("screen", "vision"))] | None = None,
        role: ElementWords | None = None,
        name: ElementWords | None = None,
        image: ImagePath | None = None,
        region: ScreenPart | None = None,
        window: WindowName | None = None,
    ) -> ToolOutcome:
        """Find everything that matches.

        Args:
            text: Text on the screen.
            role: Kind of element, such as ``button``.
            name: Name of the element.
            image: Path of a picture; one without contrast is refused.
            region: Where to look.
            window: Where to look.

        Returns:
            Output ``matches`` (text or role and name, x, y, width, height, confidence), ``count`` and, for text and
            image, ``screenshot``: the id that points may name. None found is not an error.
        """
        del context
        sought = Sought(text, role, name, image, region, window)
        seen = await self._sight.seek(sought)
        covering: list[str] = []
        output: dict[str, Any] = {
            "matches": [dict(each) for each in seen.matches[:_LISTED]],
            "count": len(seen.matches),
        }
        if seen.view is not None:
            covering = seen.view.name_above()
            output["screenshot"] = await self._parts.screenshots.keep(seen.view.picture)
        return ToolOutcome(output, evidence=sought.describe() | {"nearest": list(seen.nearest), "covered_by": covering})

    async def read(
        self,
        context: ActionContext,
        role: ElementWords | None = None,
        name: ElementWords | None = None,
        region: ScreenPart | None = None,
        window: WindowName | None = None,
    ) -> ToolOutcome:
        """Read text: that of an element where one is named, else all that can be seen.

        Args:
            role: Kind of element.
            name: Name of the element.
            region: Where to look.
            window: Where to look; the whole screen where absent.

        Returns:
            Output ``text`` and, of an element, ``value``; by OCR ``lines`` with bounds and confidence.

        Raises:
            TargetError: If the element isn't there or more than one is.
        """
        del context
        if role is not None or name is not None:
            found = await self._locator.pick_element(make_selector(role, name), window)
            element = found.element
            text = element.value if element.value is not None else element.name
            return ToolOutcome({"text": text, "value": element.value}, evidence=describe_element(element))
        view = await self._sight.look(window, region)
        lines = await self._sight.read(view)
        listed = [
            {"text": line.text, **line.bounds.describe(), "confidence": round(line.confidence, 3)} for line in lines
        ]
        shown = name_window(view.window) if view.window else None
        evidence = {"way": "ocr", "window": shown, "lines": len(lines), "covered_by": view.name_above()}
        return ToolOutcome({"text": "\n".join(line.text for line in lines), "lines": listed}, evidence=evidence)

    async def wait(
        self,
        context: ActionContext,
        text: Annotated[str, needing(WORD, ("screen", "vision"))] | None = None,
        role: ElementWords | None = None,
        name: ElementWords | None = None,
        image: ImagePath | None = None,
        state: Literal["visible", "hidden"] = "visible",
        region: ScreenPart | None = None,
        window: WindowName | None = None,
        timeout: TimeLimit = 30.0,
    ) -> ToolOutcome:
        """Wait until something can be seen, or no longer.

        Args:
            text: Text on the screen.
            role: Kind of element.
            name: Name of the element.
            image: Path of a picture.
            state: Which of the two.
            region: Where to look.
            window: Where to look; ``window`` alone waits for the window itself.
            timeout: Seconds to wait at most.

        Returns:
            Output ``waited_s`` and the match.

        Raises:
            DeadlineError: If it doesn't come about; says what was seen last.
        """
        sought = Sought(text, role, name, image, region, window)
        sought.check()
        deadline = Deadline(min(timeout, context.timeout_s))
        while True:
            seen, there = await self._look(sought)
            if there == (state == "visible"):
                match = dict(seen.matches[0]) if there and seen.matches else {}
                waited = {"waited_s": round(deadline.elapsed_s, 3)}
                return ToolOutcome(waited | match, evidence=sought.describe() | {"state": state, **match})
            if deadline.is_over:
                raise _too_late(sought, seen, state, deadline.elapsed_s)
            await self._wait_for_change(sought, seen, deadline.remaining_s)

    async def snapshot(
        self,
        context: ActionContext,
        window: WindowName | None = None,
        scope: Annotated[str, beside(ELEMENT_TARGET)] | None = None,
        depth: Annotated[int, integer(1, 100)] | None = None,
        max_tokens: Annotated[int, integer(50, 200000)] = 2000,
        find: LongText | None = None,
        since: bool = False,
        picture: Annotated[bool, needing(BOOLEAN, ("screen",))] | None = None,
    ) -> ToolOutcome:
        """Outline a window: what a person sees in it and can act on, each thing by a selector of its own.

        Args:
            window: Which window; the active one where absent.
            scope: Only what is in this element, with what is hidden in it, such as the entries of a closed menu.
            depth: Levels at most.
            max_tokens: Most tokens of the outline; what has no room is folded, and each fold says how to open it.
            find: Words: the lines nearest to them are shown.
            since: Whether only what is new, gone or changed since the last look at this window is shown.
            picture: Whether a picture of the window is taken with the numbers of the lines on it; the window is brought to
                the front first if another covers it.

        Returns:
            Output ``text`` (the outline), ``truncated`` (whether anything is folded), ``tokens``, ``lines`` (each with its
            ``selector``, ``ref``, ``text`` and ``number``) and ``picture`` (its path).
        """
        request = OutlineRequest(max_tokens, depth, find or "", numbered=bool(picture))
        return await self._outlines.outline(context, OutlineWish(window, scope, since, request))

    async def _look(self, sought: Sought) -> tuple[SoughtElements, bool]:
        """Return what is seen and whether it is there; in a window that isn't there, nothing is."""
        windows = await self._parts.windows.windows() if sought.window is not None else ()
        if sought.window is not None:
            try:
                found = find_window(sought.window, windows)
            except DeviceError as error:
                if error.code != "window_missing":
                    raise
                return SoughtElements([], [name_window(each) for each in windows]), False
            if sought.is_window or found.minimized:
                return SoughtElements([describe_window(found)]), not found.minimized
        seen = await self._sight.seek(sought)
        return seen, bool(seen.matches)

    async def _wait_for_change(self, sought: Sought, seen: SoughtElements, timeout_s: float) -> None:
        if sought.is_element or seen.view is not None:
            await self._sight.wait_for_change(seen.view, timeout_s)
        else:
            await self._parts.windows.wait_for_change(timeout_s)


def _too_late(sought: Sought, seen: SoughtElements, state: str, waited_s: float) -> DeadlineError:
    what = ", ".join(f"{key} {value!r}" for key, value in sought.describe().items())
    last = [dict(each) for each in seen.matches[:5]] or list(seen.nearest)
    shown = "; ".join(map(_name_seen, last))
    return DeadlineError(
        f"After {waited_s:.1f} s, {what} was still {'not visible' if state == 'visible' else 'visible'}."
        + (f" Seen last: {shown}." if shown else ""),
        hint="Wait longer, or see what is there: surehand look WINDOW.",
        evidence=sought.describe() | {"state": state, "seen": last},
    )


def _name_seen(seen: dict[str, Any] | str) -> str:
    return str(seen if isinstance(seen, str) else seen.get("line") or seen.get("title") or seen.get("name") or seen)
