"""The fake browser itself: its tabs, what it remembers, and how it goes from page to page of a FakeWeb."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from actuators.browser.fake.documents import Document
from actuators.browser.fake.faults import Fault, FaultPlan
from actuators.browser.fake.pages import (
    FakeElement,
    FakeFile,
    FakePage,
    FakeRedirect,
    FakeRequest,
    FakeWeb,
    resolve_address,
)
from actuators.browser.fake.tabs import BLANK, FakeTabs
from actuators.browser.tools.toolset import RouteAction
from actuators.clipboard.fake import FakeClipboard
from core.errors import NavigationError, SurehandError
from core.matching import matches_glob
from core.platforms import SearchPlatform
from core.policy import Policy
from core.urls import judge_address

MOST_REDIRECTS = 20


@dataclass(frozen=True, slots=True)
class FakeCall:
    """One call of a verb: its name, the arguments that were not None, and the lane."""

    verb: str
    args: Mapping[str, Any]
    lane: str


@dataclass(frozen=True, slots=True)
class FakeRoute:
    """What becomes of requests for matching addresses."""

    url: str
    action: RouteAction
    body: str
    status: int


@dataclass(frozen=True, slots=True)
class Arrival:
    """What came of a request.

    Attributes:
        document: The page, if one came.
        status: HTTP status; None without a request.
        redirects: Addresses on the way.
        file: The file, if it ended in a download.
        trouble: Why no page came, or not the one that was asked for.
    """

    document: Document | None = None
    status: int | None = None
    redirects: tuple[str, ...] = ()
    file: FakeFile | None = None
    trouble: SurehandError | None = None


@dataclass(slots=True)
class FakeMemory:
    """What a browser keeps for its pages: cookies by host and name, local storage by origin and name."""

    cookies: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    storage: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])


class FakeBrowser:
    """A browser session without a browser.

    Attributes:
        web: The web that it visits.
        faults: What goes wrong.
        platforms: Search platforms beside the built-in ones.
        artifacts_dir: Folder for files that no goal gave a path.
        tabs: The open tabs and each lane's current one.
        memory: Cookies and storage.
        routes: Routes by their glob, oldest first.
        seen: What pages see of the machine, such as ``width``, ``language`` and ``online``.
        armed: Answers for the next dialog, by lane.
        happenings: What happened on each lane's pages since its latest action reported it.
        calls: Every call that was made, oldest first.
        clipboard: Where pictures are copied to.
        clock_s: Simulated seconds; looking for an element takes some, nothing else does.
    """

    def __init__(
        self,
        web: FakeWeb,
        *,
        faults: Iterable[Fault] = (),
        platforms: Mapping[str, SearchPlatform] | None = None,
        artifacts_dir: Path | None = None,
    ) -> None:
        """Open no page yet.

        Args:
            web: The web that it visits.
            faults: What goes wrong.
            platforms: Search platforms beside the built-in ones.
            artifacts_dir: Folder for files that no goal gave a path.
        """
        self.artifacts_dir = artifacts_dir
        self.clipboard = FakeClipboard()
        self.web = web
        self.faults = FaultPlan(faults)
        self.platforms = dict(platforms or {})
        self.tabs = FakeTabs()
        self.memory = FakeMemory()
        self.routes: dict[str, FakeRoute] = {}
        self.seen = dict(FACTORY_VIEW)
        self.armed: dict[str, tuple[str, str | None]] = {}
        self.happenings: dict[str, dict[str, Any]] = {}
        self.calls: list[FakeCall] = []
        self.clock_s = 0.0

    def die(self) -> None:
        """Lose everything that a browser which dies loses; the next page is opened in a fresh one."""
        self.tabs.clear()
        self.memory = FakeMemory()
        self.armed.clear()
        self.happenings.clear()

    def note(self, lane: str, kind: str, detail: Any) -> None:
        """Write down what happened on a lane's page; of ``navigated_to`` only the last is kept."""
        notes = self.happenings.setdefault(lane, {})
        if kind == "navigated_to":
            notes[kind] = detail
        else:
            notes.setdefault(kind, []).append(detail)

    def fetch(self, request: FakeRequest, policy: Policy) -> Arrival:
        """Ask the web for an address, and follow where it leads; no tab shows it yet.

        Args:
            request: What to ask for.
            policy: Hosts that may be reached.

        Returns:
            What came. A page with an error status comes together with the trouble that it means.
        """
        if request.url == "about:blank":
            return Arrival(document=Document(request.url, BLANK))
        redirects: list[str] = []
        while True:
            if trouble := self._find_trouble(request, policy):
                return Arrival(trouble=trouble, redirects=tuple(redirects))
            answer = self._answer(request)
            if not isinstance(answer, FakeRedirect):
                break
            redirects.append(request.url)
            request = FakeRequest("GET", resolve_address(answer.to, request.url))
            if len(redirects) > MOST_REDIRECTS:
                text = f"{redirects[0]} could not be opened: it redirects without end."
                return Arrival(trouble=NavigationError(text, code="redirect_loop"))
        if isinstance(answer, FakeFile):
            return Arrival(status=200, redirects=tuple(redirects), file=answer, trouble=_refuse_file(request.url))
        self._remember(request.url, answer)
        document = Document(request.url, answer)
        return Arrival(document, answer.status, tuple(redirects), trouble=_judge_page(request.url, answer))

    def list_cookies(self, url: str) -> dict[str, str]:
        """Return the cookies that a request for an address carries."""
        return self.memory.cookies.get(judge_address(url).hostname, {})

    def _answer(self, request: FakeRequest) -> FakePage | FakeFile | FakeRedirect:
        route = self._find_route(request.url)
        if route and route.action == "fulfil":
            body = FakeElement(role="paragraph", text=route.body)
            return FakePage(title="", elements=(body,), status=route.status)
        cookies = self.list_cookies(request.url)
        return self.web.answer(FakeRequest(request.method, request.url, request.fields, cookies))

    def _find_route(self, url: str) -> FakeRoute | None:
        routes = reversed(self.routes.values())
        return next((route for route in routes if matches_glob(url, route.url.replace("**", "*"))), None)

    def _find_trouble(self, request: FakeRequest, policy: Policy) -> SurehandError | None:
        """Return why a request never reaches a server, or None."""
        try:
            address = judge_address(request.url)
            policy.check_address(address)
        except SurehandError as error:
            return error
        if not self.seen["online"]:
            return _fail(request.url, "offline", "there is no network")
        route = self._find_route(request.url)
        if route and route.action == "abort":
            return _fail(request.url, "no_page_sent", "the server sent no page, or the page stopped the loading")
        if not (route or address.is_blank or self.web.knows_host(address.host)):
            return _fail(request.url, "dns_failed", "there is no server of that name")
        return None

    def _remember(self, url: str, page: FakePage) -> None:
        address = judge_address(url)
        if page.cookies:
            self.memory.cookies.setdefault(address.hostname, {}).update(page.cookies)
        if page.storage:
            self.memory.storage.setdefault(f"{address.scheme}://{address.host}", {}).update(page.storage)


FACTORY_VIEW: Mapping[str, Any] = {
    "width": 1280,
    "height": 720,
    "device_scale": 1,
    "touch": False,
    "user_agent": "Simulated",
    "language": "en-US",
    "timezone": "UTC",
    "color_scheme": "light",
    "online": True,
}


def _judge_page(url: str, page: FakePage) -> NavigationError | None:
    if page.status < 400:
        return None
    return NavigationError(
        f'{url} answered with status {page.status} and the page "{page.title}".',
        code="http_status",
        hint="Check the address." if page.status < 500 else "Try again later, or look at the server's log.",
        evidence={"url": url, "title": page.title, "status": page.status},
    )


def _refuse_file(url: str) -> NavigationError:
    hint = "Use browser.download with this url and a path."
    return NavigationError(
        f"{url} could not be opened: it is a file to download, not a page.", code="became_download", hint=hint
    )


def _fail(url: str, code: str, what: str) -> NavigationError:
    return NavigationError(
        f"{url} could not be opened: {what}.", code=code, hint="Check the address.", evidence={"url": url}
    )
