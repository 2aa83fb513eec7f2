"""Tools that act with the pointer."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Protocol, get_args

from actuators.browser.ports.acts import ClickRequest, DragRequest, DrawRequest, ScrollRequest
from actuators.browser.ports.pages import Done, PagePort
from actuators.browser.ports.values import parse_condition
from actuators.browser.tools.toolset import CLICK_UNDO, BrowserToolset, tell
from core.base.errors import InputError
from core.results.tool_results import ToolOutcome
from core.rules.browser_choices import (
    Direction,
    FocusMove,
    Modifier,
    MouseButton,
    RevealMethod,
    ScrollEnd,
    ScrollUnit,
    Side,
    SortOrder,
    StrokeShape,
)
from core.rules.param_types import OFFSET, WORD, Duration, PlainText, Selector, Selectors
from core.rules.type_makers import either, integer, listing, number
from core.selectors.selectors import parse_selector
from core.tools.ports import ActionContext


class PointerPort(PagePort, Protocol):
    """Acts with the pointer. Selectors are resolved when they are used; elements are waited for, at most the action's time."""

    async def click(self, context: ActionContext, selector: str, request: ClickRequest) -> Done:
        """Click an element, or several one by one; facts ``received_by`` and ``events``."""
        ...

    async def hover(self, context: ActionContext, selector: str, seconds: float | None = None) -> Done:
        """Move the pointer onto an element, and keep it there for some time; facts ``hovered`` and ``on_top``."""
        ...

    async def focus(self, context: ActionContext, selector: str) -> Done:
        """Give an element the focus; facts ``focused``."""
        ...

    async def move_focus(self, context: ActionContext, move: FocusMove) -> Done:
        """Move the focus from field to field; facts ``focused`` and ``element``."""
        ...

    async def mark(self, context: ActionContext, selector: str, text: str | None) -> Done:
        """Mark a text, or all that is in an element; facts ``marked``."""
        ...

    async def drag(self, context: ActionContext, selector: str, request: DragRequest) -> Done:
        """Drag an element, or several one by one; facts say where it was before and after."""
        ...

    async def arrange(self, context: ActionContext, selector: str, order: str | Sequence[str]) -> Done:
        """Drag things until they stand in order; facts ``before``, ``after`` and ``moves``."""
        ...

    async def draw(self, context: ActionContext, selector: str, request: DrawRequest) -> Done:
        """Draw a line with the pointer; facts say from where to where, and whether the page shows another picture."""
        ...

    async def scroll(self, context: ActionContext, selector: str | None, request: ScrollRequest) -> Done:
        """Scroll the page, or what scrolls an element; facts ``before`` and ``after``, output ``x_px``, ``y_px`` and ``at_end``."""
        ...

    async def reveal(self, context: ActionContext, selector: str, by: RevealMethod) -> Done:
        """Bring an element into sight; output ``by`` and ``through``."""
        ...


