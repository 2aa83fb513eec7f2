"""Starts and stops browsers. One driver process serves all browsers of an event loop; the last one to close stops it."""

import asyncio
import sys
import weakref
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from playwright.async_api import Browser, Playwright, async_playwright
from playwright.async_api import Error as PlaywrightError

from actuators.browser.egress.networks import NetworkAccess
from actuators.browser.egress.own_services import FindService, find_none
from actuators.browser.playwright.engine.scripts import register_engine
from actuators.browser.playwright.filming.videos import lend_encoder
from actuators.browser.playwright.session.discovery import FoundBrowser, find_browser
from actuators.browser.playwright.session.processes import make_runtime_folder, remove_folder
from actuators.browser.playwright.session.programs import inspect_machine
from actuators.child_environments import lend_environment, make_child_environment
from actuators.clipboard.ports import PictureClipboard
from core.addresses.platforms import SearchPlatform
from core.base.errors import UnsupportedError

# Playwright passes its own list, and of two lists Chromium obeys the last one only: so this one begins with Playwright's.
PLAYWRIGHT_DISABLED_FEATURES = (
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect",
    "TcpPortRandomizationWin", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch",
    "msForceBrowserSignIn", "msEdgeUpdateLaunchServicesPreferredVersion",
)  # fmt: skip
OWN_DISABLED_FEATURES = (
    "Translate", "InterestFeedContentSuggestions", "CertificateTransparencyComponentUpdater", "AutofillServerCommunication",
    # What shows what an address bar offers: a process for each context, which nobody sees.
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup",
)  # fmt: skip
LAUNCH_ARGS = (
    "--disable-features=" + ",".join((*PLAYWRIGHT_DISABLED_FEATURES, *OWN_DISABLED_FEATURES)),
    "--disable-domain-reliability",
    "--no-pings",
    # Each context has a wall of its own to go through. Past it the browser has nothing: no proxy that exists for what
    # belongs to no context, no names, no way to the address behind them but this machine's own, no UDP.
    "--proxy-server=http://nothing.invalid:9",
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
)
LAUNCH_TIMEOUT_S = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserSettings:
    """How a browser is started and where it puts things.

    Attributes:
        executable: Path of the browser to use; a good one is looked for where absent.
        channel: Which browser to look for, as Playwright names it; any where empty.
        platforms: Search platforms by name, in addition to the built-in ones or instead of one.
        traces_dir: Folder for Playwright traces; nothing is recorded where absent.
        videos_dir: Folder for videos of pages; none are made where absent.
        traces_failures_only: Whether only traces are kept in whose time a step failed.
        act_pictures: Whether a step that acts leaves pictures of its page before and after.
        page_logs: Whether every step leaves a picture, and what its page said and missed meanwhile.
        network: How the wall around pages looks up names and connects; the system's way where absent.
        clipboard: Where pictures can be copied to; absent where that isn't possible.
        named_hosts: Hosts, written as in ``policy.hosts``, that pages may reach although they aren't on the open internet.
        find_service: Tells who of Surehand serves at a port of this machine, so that no page reaches it.
    """

    headed: bool = False
    executable: str | None = None
    channel: str = ""
    artifacts_dir: Path = field(default_factory=lambda: Path.cwd() / ".surehand" / "artifacts")
    platforms: dict[str, SearchPlatform] = field(default_factory=dict[str, SearchPlatform])
    extra_args: tuple[str, ...] = ()
    traces_dir: Path | None = None
    videos_dir: Path | None = None
    traces_failures_only: bool = False
    failure_pictures: bool = True
    act_pictures: bool = False
    page_logs: bool = False
    network: NetworkAccess | None = None
    clipboard: PictureClipboard | None = None
    named_hosts: tuple[str, ...] = ()
    find_service: FindService = find_none


@dataclass(frozen=True, slots=True)
class StartedDriver:
    """Playwright's driver process, with the folder that holds all its temporary files."""

    playwright: Playwright
    folder: Path


@dataclass(slots=True, weakref_slot=True)
class Driver:
    """The driver of one event loop, and how many use it."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0
    starting: asyncio.Task[StartedDriver] | None = None

    async def acquire(self) -> StartedDriver:
        """Count one more user, and start the driver unless it runs.

        Who is stopped meanwhile counts until its `release`: a driver that is half started can't be stopped, and none is left.

        Raises:
            UnsupportedError: If it doesn't start; then there is nothing to release.
        """
        async with self.lock:
            if self.starting is None:
                self.starting = asyncio.ensure_future(_start_driver())
            self.users += 1
            try:
                return await asyncio.shield(self.starting)
            except Exception:
                self.users -= 1  # one that was stopped meanwhile still has its release to come
                self.starting = None
                raise

    async def release(self) -> None:
        """Count one user less; stop the driver and remove its folder after the last one."""
        async with self.lock:
            self.users -= 1
            if self.users == 0 and self.starting:
                starting, self.starting = self.starting, None
                await asyncio.wait({starting})
                if not starting.cancelled() and not starting.exception():
                    await stop_driver(starting.result())


async def start_bare_driver() -> StartedDriver:
    """Start a driver that doesn't know the engine yet, or raise UnsupportedError; whoever starts it stops it."""
    folder = await asyncio.to_thread(make_runtime_folder)
    try:
        # Playwright gives its driver this process's environment, and offers no other way to tell it where to put
        # profiles, and where what makes videos is.
        with lend_environment({**_place_temporary(folder), **lend_encoder(folder)}):
            playwright = await async_playwright().start()
    except BaseException as error:
        await asyncio.to_thread(remove_folder, folder)
        if not isinstance(error, PlaywrightError):
            raise
        raise UnsupportedError(
            f"The browser driver did not start: {_summarise(error.message)}.",
            code="browser_start_failed",
            hint="Try again; if too many files are open, close programs that hold many or raise the limit.",
        ) from error
    return StartedDriver(playwright, folder)


