"""Acting with the pointer, simulated."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from actuators.browser.fake.aiming import describe_page, describe_target
from actuators.browser.fake.browser import FakeBrowser
from actuators.browser.fake.documents import FIELD_ROLES, Document, LiveElement
from actuators.browser.fake.effects import press_mouse, report
from actuators.browser.fake.revealing import reveal as bring_into_sight
from actuators.browser.fake.turns import Turn
from actuators.browser.questions import weaken_by_questions
from actuators.browser.tools.pointer import FocusMove, PointerTools, Side
from actuators.browser.tools.toolset import Direction, Modifier, MouseButton, Uncovering
from core.errors import InputError, TargetError
from core.matching import fold_space
from core.ports import ActionContext
from core.results import ToolOutcome
from core.selectors import parse_selector, parse_single_selector

_EVENTS = {
    "left": ["mousedown", "mouseup", "click"],
    "middle": ["mousedown", "mouseup", "auxclick"],
    "right": ["mousedown", "contextmenu", "mouseup", "auxclick"],
}
_FOCUSED_BY_KIND = frozenset({"link", "button", "tab", "menuitem", "checkbox", "radio", "switch"})


class FakePointer(PointerTools):
    """Acts with the pointer on declared pages."""

    def __init__(self, browser: FakeBrowser) -> None:
        """Use this browser."""
        self._browser = browser

    async def identify(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Say which page, and which element of it, is acted on."""
        if verb == "reveal":  # what it is about isn't there yet
            return describe_page(self._browser, context)
        return describe_target(self._browser, context, args)

    async def click(
        self,
        context: ActionContext,
        selector: str,
        button: MouseButton = "left",
        count: int = 1,
        modifiers: tuple[Modifier, ...] = (),
        reveal: Uncovering | None = None,
    ) -> ToolOutcome:
        """Click an element."""
        args = {"selector": selector, "button": button, "count": count, "modifiers": modifiers or None}
        async with Turn(self._browser, context, "click", args) as turn:
            spec = parse_single_selector(selector) if reveal else None
            revealed = {"revealed": bring_into_sight(turn, spec, reveal).output()} if spec and reveal else {}

            def click_it(element: LiveElement) -> ToolOutcome:
                received_by, tab = element.describe(), turn.tab
                press_mouse(turn, element, button, count, modifiers)
                held = tab.dialog is not None
                events = [] if held else _EVENTS[button] * count
                evidence = {"received_by": None if held else received_by, "events": events}
                undo = "A click can't be taken back; what it did may be."
                return ToolOutcome({}, "unverified" if held else "confirmed", evidence, undo)

            outcome = turn.act_on_each(selector, click_it)
            outcome = replace(outcome, evidence={**outcome.evidence, **revealed, **turn.evidence()})
            return weaken_by_questions(outcome, turn.dismissed)

    async def hover(self, context: ActionContext, selector: str) -> ToolOutcome:
        """Move the pointer onto an element."""
        async with Turn(self._browser, context, "hover", {"selector": selector}) as turn:
            turn.reach(selector)
            evidence = {"hovered": True, "on_top": True, **turn.evidence()}
            return ToolOutcome(evidence=evidence, effect="confirmed", undo="Move the pointer elsewhere.")

    async def focus(
        self, context: ActionContext, selector: str | None = None, move: FocusMove | None = None
    ) -> ToolOutcome:
        """Give an element the keyboard focus."""
        if (selector is None) == (move is None):
            raise InputError("focus needs either a selector or a move.", hint="For example move: next.")
        async with Turn(self._browser, context, "focus", {"selector": selector, "move": move}) as turn:
            if selector is None:
                element = _find_beside(turn, move or "next")
                told = {"element": element.describe()}
            else:
                element, told = turn.reach(selector, by_pointer=False), {}
                if not (element.is_editable or element.declared.options or element.role in _FOCUSED_BY_KIND):
                    turn.refuse(selector, element, "target_unsuitable", "does not take the focus")
            turn.document.focused = element
            evidence = {"focused": True, **told, **turn.evidence()}
            return ToolOutcome(evidence=evidence, effect="confirmed", undo="Focus another element.")

    async def mark(self, context: ActionContext, selector: str, text: str | None = None) -> ToolOutcome:
        """Mark text."""
        async with Turn(self._browser, context, "mark", {"selector": selector, "text": text}) as turn:
            element = turn.reach(selector, by_pointer=False)
            whole = fold_space(element.value or element.read_text())
            wanted = whole if text is None else fold_space(text)
            places = whole.casefold().count(wanted.casefold()) if wanted else 0
            if places != 1:
                code = "target_ambiguous" if places else "target_missing"
                turn.refuse(selector, element, code, f"has the text {wanted!r} {places} times")
            at = whole.casefold().index(wanted.casefold())
            marked = "" if element.is_secret else whole[at : at + len(wanted)]
            return ToolOutcome(
                evidence={"marked": marked, **turn.evidence()}, effect="confirmed", undo="Mark something else."
            )

    async def drag(
        self,
        context: ActionContext,
        selector: str,
        target: str | None = None,
        offset: tuple[float, float] | None = None,
        side: Side | None = None,
    ) -> ToolOutcome:
        """Drag an element onto another one or by an offset."""
        if (target is None) == (offset is None):
            raise InputError("drag needs either a target or an offset.", hint='For example target: text "Bin".')
        async with Turn(
            self._browser, context, "drag", {"selector": selector, "target": target, "offset": offset}
        ) as turn:

            def drag_it(element: LiveElement) -> ToolOutcome:
                before = _place(element)
                if target and turn.reach(target) is element:
                    return _leave_target(turn, element, selector)
                receiver = _drop(turn, element, target) if target else None
                element.x_px += offset[0] if offset else 0
                element.y_px += offset[1] if offset else 0
                told_side = {"on_side": bool(receiver)} if side else {}
                evidence = {"before": before, "after": _place(element), "received_by": receiver, **told_side}
                moved = receiver or evidence["after"] != before
                return ToolOutcome({}, "confirmed" if moved else "unverified", evidence, "Drag it back.")

            outcome = turn.act_on_each(selector, drag_it)
            return replace(outcome, evidence={**outcome.evidence, **turn.evidence()})

    async def scroll(
        self,
        context: ActionContext,
        direction: Direction = "down",
        amount: float = 1,
        unit: Literal["page", "pixel"] = "page",
        selector: str | None = None,
        to: Literal["top", "bottom"] | None = None,
    ) -> ToolOutcome:
        """Scroll the page; single elements don't scroll here, and pages are no wider than the window."""
        args = {"direction": direction, "amount": amount, "unit": unit, "selector": selector, "to": to}
        async with Turn(self._browser, context, "scroll", args) as turn:
            across = not to and direction in ("left", "right")
            document = turn.document if selector is None else turn.find(selector).document
            most_px = max(0, document.page.height_px - self._browser.seen["height"])
            if selector is not None and (across or not most_px):
                turn.refuse(selector, turn.find(selector), "target_unsuitable", "has nothing around it that scrolls")
            page_px = self._browser.seen["height"] if unit == "page" else 1
            back = to == "top" if to else direction in ("up", "left")
            distance_px = 0 if across else most_px if to else amount * page_px
            before = _position(document)
            document.y_px = min(most_px, max(0, document.y_px + (-distance_px if back else distance_px)))
            after = _position(document)
            at_end = across or document.y_px == (0 if back else most_px)
            evidence = {"before": before, "after": after, "at_end": at_end, "element": document.root.describe()}
            effect = "confirmed" if before != after or (to and at_end) else "unverified"
            return ToolOutcome({**after, "at_end": at_end}, effect, evidence, undo="Scroll back.")

    async def reveal(self, context: ActionContext, selector: str, by: Uncovering = "any") -> ToolOutcome:
        """Bring an element into sight."""
        spec = parse_single_selector(selector)
        async with Turn(self._browser, context, "reveal", {"selector": selector, "by": by}) as turn:
            trail = bring_into_sight(turn, spec, by)
            evidence = {**trail.evidence(), **turn.evidence()}
            return ToolOutcome(trail.output(), "confirmed", evidence, undo="Close what was opened, or go back.")


