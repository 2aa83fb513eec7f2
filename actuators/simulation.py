"""A whole machine in memory: every family on its fake, for dry runs, simulation and faults on purpose.

The tools are the real ones; only what they act on is declared. A typical use::

    machine = SimulatedMachine(sound=FakeSound(devices=[speakers]), web=FakeWeb(pages))
    machine.files.store.make_folders("/home/ada/Documents")
    families = machine.list_families(environment)
"""

from collections.abc import Iterable
from importlib import import_module

from actuators.audio.platforms.fake import FakeSound, SoundFault
from actuators.audio.platforms.fake import make_fake_back_end as make_fake_audio
from actuators.base import Availability, Environment, Family
from actuators.browser.fake.browser import FakeBrowser
from actuators.browser.fake.pages import FakeWeb
from actuators.catalog import BrowserFamily, MachineFamily, wrap_back_end
from actuators.desktop.fake.state import FakeDesktop
from actuators.desktop.platforms.fake import make_fake_back_end as make_fake_desktop
from actuators.files.platforms.fake import FakeDisk
from actuators.files.platforms.fake import make_fake_back_end as make_fake_files
from actuators.media.platforms.fake import FakeMedia
from actuators.media.platforms.fake import make_fake_back_end as make_fake_media
from actuators.memory.back_end import MemoryBackEnd
from actuators.memory.fake import FakeMemories
from actuators.project.back_end import ProjectBackEnd, ProjectSources
from actuators.system.fake.machine import FakeMachine
from actuators.system.platforms.fake import make_fake_back_end as make_fake_system
from core.base.late_dataclasses import dataclass, field
from core.tools.ports import MAIN_LANE, Toolset


class FakeFamily(BrowserFamily):
    """The browser tools on declared pages: for dry runs, simulation and fault injection."""

    def __init__(self, browser: FakeBrowser) -> None:
        self._browser = browser
        self._tools: dict[type[Toolset], Toolset] = {}

    def assess(self, capability: str) -> Availability:
        """Say that it is there, and that it is none."""
        return Availability(capability, available=True, reason="A simulated browser on declared pages.")

    async def provide(self, toolset: type[Toolset]) -> Toolset:
        """Return the back end of a toolset."""
        if not self._tools:
            self._tools = import_module("actuators.browser.fake.back_end").make_fake_toolsets(self._browser)
        return self._tools[toolset]

    def open_sessions(self) -> frozenset[str]:
        """Return ``{"page"}`` if the session's own lane has a page."""
        return frozenset({"page"}) if self._browser.tabs.current(MAIN_LANE) else frozenset()

    async def end_lane(self, lane: str) -> None:
        """Close what a branch of a run that has ended left open."""
        self._browser.tabs.close_lane(lane)

    async def close(self) -> None:
        """Close all tabs; what the web received stays."""
        self._browser.tabs.clear()


@dataclass(kw_only=True)
class SimulatedMachine:
    """What a simulated machine has; whoever made it may look at it, and change it, at any time."""

    browser: FakeBrowser = field(default_factory=lambda: FakeBrowser(FakeWeb({})))
    files: FakeDisk = field(default_factory=FakeDisk)
    system: FakeMachine = field(default_factory=FakeMachine)
    desktop: FakeDesktop = field(default_factory=FakeDesktop)
    sound: FakeSound = field(default_factory=FakeSound)
    sound_faults: Iterable[SoundFault] = ()
    media: FakeMedia = field(default_factory=FakeMedia)
    memories: FakeMemories = field(default_factory=FakeMemories)

    def list_families(self, environment: Environment) -> tuple[Family, ...]:
        """Return every family on this machine; the environment's paths are those of the simulated disk."""
        sources = ProjectSources(
            workspace=str(environment.workspace),
            platform=environment.platform,
            list_pages=lambda: tuple(tab.page.url for tab in self.browser.tabs),
            read_memory=self.memories.read,
        )
        made: dict[str, MachineFamily] = {
            "files": wrap_back_end("files", lambda: make_fake_files(self.files, environment)),
            "system": wrap_back_end("system", lambda: make_fake_system(self.system, environment.workspace)),
            "desktop": wrap_back_end("desktop", lambda: make_fake_desktop(self.desktop, environment)),
            "audio": wrap_back_end("audio", lambda: make_fake_audio(self.sound, self.sound_faults)),
            "media": wrap_back_end("media", lambda: make_fake_media(self.media)),
            "memory": wrap_back_end("memory", lambda: MemoryBackEnd(self.memories)),
            "project": wrap_back_end("project", lambda: ProjectBackEnd(sources)),
        }
        return (FakeFamily(self.browser), *made.values())
