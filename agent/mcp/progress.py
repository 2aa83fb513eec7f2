"""Progress of a run as MCP tells it: numbers that only grow."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from agent.service.orders import EventRecord

Report = Callable[[float, float | None, str | None], Awaitable[None]]
"""Takes how far it is, out of how many, and what happened."""

_WHOLE_STEP = 2.0
"""A step counts twice: when it starts and when it ends."""


@dataclass(slots=True)
class ProgressTeller:
    """Tells how far a run is.

    Attributes:
        total: Of how many; None as long as nothing is planned.
    """

    report: Report
    done: float = 0.0
    total: float | None = None
    started: dict[str, float] = field(default_factory=dict[str, float])

    async def tell(self, event: EventRecord) -> None:
        """Tell what an event says; what says nothing new is left out."""
        if event["event"] == "accepted":
            self.started.clear()
            self.total = self.done + _WHOLE_STEP * len(event["plan"].get("nodes", ()))
        elif event["event"] == "step":
            await self._tell_step(event)

    async def _tell_step(self, event: EventRecord) -> None:
        action, before = event["action_id"], self.started.get(event["action_id"], 0.0)
        now = 1.0 if event["status"] == "started" else _WHOLE_STEP
        if now <= before:
            return
        self.started[action] = now
        self.done += now - before
        said = event["description"] if now < _WHOLE_STEP else f"{event['description']}: {event['status']}"
        await self.report(self.done, self.total, said)
