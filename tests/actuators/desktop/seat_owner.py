"""A program that holds the lease of a display, says so, and then waits to be killed: ``seat_owner.py SEAT FOLDER``."""

import asyncio
import sys
from pathlib import Path

from actuators.seat.lease import SeatLease
from core.tools.ports import ActionContext


async def main() -> None:
    """Hold it until the input ends."""
    async with SeatLease(sys.argv[1], Path(sys.argv[2])).hold(ActionContext("g0_type_1", run_id="run-of-another")):
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)


asyncio.run(main())
