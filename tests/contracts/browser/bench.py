"""A bench: one back end of the browser tools on the conformance site, and the far end of what it does."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

from actuators.browser.fake.back_end import make_fake_toolsets
from actuators.browser.fake.browser import FakeBrowser
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.verbs.back_end import make_toolsets
from actuators.clipboard.fake import FakeClipboard
from actuators.clipboard.ports import PictureClipboard
from actuators.verb_table import PLANNER_RULES, load_toolsets
from core.addresses.platforms import SearchPlatform
from core.policy.policy import Policy
from core.results.tool_results import ToolOutcome
from core.tools.ports import ActionContext, Toolset
from core.tools.registry import list_verbs
from fixtures.site_server import SiteServer
from tests.contracts.browser.pages import FAKE_HOST, make_web
from tests.vaults import make_vault

FORM_TARGET = "/elements/fields"


PIN = 'p1n "&+ é 5678'
"""What ``secret:pin`` stands for."""


class FarEnd(Protocol):
    """What the server of the conformance site knows."""

    url: str

    async def events(self, name: str, count: int = 1) -> list[Mapping[str, Any]]:
        """Return the details of the effects of a name, once there are as many as this."""
        ...

    async def sent(self) -> Mapping[str, tuple[str, ...]]:
        """Return the fields of the form that was sent last."""
        ...

    def paths(self) -> list[str]:
        """Return the paths that were asked for below the conformance site, oldest first."""
        ...


class Bench:
    """Calls verbs by name, each on a context of its own, and asks the far end.

    Attributes:
        far_end: The server of the site.
        folder: Where tools may write.
        clipboard: Where pictures of pages are copied to.
    """

    def __init__(
        self, tools: Mapping[type[Toolset], Toolset], far_end: FarEnd, folder: Path, clipboard: PictureClipboard
    ) -> None:
        self.clipboard = clipboard
        self._tools = {verb: tools[toolset] for toolset in load_toolsets("browser") for verb in list_verbs(toolset)}
        self.far_end = far_end
        self.folder = folder
        self.policy = Policy()
        self.timeout_s = 15.0
        self.vault = make_vault(pin=PIN)

    def url(self, path: str = "") -> str:
        """Return the address of a page of the conformance site."""
        return f"{self.far_end.url}/conformance/{path}"

    async def call(self, verb: str, *, lane: str = "main", followers: tuple[str, ...] = (), **args: Any) -> ToolOutcome:
        """Call a verb; whatever comes of it must be plain data."""
        context = ActionContext(f"g0_{verb}_1", lane, self.timeout_s, followers, self.policy, vault=self.vault)
        planned = {**PLANNER_RULES["browser", verb].default_params, **args}
        outcome = await getattr(self._tools[verb], verb)(context, **planned)
        json.dumps([dict(outcome.output), dict(outcome.evidence)])
        return outcome

    async def identify(self, verb: str, **args: Any) -> dict[str, Any]:
        """Return what a verb would aim at; plain data, too."""
        context = ActionContext(f"g0_{verb}_1", timeout_s=self.timeout_s, policy=self.policy, vault=self.vault)
        return json.loads(json.dumps(await self._tools[verb].identify(verb, context, args)))

    async def open(self, path: str = "") -> None:
        """Open a page of the conformance site."""
        await self.call("navigate", url=self.url(path))

    async def clicked(self, count: int = 1) -> list[str]:
        """Return the ids of the elements that received clicks, once there are as many as this."""
        return [detail["id"] for detail in await self.far_end.events("clicked", count)]


class ServedSite:
    """The far end of the real browser: the site server."""

    def __init__(self, site: SiteServer) -> None:
        self._site = site
        self.url = site.url

    async def events(self, name: str, count: int = 1) -> list[Mapping[str, Any]]:
        found = await asyncio.to_thread(self._site.received.wait_for_events, name, count)
        # Reports overtake each other on their way; the pages number them.
        return sorted((event.detail for event in found), key=lambda detail: detail["seq"])

    async def sent(self) -> Mapping[str, tuple[str, ...]]:
        await asyncio.to_thread(self._site.received.wait_for_requests, FORM_TARGET)
        request = self._site.received.requests(FORM_TARGET, "POST")[-1]
        return request.fields

    def paths(self) -> list[str]:
        return list(_below(request.path for request in self._site.received))


class DeclaredSite:
    """The far end of the fake browser: its web."""

    def __init__(self, browser: FakeBrowser) -> None:
        self._web = browser.web
        self.url = f"http://{FAKE_HOST}"

    async def events(self, name: str, count: int = 1) -> list[Mapping[str, Any]]:
        found = [event.detail for event in self._web.events if event.name == name]
        assert len(found) >= count, f"{len(found)} of {count} events called {name} came"
        return found

    async def sent(self) -> Mapping[str, tuple[str, ...]]:
        return [request for request in self._web.requests if request.method == "POST"][-1].fields

    def paths(self) -> list[str]:
        return list(_below(request.url.removeprefix(self.url).partition("?")[0] for request in self._web.requests))


def make_real_bench(session: PlaywrightSession, site: SiteServer, folder: Path) -> Bench:
    """Return a bench on the real browser."""
    session.settings.platforms["echo"] = make_platform(site.url)
    clipboard = session.settings.clipboard
    assert clipboard is not None
    return Bench(make_toolsets(session), ServedSite(site), folder, clipboard)


def make_fake_bench(folder: Path) -> Bench:
    """Return a bench on the fake browser."""
    url = f"http://{FAKE_HOST}"
    browser = FakeBrowser(make_web(url), platforms={"echo": make_platform(url)}, artifacts_dir=folder / "artifacts")
    return Bench(make_fake_toolsets(browser), DeclaredSite(browser), folder, FakeClipboard())


def make_platform(url: str) -> SearchPlatform:
    """Return a search platform on the conformance site."""
    return SearchPlatform("echo", url, url + "/conformance/second?q={query}")


def _below(paths: Iterator[str]) -> Iterator[str]:
    return (path.removeprefix("/conformance/") for path in paths if path.startswith("/conformance/"))
