"""The back ends by name. Each is imported when it is first needed, and not before."""

from pathlib import Path
from typing import TYPE_CHECKING

from actuators.base import Availability
from actuators.browser.tools import BROWSER_TOOLSETS
from core.platforms import SearchPlatform
from core.ports import MAIN_LANE, Toolset

if TYPE_CHECKING:
    from actuators.browser.fake.browser import FakeBrowser
    from actuators.browser.playwright.browser_session import PlaywrightSession


class PlaywrightFamily:
    """The browser tools, by Playwright.

    Attributes:
        toolsets: What the family publishes.
        capability: What the machine needs for it.
    """

    toolsets: tuple[type[Toolset], ...] = BROWSER_TOOLSETS
    capability = "browser"

    def __init__(
        self,
        *,
        artifacts_dir: Path,
        executable: str | None = None,
        headed: bool = False,
        platforms: dict[str, SearchPlatform] | None = None,
        traces_dir: Path | None = None,
    ) -> None:
        """Remember how the browser shall be started; start nothing.

        Args:
            artifacts_dir: Folder for files that no goal gave a path.
            executable: Browser to use; a good one is looked for where absent.
            headed: Whether to show a window.
            platforms: Search platforms beside the built-in ones.
            traces_dir: Folder for Playwright traces; nothing is recorded where absent.
        """
        self._artifacts_dir = artifacts_dir
        self._executable = executable
        self._headed = headed
        self._platforms = platforms or {}
        self._traces_dir = traces_dir
        self._tools: dict[type[Toolset], Toolset] = {}
        self._session: PlaywrightSession | None = None

    def assess(self) -> Availability:
        """Say whether there is a browser, and which."""
        from actuators.browser.discovery import find_browser

        return find_browser(self._executable, headed=self._headed).availability()

    async def provide(self, toolset: type[Toolset]) -> Toolset:
        """Return the back end of a toolset."""
        if self._session is None:
            self._make()
        return self._tools[toolset]

    def open_sessions(self) -> frozenset[str]:
        """Return the kinds of session that are open."""
        return self._session.open_sessions() if self._session else frozenset()

    async def end_lane(self, lane: str) -> None:
        """Close what a branch of a run that has ended left open."""
        if self._session:
            await self._session.end_lane(lane)

    async def close(self) -> None:
        """Close the browser and leave nothing; calling it again does nothing."""
        if self._session:
            await self._session.close()

    def _make(self) -> None:
        from actuators.browser.playwright.back_end import make_toolsets
        from actuators.browser.playwright.browser_session import BrowserSettings, PlaywrightSession

        self._session = PlaywrightSession(
            BrowserSettings(
                headed=self._headed,
                executable=self._executable,
                artifacts_dir=self._artifacts_dir,
                platforms=self._platforms,
                traces_dir=self._traces_dir,
            )
        )
        self._tools = make_toolsets(self._session)


class FakeFamily:
    """The browser tools on declared pages: for dry runs, simulation and fault injection.

    Attributes:
        toolsets: What the family publishes.
        capability: What the machine needs for it; this back end needs nothing.
    """

    toolsets: tuple[type[Toolset], ...] = BROWSER_TOOLSETS
    capability = "browser"

    def __init__(self, browser: "FakeBrowser") -> None:
        """Use this fake browser."""
        self._browser = browser
        self._tools: dict[type[Toolset], Toolset] = {}

    def assess(self) -> Availability:
        """Say that it is there, and that it is none."""
        return Availability(self.capability, available=True, reason="A simulated browser on declared pages.")

    async def provide(self, toolset: type[Toolset]) -> Toolset:
        """Return the back end of a toolset."""
        if not self._tools:
            from actuators.browser.fake.back_end import make_fake_toolsets

            self._tools = make_fake_toolsets(self._browser)
        return self._tools[toolset]

    def open_sessions(self) -> frozenset[str]:
        """Return ``{"page"}`` if the session's own lane has a page."""
        return frozenset({"page"}) if self._browser.tabs.current(MAIN_LANE) else frozenset()

    async def end_lane(self, lane: str) -> None:
        """Close what a branch of a run that has ended left open."""
        self._browser.tabs.end_lane(lane)

    async def close(self) -> None:
        """Close all tabs; what the web received stays."""
        self._browser.tabs.clear()