async def _start_driver() -> StartedDriver:
    started = await start_bare_driver()
    try:
        await register_engine(started.playwright)
    except BaseException:
        await stop_driver(started)
        raise
    return started


async def stop_driver(started: StartedDriver) -> None:
    """Stop a driver, and remove its folder."""
    await started.playwright.stop()
    await asyncio.to_thread(remove_folder, started.folder)


async def _is_answering(started: StartedDriver) -> bool:
    try:
        probe = await started.playwright.request.new_context()
        await probe.dispose()
    except PlaywrightError:
        return False
    return True


_DRIVERS: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Driver] = weakref.WeakKeyDictionary()


def list_devices() -> Mapping[str, Mapping[str, Any]]:
    """Return the devices that Playwright can imitate; empty unless its driver runs in this event loop."""
    driver = _DRIVERS.get(asyncio.get_running_loop())
    starting = driver.starting if driver else None
    if starting is None or not starting.done() or starting.cancelled() or starting.exception():
        return {}
    return starting.result().playwright.devices


class BrowserSource(Protocol):
    """What a session has its browser from."""

    async def start(self) -> Browser:
        """Return the browser; start it unless it runs; UnsupportedError says why it doesn't, and what to do."""
        ...

    def take_turn(self) -> AbstractAsyncContextManager[None]:
        """Wait until a page may be opened, where others open some too."""
        return nullcontext()

    async def heal(self) -> None:
        """Make the next start begin a new browser if this one is dead, whether or not the news of that has arrived."""

    async def stop(self) -> None:
        """Let go of the browser, if that is not somebody else's to do. Calling it again does nothing."""


class BrowserProcess(BrowserSource):
    """A browser that this program started, and its folder; it may have died since."""

    def __init__(self, settings: BrowserSettings) -> None:
        self._settings = settings
        self._driver: Driver | None = None
        self._early: asyncio.Future[StartedDriver] | None = None
        self.browser: Browser | None = None
        self.found: FoundBrowser | None = None

    def prepare(self) -> None:
        """Begin to start the driver, and return at once; whether that succeeds is told by `start`."""
        if self._driver is None:
            self._driver = _DRIVERS.setdefault(asyncio.get_running_loop(), Driver())
            self._early = asyncio.ensure_future(self._driver.acquire())

    async def start(self) -> Browser:
        """Return the browser; start it unless it runs."""
        if self.browser and self.browser.is_connected():
            return self.browser
        if self._early is None:
            await self.stop()  # a browser that died leaves its driver to be let go of
        self.found = find_browser(
            self._settings.executable, headed=self._settings.headed, channel=self._settings.channel
        ).require()
        try:
            self.browser = await self._launch(await self._get_driver(), self.found)
        except BaseException:
            await self.stop()
            raise
        return self.browser

    async def _get_driver(self) -> StartedDriver:
        """Return the driver of this event loop; one that died while others still hold it is replaced."""
        loop = asyncio.get_running_loop()
        while True:
            early, self._early = self._early, None
            driver = self._driver if early and self._driver else _DRIVERS.setdefault(loop, Driver())
            self._driver = driver
            try:
                started = await (early or driver.acquire())
            except Exception:
                self._driver = None
                raise
            if await _is_answering(started):
                return started
            if _DRIVERS.get(loop) is driver:
                del _DRIVERS[loop]
            await self.stop()

    async def heal(self) -> None:
        """Stop what is left of the browser, so that the next start begins a new one."""
        await self.stop()

    async def stop(self) -> None:
        """Stop the browser and, after the last one, the driver. Calling it again does nothing."""
        browser, self.browser = self.browser, None
        driver, self._driver = self._driver, None
        early, self._early = self._early, None
        if early:
            await asyncio.wait({early})
            driver = None if early.cancelled() or early.exception() else driver
        try:
            if browser:
                with suppress(PlaywrightError):  # it is gone already, if the driver died
                    await browser.close()
        finally:
            if driver:
                await driver.release()

    async def _launch(self, started: StartedDriver, found: FoundBrowser) -> Browser:
        folder, playwright = started.folder, started.playwright
        downloads = folder / "downloads"
        downloads.mkdir(mode=0o700, exist_ok=True)
        try:
            return await playwright.chromium.launch(
                executable_path=found.executable,
                headless=not self._settings.headed,
                args=[*LAUNCH_ARGS, *self._settings.extra_args],
                chromium_sandbox=not inspect_machine().is_root,
                artifacts_dir=folder / "artifacts",
                downloads_path=downloads,
                # The driver catches no signals for the browser: this program does, and closes in order.
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
                env=dict(make_child_environment({} if sys.platform == "darwin" else _place_temporary(folder))),
                timeout=LAUNCH_TIMEOUT_S * 1000,
            )
        except PlaywrightError as error:
            raise UnsupportedError(
                f"{found.executable} did not start: {_summarise(error.message)}.",
                code="browser_start_failed",
                hint="Start it by hand to see what is missing, or name another browser in the settings.",
                evidence={"log": error.message[-4000:]},
            ) from error


def _place_temporary(folder: Path) -> dict[str, str]:
    return dict.fromkeys(("TMPDIR", "TMP", "TEMP"), str(folder))


def _summarise(message: str) -> str:
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    telling = [line for line in lines if "error" in line.lower() or "fatal" in line.lower()]
    return (telling or lines or ["no reason given"])[0].rstrip(".")
