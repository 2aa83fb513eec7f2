"""One act on the fake browser: its faults, its time, the element that it is about, and what happened in it; and what all parts know of pages."""

from collections.abc import Mapping
from types import TracebackType
from typing import Any, NoReturn, Self

from actuators.browser.fake.browser import Breaks, Covered, Dies, FakeBrowser, FakeView, TimesOut, Waits
from actuators.browser.fake.documents import FakeDocument, LiveElement, explain_ambiguous, explain_missing, find_matches
from actuators.browser.fake.pages import resolve_address
from actuators.browser.ports.pages import make_no_page_error
from core.base.errors import (
    ActionError,
    DeadlineError,
    NavigationError,
    SurehandError,
    TargetError,
    UnknownOutcomeError,
)
from core.results.failure_snapshots import FailureSnapshot
from core.selectors.selectors import parse_selector
from core.tools.ports import ActionContext

LOOK_S = 0.1
RESERVE = 0.85  # part of an action's time that is spent looking; the rest is for saying what was missing


class Turn:
    """The time of one act: ``async with Turn(browser, context, "click", touches=True) as turn``."""

    def __init__(
        self, browser: FakeBrowser, context: ActionContext, verb: str, *, touches: bool = False, travels: bool = False
    ) -> None:
        """Prepare an act; of one that touches an element nobody knows what came of it if the browser dies."""
        self.browser = browser
        self.context = context
        self._verb = verb
        self._touches = touches
        self._travels = travels
        self._covered_by = ""
        self._death: Dies | None = None
        self._began_s = browser.clock_s

    async def __aenter__(self) -> Self:
        for trouble in self.browser.begin_call(self._verb, self.context.lane):
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
        if not self._touches:
            self._die_unless_done()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.browser.happenings.pop(self.context.lane, None)
        if self._death and error is None:
            raise self._die()

    @property
    def waited_s(self) -> float:
        """Simulated seconds since the act began."""
        return round(self.browser.clock_s - self._began_s, 3)

    @property
    def view(self) -> FakeView:
        """What the lane's current tab shows."""
        tab = self.browser.tabs.current(self.context.lane)
        if tab is None:
            raise make_no_page_error()
        return tab.page

    @property
    def document(self) -> FakeDocument:
        """The lane's current document."""
        return self.view.document

    def note(self, kind: str, detail: Any) -> None:
        """Write down what happened on the lane's page."""
        self.browser.happenings.setdefault(self.context.lane, {})[kind] = detail

    def meanwhile(self) -> dict[str, Any]:
        """Return what happened on the lane's pages so far."""
        return dict(self.browser.happenings.get(self.context.lane, {}))

    def look(self, limit_s: float | None = None) -> bool:
        """Let a little time pass; return False if there is none left."""
        if self.waited_s >= (self.context.timeout_s * RESERVE if limit_s is None else limit_s):
            return False
        self.browser.clock_s += LOOK_S
        self.document.looks += 1
        return True

    def find(self, selector: str) -> LiveElement:
        """Return the one element that a selector names; wait for it; TargetError if there isn't one."""
        spec = parse_selector(selector)
        while not (found := find_matches(spec, self.document)):
            if not self.look():
                raise explain_missing(spec, self.document, self.waited_s)
        if len(found) > 1:
            raise explain_ambiguous(spec, found, self.waited_s)
        return found[0]

    def reach(self, selector: str) -> LiveElement:
        """Return the one element that can be acted on; UnknownOutcomeError if the browser dies at this moment."""
        element = self.find(selector)
        if not element.is_visible:
            self.refuse(selector, element, "target_hidden", "is not visible")
        if not element.is_enabled:
            self.refuse(selector, element, "target_disabled", "is disabled")
        if self._covered_by:
            blocker = {"name": self._covered_by}
            self.refuse(selector, element, "target_covered", f"is covered by {self._covered_by}", blocker=blocker)
        self._die_unless_done()
        return element

    def refuse(self, selector: str, element: LiveElement, code: str, phrase: str, **more: Any) -> NoReturn:
        """Raise the error for an element that can't be acted on."""
        place = {"selector": selector, "url": self.document.url, "waited_s": self.waited_s}
        message = f"{selector.strip()} {phrase}; waited {self.waited_s:.1f} s."
        raise TargetError(message, code=code, evidence={**place, "element": element.describe(), **more})

    def _die_unless_done(self) -> None:
        if self._death and not self._death.done:
            raise self._die()

    def _die(self) -> SurehandError:
        self._death = None
        self.browser.die()
        if self._touches:
            return UnknownOutcomeError(
                f"browser.{self._verb} was running when the browser stopped answering; "
                "whether it took effect is unknown.",
                hint="Check the page before you repeat it.",
                evidence={"waited_s": self.waited_s},
            )
        text = "The page or the browser was closed."
        return ActionError(text, code="page_closed", hint="Open a page with browser.navigate.")

    def _time_out(self) -> SurehandError:
        self.browser.clock_s += self.context.timeout_s
        if self._travels:
            return NavigationError("The page did not answer in time.", code="navigation_timeout")
        return DeadlineError(f"browser.{self._verb} was not done in {self.waited_s:g} s.")


class FakePart:
    """The pages of a fake browser."""

    def __init__(self, browser: FakeBrowser) -> None:
        self._browser = browser

    def find_address(self, context: ActionContext) -> str | None:
        """Return the address of the lane's page; None where no page is open."""
        tab = self._browser.tabs.current(context.lane)
        return tab.page.url if tab else None

    async def describe_elements(self, context: ActionContext, selector: str) -> Mapping[str, Any]:
        """Return role, name, tag and where it leads or sends to, of the element that is acted on."""
        turn = Turn(self._browser, context, "aim")
        element = turn.find(selector)
        facts: dict[str, Any] = element.describe()
        for holder in element.ascend():
            address = resolve_address(holder.declared.href or turn.document.url, turn.document.url)
            if holder.role == "form":
                facts |= {"form_sends_to": address, "form_method": (holder.attribute("method") or "get").lower()}
            elif holder.declared.href:
                facts["leads_to"] = address
        return facts

    async def show_snapshot(self, context: ActionContext) -> FailureSnapshot | None:
        """Return the address of the lane's page; None where it has none."""
        address = self.find_address(context)
        return None if address is None else FailureSnapshot({"url": address})
