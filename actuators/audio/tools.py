"""What the audio family publishes. docs/guides/audio.md says what the level means on each system."""

from abc import abstractmethod
from typing import Annotated, ClassVar, Literal

from core.results.tool_results import ToolOutcome
from core.rules.param_types import NAME, Duration, FilePath, LevelPercent, NameText
from core.tools.ports import ActionContext, Toolset

AudioTarget = Literal["output", "input"]
HeardTarget = Annotated[AudioTarget, NAME]


class AudioTools(Toolset):
    """Volume, mute, devices and routing.

    ``target`` is ``output`` (speakers, the default) or ``input`` (microphones); ``device`` a device by its id, its
    name, or a part of its name that only one has, the default device where absent; ``app`` an application that plays or
    records sound, by name. At most one of ``device`` and ``app`` is given.
    """

    domain: ClassVar[str] = "audio"
    intent: ClassVar[str] = "audio_control"
    capability: ClassVar[str] = "audio"

    @abstractmethod
    async def get_volume(
        self,
        context: ActionContext,
        target: HeardTarget = "output",
        device: NameText | None = None,
        app: NameText | None = None,
    ) -> ToolOutcome:
        """Tell how loud a device or application is.

        Args:
            target: Speakers or microphones.
            device: Which device.
            app: Which application instead.

        Returns:
            Output ``level`` (0–100, may be above where the system amplifies), ``muted``, ``device`` or ``app``,
            ``scale`` and ``text``.

        Raises:
            DeviceError: If there is no such device or application; lists those that are there.
        """

    @abstractmethod
    async def set_volume(
        self,
        context: ActionContext,
        level: LevelPercent,
        target: HeardTarget = "output",
        device: NameText | None = None,
        app: NameText | None = None,
    ) -> ToolOutcome:
        """Set how loud a device or application is; mute stays as it is.

        Args:
            level: 0 to 100.
            target: Speakers or microphones.
            device: Which device.
            app: Which application instead.

        Returns:
            Output ``level`` as read back, ``before``, ``muted``, ``device`` or ``app``.

        Raises:
            DeviceError: As for ``get_volume``; ``not_settled`` if the level read back is another one.
        """

    @abstractmethod
    async def volume_up(
        self,
        context: ActionContext,
        amount: LevelPercent = 10.0,
        target: HeardTarget = "output",
        device: NameText | None = None,
        app: NameText | None = None,
    ) -> ToolOutcome:
        """Make a device or application louder, to 100 at most.

        Args:
            amount: By how much, 0 to 100.
            target: Speakers or microphones.
            device: Which device.
            app: Which application instead.

        Returns:
            As for ``set_volume``.
        """

    @abstractmethod
    async def volume_down(
        self,
        context: ActionContext,
        amount: LevelPercent = 10.0,
        target: HeardTarget = "output",
        device: NameText | None = None,
        app: NameText | None = None,
    ) -> ToolOutcome:
        """Make a device or application quieter, to 0 at least.

        Args:
            amount: By how much, 0 to 100.
            target: Speakers or microphones.
            device: Which device.
            app: Which application instead.

        Returns:
            As for ``set_volume``.
        """

    @abstractmethod
    async def mute(
        self,
        context: ActionContext,
        target: HeardTarget = "output",
        device: NameText | None = None,
        app: NameText | None = None,
        duration: Duration | None = None,
    ) -> ToolOutcome:
        """Silence a device or application; one that is silent already stays so.

        Args:
            target: Speakers or microphones.
            device: Which device.
            app: Which application instead.
            duration: Seconds after which it is as it was before; the act lasts that long, and ends early, and undone,
                when it is stopped.

        Returns:
            Output ``muted`` as read back, ``before``, ``level``, ``device`` or ``app``.
        """

    @abstractmethod
    async def unmute(
        self,
        context: ActionContext,
        target: HeardTarget = "output",
        device: NameText | None = None,
        app: NameText | None = None,
        duration: Duration | None = None,
    ) -> ToolOutcome:
        """Make a silenced device or application heard again.

        Args:
            target: Speakers or microphones.
            device: Which device.
            app: Which application instead.
            duration: As for ``mute``.

        Returns:
            As for ``mute``.
        """

    @abstractmethod
    async def toggle_mute(
        self,
        context: ActionContext,
        target: HeardTarget = "output",
        device: NameText | None = None,
        app: NameText | None = None,
        duration: Duration | None = None,
    ) -> ToolOutcome:
        """Silence what is heard, or the other way round.

        Args:
            target: Speakers or microphones.
            device: Which device.
            app: Which application instead.
            duration: As for ``mute``.

        Returns:
            As for ``mute``.
        """

    @abstractmethod
    async def list_devices(self, context: ActionContext, target: HeardTarget | None = None) -> ToolOutcome:
        """List the sound devices.

        Args:
            target: Only speakers, or only microphones; both where absent. Monitors of outputs are not microphones.

        Returns:
            Output ``devices`` (id, name, target, default, level, muted, state), ``count`` and ``text``.
        """

    @abstractmethod
    async def list_apps(self, context: ActionContext, target: HeardTarget = "output") -> ToolOutcome:
        """List the applications that play or record sound.

        Args:
            target: Those that play, or those that record.

        Returns:
            Output ``apps`` (id, name, pid, device, level, muted), ``count`` and ``text``.
        """

    @abstractmethod
    async def set_default(
        self, context: ActionContext, device: NameText, target: HeardTarget = "output"
    ) -> ToolOutcome:
        """Make a device the default, and wait until it really is.

        Args:
            device: Which device.
            target: Speakers or microphones.

        Returns:
            Output ``device`` as read back and ``before``.

        Raises:
            DeviceError: As for ``get_volume``; ``not_settled`` if the system goes on with another.
        """

    @abstractmethod
    async def route_app(self, context: ActionContext, app: NameText, device: NameText) -> ToolOutcome:
        """Send the sound of an application to a device.

        Args:
            app: Which application; all its streams are moved.
            device: To which output.

        Returns:
            Output ``app``, ``device`` as read back, ``before`` and ``streams``.
        """

    @abstractmethod
    async def play_sound(self, context: ActionContext, path: FilePath) -> ToolOutcome:
        """Play a sound file on the default output to its end.

        Args:
            path: The file; wav everywhere, and what the system can play besides.

        Returns:
            Output ``path``, ``device`` and ``seconds``.

        Raises:
            FileError: If it is missing or no sound that can be played here.
        """


AUDIO_TOOLSETS: tuple[type[Toolset], ...] = (AudioTools,)