class PointerTools(BrowserToolset[PointerPort]):
    """Acting with the pointer."""

    async def identify(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Say which page, and which element of it, is acted on."""
        if verb == "reveal":  # what it is about isn't there yet
            return self._describe_page(context)
        return await super().identify(verb, context, args)

    async def click(
        self,
        context: ActionContext,
        selector: Selectors,
        button: MouseButton = "left",
        count: Annotated[int, integer(1, 100)] = 1,
        modifiers: Annotated[tuple[Modifier, ...], listing(WORD, 5)] | None = None,
        reveal: RevealMethod | None = None,
        until: Selector | None = None,
        value: str | None = None,
        order: Annotated[str | tuple[str, ...], either(WORD, listing(WORD, 100))] | None = None,
    ) -> ToolOutcome:
        """Click an element, and succeed only if that very element received the click.

        Args:
            selector: Element to click, or several, which are clicked one by one.
            button: Mouse button.
            count: 1 for a click, 2 for a double click, 3 for a triple click; more for as many clicks one after another.
            modifiers: Keys held meanwhile.
            reveal: What to open or go through first if the element isn't in sight, as ``reveal`` does it; only for one element.
            until: Click again and again until this element is visible, or has the ``value``; not at all where that is so already.
            value: What ``until`` must show, as ``wait`` takes it: ``even``, ``at least 3``, ``Ready``.
            order: In which order several elements are clicked, as ``arrange`` takes it; in that of the page where absent.

        Returns:
            Evidence ``received_by``, ``navigated_to``, ``opened_tab``, ``dialogs`` and what else changed; of several
            elements ``count``, and ``elements`` with what received each click; with ``reveal`` also ``revealed``, what it took;
            with ``until`` also ``clicks``, how many it took, and ``shown``.

        Raises:
            TargetError: If the element is missing, ambiguous or can't receive the click; names cause and blocker.
            DeadlineError: If ``until`` didn't come to pass in time; says how many clicks were made.
            UnknownOutcomeError: If the browser went away while the click was under way.
        """
        if value is not None and until is None:
            raise InputError("value needs until.", hint="Name what shall have the value with until.")
        _check_order(order)
        if order is not None and not parse_selector(selector).names_several:
            raise InputError("order needs several elements.", hint='For example: every button "Play".')
        condition = None if value is None else parse_condition(value)
        request = ClickRequest(button, count, tuple(modifiers or ()), reveal, until, condition, order)
        done = await self._port.click(context, selector, request)
        return tell(done, CLICK_UNDO)

    async def hover(self, context: ActionContext, selector: Selector, seconds: Duration | None = None) -> ToolOutcome:
        """Move the pointer onto an element, and stay over it.

        Args:
            selector: Element to point at.
            seconds: How long to stay over it, 0 to 3600; if it moves, the pointer follows.

        Returns:
            Evidence ``hovered``: whether the element is under the pointer; with ``seconds`` also ``stayed_s``, and ``off_s``, how
            long it was not.

        Raises:
            TargetError: If the element is missing, ambiguous or can't be reached.
        """
        return tell(await self._port.hover(context, selector, seconds), "Move the pointer elsewhere.")

    async def focus(
        self, context: ActionContext, selector: Selector | None = None, move: FocusMove | None = None
    ) -> ToolOutcome:
        """Give an element the keyboard focus.

        Args:
            selector: Element to focus.
            move: Instead of a selector, the ``next`` or ``previous`` field from where the focus is, in the order of the
                page; where nothing has the focus, the first or last one. Fields are what ``field`` selectors find.

        Returns:
            Evidence ``focused``: whether the element has the focus now; with ``move`` also ``element``, the one that has it.

        Raises:
            TargetError: If the element is missing, ambiguous or can't take the focus, or there is no such field.
        """
        if move is not None and selector is None:
            done = await self._port.move_focus(context, move)
        elif selector is not None and move is None:
            done = await self._port.focus(context, selector)
        else:
            raise InputError("focus needs either a selector or a move.", hint="For example move: next.")
        return tell(done, "Focus another element.")

    async def mark(self, context: ActionContext, selector: Selector, text: PlainText | None = None) -> ToolOutcome:
        """Mark text on the page, as with the pointer, so that what comes next is done to it.

        Args:
            selector: What holds the text: an element, a field or an editor.
            text: The part of it to mark; all of it where absent. Whole words are preferred to parts of others.

        Returns:
            Evidence ``marked``: the text that is marked now.

        Raises:
            TargetError: If the element is missing or ambiguous, or the text is not in it, or several times.
            ActionError: ``value_differs`` if something else is marked afterwards.
        """
        return tell(await self._port.mark(context, selector, text), "Mark something else.")

    async def drag(
        self,
        context: ActionContext,
        selector: Selectors,
        target: Selector | None = None,
        offset: Annotated[tuple[float, float], OFFSET] | None = None,
        side: Side | None = None,
    ) -> ToolOutcome:
        """Drag an element onto another one or by an offset.

        Args:
            selector: Element to drag, or several, which are dragged one by one.
            target: Element to drop it on.
            offset: Distance to drag it, as CSS pixels right and down, instead of a target.
            side: In a list that is put in order, whether it shall come right ``before`` or ``after`` the target.

        Returns:
            Evidence of where the element was before and after, and which element received the drop; of several elements
            ``count``, and ``elements`` with that of each.

        Raises:
            TargetError: If either element is missing, ambiguous or can't be reached.
        """
        if (target is None) == (offset is None):
            raise InputError("drag needs either a target or an offset.", hint='For example target: text "Bin".')
        return tell(await self._port.drag(context, selector, DragRequest(target, offset, side)), "Drag it back.")

    async def draw(
        self,
        context: ActionContext,
        selector: Selector,
        shape: StrokeShape | None = None,
        points: Annotated[tuple[tuple[float, float], ...], listing(OFFSET, 1000)] | None = None,
        size: Annotated[float, number(1, 10000)] = 40,
    ) -> ToolOutcome:
        """Draw a line with the pressed pointer, as on a canvas or a field for a signature.

        Args:
            selector: Where: the surface for ``points``, or what the shape goes around or through.
            size: Diameter of the circle or length of the line, in CSS pixels.
            shape: A ``circle`` around the middle of the element, or a ``horizontal line`` or ``vertical line`` through it.
            points: Instead of a shape, two places or more, in CSS pixels from the upper left corner of the element.

        Returns:
            Evidence ``from``, ``to``, ``points``, and ``changed``: whether the page shows another picture there now.

        Raises:
            TargetError: If the element is missing, ambiguous or hidden.
        """
        places = tuple(points or ())
        if shape is None and len(places) < 2:
            raise InputError("draw needs a shape, or two points at least.", hint="For example shape: circle.")
        done = await self._port.draw(context, selector, DrawRequest(shape, places, size))
        return tell(done, "Use the page's own undo.")

    async def arrange(
        self,
        context: ActionContext,
        selector: Selectors,
        order: Annotated[str | tuple[str, ...], either(WORD, listing(WORD, 100))],
    ) -> ToolOutcome:
        """Drag things until they stand in order.

        Args:
            selector: The things, such as ``every listitem``.
            order: ``ascending`` or ``descending``, by their numbers where each has just one, else by the alphabet; or a list of
                texts, in the order in which they shall come first.

        Returns:
            Evidence ``before`` and ``after``, the texts in their order, and ``moves``, how many were dragged.

        Raises:
            TargetError: If they are missing or can't be dragged.
            ActionError: ``value_differs`` if they don't stand in order in the end.
        """
        _check_order(order)
        return tell(await self._port.arrange(context, selector, order), "Put them back.")

    async def scroll(
        self,
        context: ActionContext,
        direction: Direction = "down",
        amount: Annotated[float, number(0.01, 1000000)] = 1,
        unit: ScrollUnit = "page",
        selector: Selector | None = None,
        to: ScrollEnd | None = None,
    ) -> ToolOutcome:
        """Scroll the page or a scrolling element.

        Args:
            direction: Where to.
            amount: How far, in units; greater than zero.
            unit: ``page`` (the visible height or width) or ``pixel`` (CSS pixels).
            selector: Scrolling element, or any element inside one; the page itself where absent.
            to: Go all the way to the top or bottom instead.

        Returns:
            Output ``x_px``, ``y_px``, ``at_end``; evidence the position before and after.

        Raises:
            TargetError: If the element is missing, ambiguous or doesn't scroll.
        """
        request = ScrollRequest(direction, amount, unit, to)
        return tell(await self._port.scroll(context, selector, request), "Scroll back.")

    async def reveal(self, context: ActionContext, selector: Selector, by: RevealMethod = "any") -> ToolOutcome:
        """Bring an element into sight: open what is collapsed, go through tabs, menus and pages, scroll.

        It stops at the first place where it is, and what was opened on the way stays open. Nothing is pressed that sends a form or
        leads to another site.

        Args:
            selector: The element to bring into sight.
            by: What to try: ``sections`` that are collapsed, ``tabs``, ``menus``, ``pages`` of a list, ``scroll``, or ``any`` of them.

        Returns:
            Output ``by`` (what did it; ``none`` where the element was in sight already) and ``through`` (the names of what was opened
            for it, outermost first); evidence the same and ``tried``. Until the page is another one, ``ref=revealed`` names
            the element. Parts that are counted, such as ``record nth 7``, are counted on from page to page.

        Raises:
            TargetError: ``target_missing`` if it came up nowhere, with what was looked through; ``target_ambiguous`` if several came
                into sight at once.
        """
        return tell(await self._port.reveal(context, selector, by), "Close what was opened, or go back.")


def _check_order(order: str | tuple[str, ...] | None) -> None:
    if isinstance(order, str) and order not in get_args(SortOrder):
        raise InputError(f"{order} is not an order.", hint="Use ascending, descending or a list of texts.")
