"""MachineCapabilities: what this machine can do, found out when it is asked for."""

from collections.abc import Iterator, Mapping, Sequence

from actuators.base import Family
from core.goals.world import Capability


class MachineCapabilities(Mapping[str, Capability]):
    """The capabilities of all families. Each is looked at once, when it is first needed; a plan needs few of them."""

    def __init__(self, families: Sequence[Family]) -> None:
        self._families = {name: family for family in families for name in family.capabilities}
        self._found: dict[str, Capability] = {}

    def __getitem__(self, name: str) -> Capability:
        """Return whether the machine can do it.

        Raises:
            KeyError: If no family speaks for it.
        """
        if name not in self._found:
            found = self._families[name].assess(name)
            self._found[name] = Capability(found.available, found.reason, found.remedy)
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names, family by family."""
        return iter(self._families)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._families)
