"""PassingRuns: keeps runs as long as the process lives, where there is no workspace to keep them in."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from agent.store.service_runs import ServedRun

_KEPT = 500


class PassingRuns:
    """A ``RunShelf`` in memory: for simulations and tests."""

    def __init__(self) -> None:
        """Begin without runs."""
        self._runs: dict[str, ServedRun] = {}

    async def claim(self, run: ServedRun) -> ServedRun | None:
        """Keep a run, or return the one that its request id stands for already."""
        name = (run.principal, run.request_id)
        for each in self._runs.values():
            if (each.principal, each.request_id) == name:
                return each
        self.note(run)
        return None

    def note(self, run: ServedRun) -> None:
        """Keep a run."""
        self._runs[run.run_id] = run
        for stale in list(self._runs)[:-_KEPT]:
            del self._runs[stale]

    async def begin_again(self, principal: str, run_id: str) -> None:
        """Keep that somebody goes on with a run."""
        if found := await self.find(principal, run_id):
            self._runs[run_id] = replace(found, generation=found.generation + 1, record=None)

    async def end(self, whose: tuple[str, str], short: Mapping[str, Any], record: Mapping[str, Any]) -> None:
        """Keep what came of a run."""
        del short
        if found := await self.find(*whose):
            self._runs[found.run_id] = replace(found, record=record)

    async def find(self, principal: str, run_id: str) -> ServedRun | None:
        """Return a principal's run."""
        found = self._runs.get(run_id)
        return found if found and found.principal == principal else None

    async def list_of(
        self, principal: str, *, session: str = "", words: str = "", most: int = 50
    ) -> Sequence[ServedRun]:
        """Return a principal's runs, the latest first."""
        own = [each for each in reversed(self._runs.values()) if each.principal == principal]
        found = [each for each in own if session in ("", each.session) and _has_words(each, words)]
        return found[: max(0, most)]

    async def close(self) -> None:
        """Do nothing."""


def _has_words(run: ServedRun, words: str) -> bool:
    told = f"{run.asked} {(run.record or {}).get('reply', '')}".casefold()
    return all(word in told for word in words.casefold().split())