def _position(document: Document) -> dict[str, int]:
    return {"x_px": 0, "y_px": round(document.y_px)}


def _find_beside(turn: Turn, move: FocusMove) -> LiveElement:
    """Return the field before or behind the one with the focus; the last or first where nothing has it."""
    elements = [each for each in turn.document.elements if each.is_visible]
    here = turn.document.focused
    place = elements.index(here) if here in elements else None
    sides = {"next": elements[0 if place is None else place + 1 :], "previous": elements[:place][::-1]}
    fields = (each for each in sides[move] if each.role in FIELD_ROLES and not each.disabled)
    found = next(fields, None)
    if found is None:
        raise TargetError(f"There is no {move} field on {turn.tab.url}.", code="target_missing", hint="Name the field.")
    return found


def _leave_target(turn: Turn, element: LiveElement, selector: str) -> ToolOutcome:
    """Leave the target where it is, if others are dragged onto it as well."""
    if not parse_selector(selector).names_several:
        turn.refuse(selector, element, "target_unsuitable", "is its own target")
    return ToolOutcome({}, "confirmed", {"left_out": "it is the target itself"}, "Drag it back.")


def _drop(turn: Turn, element: LiveElement, target: str) -> dict[str, Any]:
    """Drop an element on another one, and return which received it."""
    onto = turn.reach(target)
    if not (element.declared.draggable and onto.declared.accepts_drop):
        turn.refuse(target, onto, "target_unsuitable", "did not accept the drop")
    report(turn, onto, "dropped", {"id": element.declared.id, "on": onto.declared.id})
    element.y_px += 1
    return onto.describe()


def _place(element: LiveElement) -> dict[str, Any]:
    inside = next((each.name for each in element.ancestors() if each.name), "")
    return {"x_px": element.x_px, "y_px": element.y_px, "inside": inside}
