"""The fake browser itself: its tabs, its faults, and how it goes from page to page of a FakeWeb."""

import asyncio
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from actuators.browser.fake.documents import FakeDocument
from actuators.browser.fake.pages import FakeFile, FakePage, FakeRedirect, FakeRequest, FakeWeb, resolve_address
from actuators.browser.ports.tabs import TabFacts, TabStrip
from core.addresses.platforms import SearchPlatform
from core.addresses.urls import judge_address
from core.base.errors import NavigationError, SurehandError
from core.base.late_dataclasses import dataclass, field
from core.policy.policy import Policy


@dataclass(frozen=True, slots=True)
class Covered:
    """The element is covered: ``target_covered``, and nothing is done. For verbs that act on an element."""

    by: str


@dataclass(frozen=True, slots=True)
class TimesOut:
    """The page doesn't answer in time: ``navigation_timeout`` for verbs that travel, otherwise ``timed_out``."""


@dataclass(frozen=True, slots=True)
class Dies:
    """The browser dies during the act, ``done`` at the far end before or not; the next navigation starts another."""

    done: bool = True


@dataclass(frozen=True, slots=True)
class Breaks:
    """The call raises this error before it does anything."""

    error: SurehandError | RuntimeError


@dataclass(frozen=True, slots=True)
class Waits:
    """The call waits before it does anything, for as long as a test wants."""

    gate: asyncio.Event = field(default_factory=asyncio.Event)
    reached: asyncio.Event = field(default_factory=asyncio.Event)


Trouble = Covered | TimesOut | Dies | Breaks | Waits
EVERY = 0


@dataclass(frozen=True, slots=True)
class BrowserFault:
    """What goes wrong with a verb (a search is a ``navigate``): with which call of it from 1, or ``EVERY`` (0)."""

    verb: str
    trouble: Trouble
    number: int = 1


BLANK = FakePage(title="")
BLANK_ADDRESS = "about:blank"


@dataclass(eq=False, slots=True)
class FakeView:
    """What a tab shows, and the documents before, oldest first; the first is empty and nobody returns to it."""

    history: list[FakeDocument] = field(default_factory=lambda: [FakeDocument(BLANK_ADDRESS, BLANK)])
    place: int = 0

    @property
    def document(self) -> FakeDocument:
        """The document that is open now."""
        return self.history[self.place]

    @property
    def url(self) -> str:
        """Its address."""
        return self.document.url

    @property
    def title(self) -> str:
        """Its title."""
        return self.document.page.title

    def show(self, document: FakeDocument) -> None:
        """Go on to a document; what was later in the history is gone."""
        self.history[self.place + 1 :] = [document]
        self.place += 1


class FakeTabs(TabStrip[FakeView]):
    """All tabs in the order in which they were opened, and the current one of each lane."""

    def list_all(self, lane: str) -> list[TabFacts]:
        """Return what a lane knows of every tab."""
        return self.list_facts(lane, [(tab.page.url, tab.page.title) for tab in self])

    def close_lane(self, lane: str) -> None:
        """Close the tabs that a lane opened and no other lane is on."""
        for tab in self.end_lane(lane):
            self.remove(tab.page)


MOST_REDIRECTS = 20


@dataclass(frozen=True, slots=True)
class FakeCall:
    """One act: its name, and the lane that it was done for."""

    verb: str
    lane: str


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came of a request: the page, if one came, the addresses on the way, and why no page came."""

    document: FakeDocument | None
    redirects: tuple[str, ...]
    trouble: SurehandError | None = None


class FakeBrowser:
    """A browser session without a browser: writes no file, and no time passes but for simulated seconds."""

    def __init__(
        self,
        web: FakeWeb,
        *,
        faults: Iterable[BrowserFault] = (),
        platforms: Mapping[str, SearchPlatform] | None = None,
        artifacts_dir: Path | None = None,
    ) -> None:
        self.web = web
        self._faults = tuple(faults)
        self.platforms = dict(platforms or {})
        self.artifacts_dir = artifacts_dir or Path()
        self.tabs = FakeTabs()
        self.happenings: dict[str, dict[str, Any]] = {}
        self.calls: list[FakeCall] = []
        self.clock_s = 0.0

    def begin_call(self, verb: str, lane: str) -> tuple[Trouble, ...]:
        """Write an act down; return what goes wrong with it, in the order of the declaration."""
        self.calls.append(FakeCall(verb, lane))
        number = sum(call.verb == verb for call in self.calls)
        return tuple(each.trouble for each in self._faults if each.verb == verb and each.number in {EVERY, number})

    def die(self) -> None:
        """Lose everything that a browser which dies loses; the next page is opened in a fresh one."""
        self.tabs.clear()
        self.happenings.clear()

    def fetch(self, request: FakeRequest, policy: Policy) -> Fetched:
        """Ask the web for an address, and follow where it leads; no tab shows it yet."""
        redirects: list[str] = []
        while len(redirects) <= MOST_REDIRECTS:
            if request.url == BLANK_ADDRESS:
                return Fetched(FakeDocument(request.url, BLANK), ())
            if trouble := self._find_trouble(request.url, policy):
                return Fetched(None, tuple(redirects), trouble)
            answer = self.web.answer(request)
            if isinstance(answer, FakeFile):
                what, hint = "it is a file to download, not a page", "Download it in a real browser."
                return Fetched(None, tuple(redirects), _fail(request.url, "became_download", what, hint))
            if not isinstance(answer, FakeRedirect):
                return Fetched(FakeDocument(request.url, answer), tuple(redirects))
            redirects.append(request.url)
            request = FakeRequest("GET", resolve_address(answer.to, request.url))
        return Fetched(None, tuple(redirects), _fail(redirects[0], "redirect_loop", "it redirects without end"))

    def _find_trouble(self, url: str, policy: Policy) -> SurehandError | None:
        try:
            address = judge_address(url)
            policy.check_address(address)
        except SurehandError as error:
            return error
        if not self.web.knows_host(address.host):
            return _fail(url, "dns_failed", "there is no server of that name")
        return None


def _fail(url: str, code: str, what: str, hint: str = "Check the address.") -> NavigationError:
    return NavigationError(f"{url} could not be opened: {what}.", code=code, hint=hint, evidence={"url": url})
