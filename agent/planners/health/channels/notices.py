"""Notice: what a channel is handed; and the port of channels."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from core.base.phrases import cut_text, escape_text
from core.planning.planners.alerts import Alert, Moment


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """That an alert began, or that it ended; secrets are taken out.

    Attributes:
        episode_id: The same for a notice that is sent again, and for that of the end.
        moment: ``raised`` or ``ended``.
        alert: What is or was wrong.
        began_at: When it was seen first.
        ended_at: When it was found to have ended; None while it hasn't.
        source: Where it is wrong: the name of the workspace.
    """

    episode_id: str
    moment: Moment
    alert: Alert
    began_at: datetime
    ended_at: datetime | None
    source: str

    @property
    def title(self) -> str:
        """One line: severity, id, and whether it ended."""
        ended = " ended" if self.moment == "ended" else ""
        return f"{self.alert.severity}: {self.alert.alert_id}{ended}"

    @property
    def text(self) -> str:
        """What is wrong, or was, and until when."""
        if self.ended_at is None:
            return self.alert.summary
        when = self.ended_at.isoformat(timespec="seconds")
        return f"Ended at {when}: {self.alert.summary}"


class AlertChannel(Protocol):
    """Hands notices over to people or programs."""

    async def send(self, notice: Notice) -> None:
        """Hand a notice over.

        Raises:
            SurehandError: If it was not taken, or nobody says that it was.
        """
        ...


def escape_cut(text: str, limit: int) -> str:
    """Return a text that was read, without characters that control anything, and no longer than may be."""
    return cut_text(escape_text(cut_text(text, limit)), limit)
