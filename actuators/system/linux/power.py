"""Power on Linux: logind where it answers, else the shutdown command."""

from actuators.base import Availability
from actuators.system.ports.devices import Power, PowerAction, ScheduledPower


class LinuxPower:
    """The first of two ways that is there; what is asked when neither is goes to the first, which says why it can't."""

    def __init__(self, first: Power, second: Power) -> None:
        self._first = first
        self._second = second

    def assess(self) -> Availability:
        """Say which way is there."""
        return self._choose().assess()

    async def sleep(self) -> None:
        """Order the machine to sleep."""
        await self._choose().sleep()

    async def schedule(self, action: PowerAction, delay_s: float) -> ScheduledPower | None:
        """Order a shutdown or restart."""
        return await self._choose().schedule(action, delay_s)

    async def scheduled(self) -> ScheduledPower | None:
        """Return what is ordered."""
        return await self._choose().scheduled()

    async def cancel(self) -> bool:
        """Call off what is ordered."""
        return await self._choose().cancel()

    def _choose(self) -> Power:
        second_is_better = not self._first.assess().available and self._second.assess().available
        return self._second if second_is_better else self._first
