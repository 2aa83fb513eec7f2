"""The back ends by name. Each is imported when it is first needed, and not before."""

import asyncio
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from actuators.base import Availability, BackEnd, Environment
from actuators.browser.ports.sessions import AttachedPage
from actuators.failure_files import PICTURES_KEPT, PictureKeeping
from actuators.undoing import refuse_record
from actuators.verb_table import load_toolsets
from core.addresses.platforms import SearchPlatform
from core.base.errors import UnsupportedError
from core.base.late_dataclasses import dataclass, field
from core.results.tool_results import ToolOutcome, UndoRecord
from core.tools.ports import ActionContext, Toolset

if TYPE_CHECKING:
    from actuators.browser.playwright.live.screen import PlaywrightScreen
    from actuators.browser.playwright.session.browser_session import BrowserSettings, PlaywrightSession
    from actuators.browser.playwright.session.launching import BrowserProcess
    from actuators.browser.playwright.session.sharing import BrowserSource, SharedBrowser
    from actuators.clipboard.ports import PictureClipboard


_LAUNCHING, _ACTING = (f"actuators.browser.playwright.{each}" for each in ("session.launching", "verbs.back_end"))


@dataclass(frozen=True, slots=True)
class BrowserWishes:
    """How a person wants the browser.

    Attributes:
        executable: Browser to use; a good one is looked for where absent.
        channel: Which browser to look for, as Playwright names it; any where empty.
        inner_hosts: Hosts, written as in ``policy.hosts``, that all pages may reach although they aren't on the open
            internet.
        attached: A page of another program to act on, in place of pages of ours.
        videos_dir: Folder for videos of pages; none are made where absent.
    """

    executable: str | None = None
    channel: str = ""
    headed: bool = False
    platforms: Mapping[str, SearchPlatform] = field(default_factory=dict[str, SearchPlatform])
    inner_hosts: tuple[str, ...] = ()
    attached: AttachedPage | None = None
    videos_dir: Path | None = None


ANY_BROWSER = BrowserWishes()


class BrowserShare:
    """What sessions have their browser from together: one for all that want it alike; each has pages, cookies and a policy of its own."""

    def __init__(self) -> None:
        self._browsers: dict[tuple[str | None, str, bool], SharedBrowser] = {}

    def find(self, settings: "BrowserSettings") -> "BrowserSource":
        """Return the browser for those who want it like this; starts nothing."""
        from actuators.browser.playwright.session.sharing import SharedBrowser

        return self._browsers.setdefault(
            (settings.executable, settings.channel, settings.headed), SharedBrowser(settings)
        )

    async def close(self) -> None:
        """Stop the browsers, whoever still uses them. Calling it again does nothing."""
        for browser in self._browsers.values():
            await browser.close()


class BrowserFamily:
    """What the families of the browser have in common."""

    domain = "browser"
    capabilities: tuple[str, ...] = ("browser",)

    @property
    def toolsets(self) -> tuple[type[Toolset], ...]:
        """What the family publishes."""
        return load_toolsets(self.domain)

    async def take_back(self, context: ActionContext, record: UndoRecord) -> ToolOutcome:
        """Refuse: what was done to a page ends with the page, or is with the site that it belongs to."""
        del context
        raise refuse_record(record, "changes to a page stay with its site, or end with the page")


