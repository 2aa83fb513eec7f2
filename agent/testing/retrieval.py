"""InMemoryRetrieval: finds among passages that a test gave it."""

from collections.abc import Iterable, Sequence

from agent.planners.recall import rank_passages
from core.planning.planners.ports import Passage


class InMemoryRetrieval:
    """A `Retrieval` for tests: word by word, however they are ordered.

    Attributes:
        asked: Everything that it was asked for, in order.
    """

    def __init__(self, passages: Iterable[Passage | str] = ()) -> None:
        """Take the passages that can be found; a text alone is a passage of the test's own."""
        self._passages = tuple(
            Passage(text=each, source="test", is_tainted=False) if isinstance(each, str) else each for each in passages
        )
        self.asked: list[str] = []

    async def find(self, query: str, limit: int = 5) -> Sequence[Passage]:
        """Return what fits a query best, the best first; what was given first where two fit as well."""
        self.asked.append(query)
        return rank_passages(self._passages, query, limit)
