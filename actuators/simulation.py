"""A whole machine in memory: every family on its fake, for dry runs, simulation and faults on purpose.

The tools are the real ones; only what they act on is declared. A typical use::

    machine = SimulatedMachine(sound=FakeSound(devices=[speakers]), web=FakeWeb(pages))
    machine.files.store.make_folders("/home/ada/Documents")
    families = machine.list_families(environment)
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from actuators.audio.platforms.fake import FakeSound, SoundFault
from actuators.audio.platforms.fake import make_fake_back_end as make_fake_audio
from actuators.base import Environment, Family
from actuators.browser.fake.browser import FakeBrowser
from actuators.browser.fake.pages import FakeWeb
from actuators.catalog import MachineFamily, wrap_back_end
from actuators.desktop.fake.state import FakeDesktop
from actuators.desktop.platforms.fake import make_fake_back_end as make_fake_desktop
from actuators.fake_family import FakeFamily
from actuators.files.platforms.fake import FakeDisk
from actuators.files.platforms.fake import make_fake_back_end as make_fake_files
from actuators.media.platforms.fake import FakeMedia
from actuators.media.platforms.fake import make_fake_back_end as make_fake_media
from actuators.memory.back_end import MemoryBackEnd
from actuators.memory.fake import FakeMemories
from actuators.project.back_end import ProjectBackEnd
from actuators.project.sources import ProjectSources
from actuators.system.fake.machine import FakeMachine
from actuators.system.platforms.fake import make_fake_back_end as make_fake_system


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
        """Return every family on this machine.

        Args:
            environment: Where the session works; its paths are those of the simulated disk.
        """
        made: dict[str, MachineFamily] = {
            "files": wrap_back_end("files", lambda: make_fake_files(self.files, environment)),
            "system": wrap_back_end("system", lambda: make_fake_system(self.system, environment.workspace)),
            "desktop": wrap_back_end("desktop", lambda: make_fake_desktop(self.desktop, environment)),
            "audio": wrap_back_end("audio", lambda: make_fake_audio(self.sound, self.sound_faults)),
            "media": wrap_back_end("media", lambda: make_fake_media(self.media)),
            "memory": wrap_back_end("memory", lambda: MemoryBackEnd(self.memories)),
            "project": wrap_back_end("project", lambda: ProjectBackEnd(self._list_sources(environment))),
        }
        return (FakeFamily(self.browser), *made.values())

    def _list_sources(self, environment: Environment) -> ProjectSources:
        return ProjectSources(
            workspace=str(environment.workspace),
            platform=environment.platform,
            list_pages=lambda: tuple(tab.page.url for tab in self.browser.tabs),
            read_memory=self.memories.read,
        )
