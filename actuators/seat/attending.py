"""What families do around the calls of their tools: hold the seat, and see which programs end. One way for all of them."""

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

from core.results.attendance import ENDED
from core.tools.ports import ActionContext, Toolset

if TYPE_CHECKING:
    from actuators.seat.lease import SeatLease
    from actuators.seat.program_watch import ProgramWatch


class Attendance:
    """The lease and the watch of a machine; without them nothing is held or watched."""

    def __init__(self, lease: "SeatLease | None" = None, watch: "ProgramWatch | None" = None) -> None:
        """Use the lease of the display and what sees programs end, where there are any."""
        self.lease = lease
        self._watch = watch

    @asynccontextmanager
    async def attend(
        self, context: ActionContext, *, holds: bool, watches: bool = True, keep: bool = False
    ) -> AsyncGenerator[dict[str, Any]]:
        """Hold (else ``seat_taken``) and watch until the block is left; yields notes, complete by then."""
        notes: dict[str, Any] = {}
        async with AsyncExitStack() as held:
            if holds and self.lease:
                notes["seat"] = await held.enter_async_context(self.lease.hold(context, keep=keep))
            watched = await self._watch.look() if watches and self._watch else ()
            try:
                yield notes
            finally:
                if self._watch and watched and (ended := await self._watch.find_ended(watched)):
                    notes[ENDED] = ended


class AttendedToolset(Toolset):
    """Tools around which something is held or watched; whoever puts the tools together says how."""

    attendance: Attendance = Attendance()

    def attend(self, verb: str, context: ActionContext) -> AbstractAsyncContextManager[dict[str, Any]]:
        """Hold what a verb must hold alone, and see which programs end; its row of the table says which it needs."""
        del verb
        keep = any(each.startswith(f"{self.domain}.") for each in context.followers)
        return self.attendance.attend(context, holds=context.holds_seat, watches=not context.ends_programs, keep=keep)
