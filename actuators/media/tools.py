"""What the media family publishes: media players, by their own interface or by media keys."""

from abc import abstractmethod
from typing import Annotated, ClassVar

from core.results.tool_results import ToolOutcome
from core.rules.param_types import NameText
from core.rules.type_makers import number
from core.tools.ports import ActionContext, Toolset


class MediaTools(Toolset):
    """Media players.

    ``player`` is a player by name or a part of it that only one has; where absent, the one that plays, else the one that
    played last, else the only one.
    """

    domain: ClassVar[str] = "media"
    intent: ClassVar[str] = "media_control"
    capability: ClassVar[str] = "media"

    @abstractmethod
    async def play(self, context: ActionContext, player: NameText | None = None) -> ToolOutcome:
        """Let a player play; one that plays already goes on.

        Args:
            player: Which player.

        Returns:
            Output ``player``, ``status`` as read back (playing, paused, stopped) and ``before``.

        Raises:
            DeviceError: If there is no such player (lists those that are there), or it doesn't follow.
        """

    @abstractmethod
    async def pause(self, context: ActionContext, player: NameText | None = None) -> ToolOutcome:
        """Let a player pause; one that is silent already stays so.

        Args:
            player: Which player.

        Returns:
            As for ``play``.
        """

    @abstractmethod
    async def play_pause(self, context: ActionContext, player: NameText | None = None) -> ToolOutcome:
        """Let a player pause, or play if it doesn't.

        Args:
            player: Which player.

        Returns:
            As for ``play``.
        """

    @abstractmethod
    async def stop(self, context: ActionContext, player: NameText | None = None) -> ToolOutcome:
        """Let a player stop.

        Args:
            player: Which player.

        Returns:
            As for ``play``.
        """

    @abstractmethod
    async def next(self, context: ActionContext, player: NameText | None = None) -> ToolOutcome:
        """Go to the next track.

        Args:
            player: Which player.

        Returns:
            Output ``player``, ``status``, ``title``, ``artist`` and ``before`` (the title before).

        Raises:
            DeviceError: As for ``play``; also if the player has no next track.
        """

    @abstractmethod
    async def previous(self, context: ActionContext, player: NameText | None = None) -> ToolOutcome:
        """Go to the previous track.

        Args:
            player: Which player.

        Returns:
            As for ``next``.
        """

    @abstractmethod
    async def seek(
        self, context: ActionContext, position: Annotated[float, number(0, 1000000)], player: NameText | None = None
    ) -> ToolOutcome:
        """Go to a place within the track.

        Args:
            position: Seconds from the beginning.
            player: Which player.

        Returns:
            Output ``player``, ``position`` as read back, ``before`` and ``length`` in seconds.

        Raises:
            DeviceError: As for ``play``; also if the track is shorter or can't be sought in.
        """

    @abstractmethod
    async def status(self, context: ActionContext, player: NameText | None = None) -> ToolOutcome:
        """Tell what plays.

        Args:
            player: Which player; all of them are listed where absent.

        Returns:
            Output ``players`` (name, status, title, artist, album, position, length), ``status``, ``title``,
            ``artist``, ``position`` and ``length`` of the one that is meant, and ``text``.
        """


MEDIA_TOOLSETS: tuple[type[Toolset], ...] = (MediaTools,)
