"""One call of a verb on the fake browser: its faults, its time, the element that it is about, and what happened in it."""

from collections.abc import Callable
from types import TracebackType
from typing import Any, NoReturn, Self

from actuators.browser.fake.browser import FakeBrowser, FakeCall
from actuators.browser.fake.documents import Document, LiveElement
from actuators.browser.fake.faults import Breaks, Covered, Dies, TimesOut, Waits
from actuators.browser.fake.pages import FakeFile
from actuators.browser.fake.selecting import explain_ambiguous, explain_missing, find_anywhere
from actuators.browser.fake.tabs import FakeTab
from actuators.browser.several import explain_few, merge_outcomes, stop_midway
from core.base.errors import (
    ActionError,
    DeadlineError,
    NavigationError,
    SurehandError,
    TargetError,
    UnknownOutcomeError,
)
from core.results.tool_results import ToolOutcome
from core.selectors.selectors import PlainSelector, parse_selector, parse_single_selector
from core.tools.ports import ActionContext

LOOK_S = 0.1
RESERVE = 0.85  # part of an action's time that is spent looking; the rest is for saying what was missing
TRAVELS = frozenset({"navigate", "back", "forward", "reload", "search", "open_tab"})
AT_MOST_ONCE = frozenset(
    {"click", "hover", "drag", "type", "press", "select", "set", "fill", "reveal", "upload", "download"}
)


