"""What the far end of a kit's page has heard by now."""

import asyncio
from collections.abc import Mapping
from typing import Any

from fixtures.kits.places import Visit

TOLD_S = 3.0
_POLL_S = 0.05


async def hear_values(visit: Visit, want: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the far end knows, once it knows what is wanted or has had the time to hear of it.

    Args:
        visit: The page.
        want: The values that it should know, by name.
    """
    clock = asyncio.get_running_loop()
    deadline = clock.time() + TOLD_S
    while True:
        known = {name: visit.tell(name) for name in want}
        if known == want or clock.time() > deadline:
            return known
        await asyncio.sleep(_POLL_S)