class PlaywrightFamily(BrowserFamily):
    """The browser tools, by Playwright."""

    def __init__(
        self,
        *,
        artifacts_dir: Path,
        wishes: BrowserWishes = ANY_BROWSER,
        traces_dir: Path | None = None,
        keeping: PictureKeeping = PICTURES_KEPT,
        environment: Environment | None = None,
        share: BrowserShare | None = None,
    ) -> None:
        """Remember how the browser shall be started; start nothing.

        Args:
            traces_dir: Folder for Playwright traces; nothing is recorded where absent.
            environment: Whose clipboard takes pictures of pages; none does where absent.
            share: Where the browser comes from; it is the family's own where absent.
        """
        self._share = share
        self._environment = environment
        self._artifacts_dir = artifacts_dir
        self._wishes = wishes
        self._traces_dir = traces_dir
        self._keeping = keeping
        self._tools: dict[type[Toolset], Toolset] = {}
        self._session: PlaywrightSession | None = None
        self._screen: PlaywrightScreen | None = None
        self._found: Availability | None = None
        self._process: BrowserProcess | None = None
        self._preparing: asyncio.Future[None] | None = None

    def prepare(self) -> None:
        """Begin to start the driver, and to import what acts in pages; a browser that is shared is its owner's to start."""
        is_lent = self._share is not None or self._wishes.attached is not None
        if self._session is None and self._preparing is None and not is_lent:
            self._preparing = asyncio.ensure_future(self._prepare())

    async def _prepare(self) -> None:
        # In threads, so that the run is written down meanwhile, and the driver starts while the rest is imported.
        await asyncio.to_thread(import_module, _LAUNCHING)
        from actuators.browser.playwright.session.launching import BrowserProcess

        if self._session is None:
            self._process = BrowserProcess(self._make_settings())
            self._process.prepare()
        await asyncio.to_thread(import_module, _ACTING)

    def assess(self, capability: str) -> Availability:
        """Say whether there is a browser, and which."""
        del capability
        if self._found is None or not self._found.available:
            self._found = self._look_for_browser()
        return self._found

    def _look_for_browser(self) -> Availability:
        from actuators.browser.playwright.session.discovery import find_browser

        return find_browser(
            self._wishes.executable, headed=self._wishes.headed, channel=self._wishes.channel
        ).availability()

    async def provide(self, toolset: type[Toolset]) -> Toolset:
        """Return the back end of a toolset."""
        if self._preparing and not self._preparing.done():
            await asyncio.wait({self._preparing})
        self._open()
        return self._tools[toolset]

    def open_screen(self) -> "PlaywrightScreen":
        """Return the pages for people who watch and take over; opens none."""
        from actuators.browser.playwright.live.screen import PlaywrightScreen

        self._screen = self._screen or PlaywrightScreen(self._open())
        return self._screen

    def open_sessions(self) -> frozenset[str]:
        """Return the kinds of session that are open."""
        session = self._open() if self._wishes.attached else self._session
        return session.open_sessions() if session else frozenset()

    def list_pages(self) -> tuple[str, ...]:
        """Return the addresses of the open pages; starts nothing."""
        return tuple(tab.page.url for tab in self._session.tabs if not tab.crashed) if self._session else ()

    async def end_lane(self, lane: str) -> None:
        """Close what a branch of a run that has ended left open."""
        if self._session:
            await self._session.end_lane(lane)

    async def close(self) -> None:
        """Close the browser and leave nothing; calling it again does nothing."""
        if self._screen:
            await self._screen.close()
        if self._preparing:
            await asyncio.wait({self._preparing})
        if self._session:
            await self._session.close()
        elif self._process:
            await self._process.stop()

    def _open(self) -> "PlaywrightSession":
        if self._session is None:
            self._session = self._make()
        return self._session

    def _make(self) -> "PlaywrightSession":
        from actuators.browser.playwright.session.browser_session import PlaywrightSession
        from actuators.browser.playwright.verbs.back_end import make_toolsets

        settings = self._make_settings()
        if self._wishes.attached:
            return self._attach(settings, self._wishes.attached)
        session = PlaywrightSession(settings, self._share.find(settings) if self._share else self._process)
        self._tools = make_toolsets(session)
        return session

    def _attach(self, settings: "BrowserSettings", page: AttachedPage) -> "PlaywrightSession":
        from actuators.browser.playwright.attached.attached_session import AttachedSession
        from actuators.browser.playwright.verbs.back_end import adapt_toolsets, make_toolsets

        session = AttachedSession(settings, page)
        self._tools = make_toolsets(session)
        adapt_toolsets(session, self._tools)
        return session

    def _make_settings(self) -> "BrowserSettings":
        from actuators.browser.egress.own_services import find_none
        from actuators.browser.playwright.session.launching import BrowserSettings

        return BrowserSettings(
            headed=self._wishes.headed,
            executable=self._wishes.executable,
            channel=self._wishes.channel,
            videos_dir=self._wishes.videos_dir,
            artifacts_dir=self._artifacts_dir,
            platforms=dict(self._wishes.platforms),
            named_hosts=self._wishes.inner_hosts,
            traces_dir=self._traces_dir,
            traces_failures_only=self._keeping.traces_only,
            failure_pictures=self._keeping.failures,
            # A service has people who look at receipts.
            act_pictures=self._keeping.steps or (self._keeping.failures and bool(self._share)),
            page_logs=self._keeping.steps,
            clipboard=self._find_clipboard(),
            find_service=self._environment.find_service if self._environment else find_none,
        )

    def _find_clipboard(self) -> "PictureClipboard | None":
        """Return the clipboard for pictures; other systems than Linux have none yet."""
        if self._environment is None or self._environment.platform != "linux":
            return None
        from actuators.clipboard.linux import make_clipboard

        return make_clipboard(self._environment)