class Turn:
    """The time of one call: ``async with Turn(browser, context, "click", args) as turn``.

    Attributes:
        browser: Where it is made.
        context: About the action.
        downloaded: Files that the call began to download, each with its address.
    """

    def __init__(self, browser: FakeBrowser, context: ActionContext, verb: str, args: dict[str, Any]) -> None:
        """Prepare a call.

        Args:
            browser: Where it is made.
            context: About the action.
            verb: What is called.
            args: Its arguments; those that are None are not kept.
        """
        self.browser = browser
        self.context = context
        self._verb = verb
        self._args = {name: value for name, value in args.items() if value is not None}
        self._covered_by = ""
        self._death: Dies | None = None
        self._began_s = browser.clock_s
        self.downloaded: list[tuple[str, FakeFile]] = []
        self.dismissed: list[dict[str, object]] = []

    async def __aenter__(self) -> Self:
        """Write the call down and let happen what goes wrong before it."""
        self.browser.calls.append(FakeCall(self._verb, self._args, self.context.lane))
        for trouble in self.browser.faults.take(self._verb):
            match trouble:
                case Waits():
                    trouble.reached.set()
                    await trouble.gate.wait()
                case Breaks():
                    raise trouble.error
                case TimesOut():
                    raise self._time_out()
                case Covered():
                    self._covered_by = trouble.by
                case Dies():
                    self._death = trouble
        if self._verb not in AT_MOST_ONCE:
            self._die_unless_done()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Forget what was reported; die now if that was declared."""
        self.browser.happenings.pop(self.context.lane, None)
        if self._death and error is None:
            raise self._die()

    @property
    def waited_s(self) -> float:
        """Simulated seconds since the call began."""
        return round(self.browser.clock_s - self._began_s, 3)

    @property
    def tab(self) -> FakeTab:
        """The lane's current tab.

        Raises:
            ActionError: If the lane has none (``no_page``), or a dialog is open on it (``dialog_open``).
        """
        tab = self.browser.tabs.current(self.context.lane)
        if tab is None:
            raise ActionError(
                "No page is open.", code="no_page", hint='Start with browser.navigate, such as "go to https://…".'
            )
        if tab.dialog:
            detail = tab.dialog.detail
            raise ActionError(
                f'The page waits for an answer to its {detail["kind"]}: "{detail["message"]}".',
                code="dialog_open",
                hint="Answer it with browser.dialog first.",
                evidence={"dialog": detail},
            )
        return tab

    @property
    def document(self) -> Document:
        """The lane's current document."""
        return self.tab.document

    @property
    def holds_dialogs(self) -> bool:
        """Whether a dialog that opens now is answered by a following action."""
        return "browser.dialog" in self.context.followers

    def open_tab(self) -> FakeTab:
        """Return the lane's current tab, or a new one if it has none; an open dialog is dismissed."""
        tab = self.browser.tabs.current(self.context.lane)
        if tab is None:
            tab = self.browser.tabs.open(self.context.lane)
            self.browser.tabs.enter(self.context.lane, tab)
        if tab.dialog:
            tab.dialog.detail["answer"] = "dismiss"
            tab.dialog = None
        return tab

    def evidence(self) -> dict[str, Any]:
        """Return what happened on the lane's pages so far."""
        return dict(self.browser.happenings.get(self.context.lane, {}))

    def look(self, timeout_s: float | None = None) -> bool:
        """Let a little time pass; return False if there is none left."""
        limit_s = self.context.timeout_s * RESERVE if timeout_s is None else timeout_s
        if self.waited_s >= limit_s:
            return False
        self.browser.clock_s += LOOK_S
        tab = self.browser.tabs.current(self.context.lane)
        if tab:
            tab.document.look_again()
        return True

    def find_all(self, selector: str, *, wait: bool = True) -> list[LiveElement]:
        """Return all elements that a selector names.

        Args:
            selector: The elements.
            wait: Whether to wait for the first one.

        Raises:
            TargetError: If it is no selector, or none comes although they are waited for.
        """
        spec = parse_selector(selector)
        while not (found := find_anywhere(spec, self.document)) and wait:
            if not self.look():
                raise explain_missing(spec, self.document, self.waited_s)
        return found

    def find(self, selector: str) -> LiveElement:
        """Return the one element that a selector names; wait for it.

        Raises:
            TargetError: If it is missing, ambiguous, or no selector.
        """
        spec = parse_single_selector(selector)
        found = self.find_all(selector)
        if len(found) > 1:
            raise explain_ambiguous(spec, found, self.waited_s)
        return found[0]

    def find_each(self, selector: str) -> list[LiveElement]:
        """Return all elements that a selector for several names, or the one that any other names; wait for them.

        Raises:
            TargetError: If there are none, fewer than were asked for, or it can't be told which are the first.
        """
        spec = parse_selector(selector)
        if not spec.names_several:
            return [self.find(selector)]
        found = self.find_all(selector)
        wanted = spec.core.quantity if isinstance(spec.core, PlainSelector) else "every"
        while isinstance(wanted, int) and len(found) < wanted:
            if not self.look():
                raise explain_few(selector, wanted, len(found), {"url": self.document.url})
            found = self.find_all(selector)
        if isinstance(wanted, int) and len(found) > wanted:
            raise explain_ambiguous(spec, found, self.waited_s)
        return found

    def reach(self, selector: str, *, by_pointer: bool = True) -> LiveElement:
        """Return the one element that a selector names, if it can be acted on.

        Args:
            selector: The element.
            by_pointer: Whether something may not lie over it.

        Raises:
            TargetError: If it is missing, ambiguous, hidden, disabled or covered.
            UnknownOutcomeError: If the browser dies at this moment.
        """
        return self.touch(selector, self.find(selector), by_pointer=by_pointer)

    def act_on_each(self, selector: str, act: Callable[[LiveElement], ToolOutcome]) -> ToolOutcome:
        """Do something with each element that a selector names, if it can be acted on.

        Args:
            selector: One or several elements.
            act: What to do with each.

        Raises:
            TargetError: As ``reach``; says how many had been acted on before.
        """
        found = self.find_each(selector)
        if not parse_selector(selector).names_several:
            return act(self.touch(selector, found[0]))
        done: list[ToolOutcome] = []
        for each in found:
            try:
                if each.document not in (self.document, *self.document.frames):
                    self.refuse(selector, each, "target_missing", "went away with its page")
                done.append(act(self.touch(selector, each)))
            except SurehandError as error:
                raise stop_midway(error, done, len(found)) from error
        return merge_outcomes(done)

    def touch(self, selector: str, element: LiveElement, *, by_pointer: bool = True) -> LiveElement:
        """Return an element that was found, if it can be acted on.

        Raises:
            TargetError: If it is hidden, disabled or covered.
            UnknownOutcomeError: If the browser dies at this moment.
        """
        if not element.is_visible:
            self.refuse(selector, element, "target_hidden", "is not visible")
        if element.disabled or any(each.disabled for each in element.ancestors()):
            self.refuse(selector, element, "target_disabled", "is disabled")
        if by_pointer and (blocker := self._covered_by or find_blocker(element)):
            self.refuse(selector, element, "target_covered", f"is covered by {blocker}", blocker={"name": blocker})
        self._die_unless_done()
        return element

    def refuse(self, selector: str, element: LiveElement, code: str, phrase: str, **more: Any) -> NoReturn:
        """Raise the error for an element that can't be acted on."""
        evidence = {
            "selector": selector, "url": self.document.url, "waited_s": self.waited_s, "element": element.describe(),
        }  # fmt: skip
        message = f"{selector.strip()} {phrase}; waited {self.waited_s:.1f} s."
        raise TargetError(message, code=code, evidence=evidence | more)

    def _die_unless_done(self) -> None:
        if self._death and not self._death.done:
            raise self._die()

    def _die(self) -> SurehandError:
        self._death = None
        self.browser.die()
        if self._verb in AT_MOST_ONCE:
            return UnknownOutcomeError(
                f"browser.{self._verb} was running when the browser stopped answering; "
                "whether it took effect is unknown.",
                hint="Check the page before you repeat it.",
                evidence={**self._args, "waited_s": self.waited_s},
            )
        text = "The page or the browser was closed."
        return ActionError(text, code="page_closed", hint="Open a page with browser.navigate.")

    def _time_out(self) -> SurehandError:
        self.browser.clock_s += self.context.timeout_s
        if self._verb in TRAVELS:
            address = self._args.get("url", "The page")
            return NavigationError(f"{address} did not answer in time.", code="navigation_timeout")
        return DeadlineError(f"browser.{self._verb} was not done in {self.waited_s:g} s.")


def find_blocker(element: LiveElement) -> str:
    """Return what lies over an element; empty if nothing does, or that is hidden now."""
    said = element.declared.covered_by
    blocker = element.document.find_id(said) if said else None
    if blocker is None:
        return said
    return f"{blocker.role} {blocker.name or blocker.read_text() or said}" if blocker.is_visible else ""
