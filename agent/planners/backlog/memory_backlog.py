"""MemoryBacklog: a backlog that ends with its process, for tests and simulated machines."""

from collections import defaultdict
from collections.abc import Callable, Mapping

from agent.planners.backlog.backlog_rows import BacklogRow, BacklogRows, Result, RowBacklog
from agent.planners.backlog.sealed_rows import MOMENTS, UNIQUE
from core.planning.planners.ports import Clock


class MemoryRows:
    """Rows that are kept nowhere else."""

    def __init__(self) -> None:
        self._tables: defaultdict[str, dict[int, BacklogRow]] = defaultdict(dict)

    def select(self, table: str, *, within: str = "", since: str = "", **equal: str) -> list[BacklogRow]:
        """Return rows of a table, the oldest first."""
        return [
            row
            for row in self._tables[table].values()
            if all(row.values[name] == value for name, value in equal.items())
            and f"{row.values['scope']}/".startswith(f"{within}/" if within else "")
            and row.values.get(MOMENTS.get(table, ""), "") >= since
        ]

    def put(self, table: str, values: Mapping[str, str], seq: int | None = None) -> None:
        """Write a row, in the place of one of the same number or the same unique columns."""
        unique = {name: values[name] for name in UNIQUE.get(table, ())}
        same = next((row.seq for row in self.select(table, **unique)), None) if unique else None
        place = seq or same or len(self._tables[table]) + 1
        self._tables[table][place] = BacklogRow(place, values)


class MemoryBacklog(RowBacklog):
    """Does what ``SqliteBacklog`` does, for one process."""

    def __init__(self, clock: Clock | None = None) -> None:
        super().__init__(clock)
        self._rows = MemoryRows()

    async def close(self) -> None:
        """Do nothing: there is nothing to let go of."""

    async def _read(self, work: Callable[[BacklogRows], Result], nothing: Result) -> Result:
        del nothing
        return work(self._rows)

    async def _write(self, work: Callable[[BacklogRows], Result]) -> Result:
        return work(self._rows)