class MachineFamily:
    """The tools of one domain, by the back end that fits the machine; imported when it is first needed."""

    def __init__(self, domain: str, capabilities: tuple[str, ...], load: Callable[[], BackEnd]) -> None:
        """Remember how the back end is made; make nothing."""
        self.domain = domain
        self.capabilities = capabilities
        self._load = load
        self._made: BackEnd | None = None

    @property
    def toolsets(self) -> tuple[type[Toolset], ...]:
        """What the family publishes."""
        return load_toolsets(self.domain)

    def assess(self, capability: str) -> Availability:
        """Say whether this machine can do it."""
        try:
            return self._back_end().assess(capability)
        except UnsupportedError as error:
            return Availability(capability, available=False, reason=error.message.rstrip("."), remedy=error.hint)

    async def provide(self, toolset: type[Toolset]) -> Toolset:
        """Return the back end of a toolset; an UnsupportedError if what it is made of can't be loaded here."""
        return self._back_end().toolsets[toolset]

    def open_sessions(self) -> frozenset[str]:
        """Return no session: what these tools act on outlives the run."""
        return frozenset()

    async def take_back(self, context: ActionContext, record: UndoRecord) -> ToolOutcome:
        """Take an act back by the record that it left, if what its guard says is still so."""
        return await self._back_end().take_back(context, record)

    async def end_lane(self, lane: str) -> None:
        """Do nothing: these tools keep nothing by branch."""

    async def close(self) -> None:
        """Let go of everything; calling it again does nothing."""
        if self._made:
            await self._made.close()

    def _back_end(self) -> BackEnd:
        if self._made is None:
            try:
                self._made = self._load()
            except (ImportError, OSError) as error:  # OSError is how a library that isn't there makes itself known
                raise _explain_load(error) from error
        return self._made


def _explain_load(error: ImportError | OSError) -> UnsupportedError:
    name = error.name or "" if isinstance(error, ModuleNotFoundError) else ""
    if name.startswith("actuators."):
        return UnsupportedError(
            "No back end exists for this system.", hint="The documentation lists the supported systems."
        )
    text = f"{name} is not installed." if name else f"Its back end can't be loaded: {error}."
    return UnsupportedError(text, hint="Install Surehand with its extras: surehand[desktop,audio].")


_BACK_ENDS = {"linux": "linux", "win32": "windows", "darwin": "macos"}

_MACHINE_FAMILIES: Mapping[str, tuple[str, ...]] = {
    "files": ("files", "trash", "opener"),
    "system": (
        "launcher",
        "processes",
        "clipboard",
        "notifications",
        "session_lock",
        "power",
        "battery",
        "brightness",
    ),
    "desktop": ("input", "windows", "screen", "accessibility", "vision"),
    "audio": ("audio",),
    "media": ("media",),
}

_OWN_FAMILIES: Mapping[str, tuple[str, ...]] = {"memory": ("memory",), "project": ("project",)}
"""The same on every system; where things are kept is said by whoever puts a session together."""

_CAPABILITIES = {**_MACHINE_FAMILIES, **_OWN_FAMILIES}
_DOMAINS = {"files": "file"}
"""Families that are called otherwise than their domain."""

ALL_CAPABILITIES: tuple[str, ...] = ("browser", *(each for found in _CAPABILITIES.values() for each in found))
"""Everything of a machine that some family speaks for."""


def wrap_back_end(name: str, load: Callable[[], BackEnd]) -> MachineFamily:
    """Return a family, named as its folder is, on a back end of one's own."""
    return MachineFamily(_DOMAINS.get(name, name), _CAPABILITIES[name], load)


def list_machine_families(environment: Environment) -> tuple[MachineFamily, ...]:
    """Return the families of files, system, desktop, audio and media for a machine; nothing of them is imported."""
    return tuple(wrap_back_end(name, _make_loader(name, environment)) for name in _MACHINE_FAMILIES)


_PROGRAM_NAMES = {"linux": "actuators.system.linux.launcher"}


def list_programs(environment: Environment) -> tuple[str, ...]:
    """Return what the installed programs are called, as far as that can be read at once; reads the disk."""
    module = _PROGRAM_NAMES.get(environment.platform)
    return import_module(module).list_program_names(environment.variables) if module else ()


def _make_loader(name: str, environment: Environment) -> Callable[[], BackEnd]:
    def load() -> BackEnd:
        module = import_module(f"actuators.{name}.platforms.{_BACK_ENDS.get(environment.platform, 'linux')}")
        return module.make_back_end(environment)

    return load
