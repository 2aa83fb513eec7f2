"""OpenWork: what the rows of a process have begun and not ended, and which of its runs only wait for a person."""

from collections.abc import Iterable

from core.journal.journal import JournalEntry

_WHOLE = frozenset({"begun", "resumed", "ended"})
_BEGINNING = frozenset({"begun", "resumed", "intent"})
_ENDING = frozenset({"ended", "done", "failed", "unknown", "resolved", "undone"})


class OpenWork:
    """Runs and acts that go on, and open questions."""

    def __init__(self) -> None:
        self.questions: dict[object, str] = {}
        self._open: set[tuple[str, str]] = set()

    @property
    def only_asks(self) -> bool:
        """Whether all that goes on is waiting for persons: no other run, and no act."""
        asking = set(self.questions.values())
        return bool(asking) and all(not action_id and run_id in asking for run_id, action_id in self._open)

    def note(self, entries: Iterable[JournalEntry]) -> None:
        """Take note of what rows begin and end."""
        for entry in entries:
            what = entry.run_id, "" if entry.state in _WHOLE else entry.action_id
            if entry.state in _BEGINNING:
                self._open.add(what)
            elif entry.state in _ENDING:
                self._open.discard(what)

    def forget_ended(self) -> None:
        """Take note that nothing goes on but what asks."""
        self._open &= {(run_id, "") for run_id in self.questions.values()}
