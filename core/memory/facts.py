"""ContextMemory: what earlier runs left in mind. Rolling, bounded and typed; nothing of it ever fills a param by itself.

What was opened, created, targeted, read and refused rolls: the oldest goes when a list is full. Preferences are what a
person had remembered (``memory.store``): they stay until they are forgotten, and a full list refuses more.

Every entry says when, in which run and by which action it came to be, and where its value was read. A value that was
read somewhere stays one that was read, however often it is stored and recalled.
"""

import unicodedata
from dataclasses import dataclass, field, replace

from core.base.errors import ActionError
from core.base.phrases import cut_text
from core.results.provenance import Origin
from core.rules.params import suggest

MOST_NOTES = 50
"""Notes in each of the rolling lists."""

LONGEST_NOTE = 2_000
"""Characters of a note's value; more is cut."""

LONGEST_WORDS = 300
"""Characters of what else a note says."""

MOST_ORIGINS = 20
"""Places that one entry names as those where its value was read."""

MOST_PREFERENCES = 200
LONGEST_KEY = 200
LONGEST_VALUE = 10_000
"""Characters of a preference's value; a longer one is refused, since a cut one would be another."""

Scalar = str | bool | int | float


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One thing that a run left in mind.

    Attributes:
        kind: What it is: ``page``, ``file``, ``app``, the name of a param, a verb, or the code of an error.
        value: Its address, path, name or text.
        at: When the run ended, in UTC (ISO 8601).
        origins: Where the value was read; empty where a person or Surehand itself said it.
        is_cut: Whether the value is only the beginning of what it was.
    """

    kind: str
    value: str
    about: str = ""
    run_id: str = ""
    action_id: str = ""
    at: str = ""
    origins: tuple[Origin, ...] = ()
    is_cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """What a person had remembered under a name, when (UTC, ISO 8601), and where the value was read, if nobody said it."""

    key: str
    value: Scalar
    run_id: str = ""
    action_id: str = ""
    at: str = ""
    origins: tuple[Origin, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextMemory:
    """What is remembered across runs, failures with why; the latest first in every list."""

    opened: tuple[Note, ...] = ()
    created: tuple[Note, ...] = ()
    targeted: tuple[Note, ...] = ()
    results: tuple[Note, ...] = ()
    failures: tuple[Note, ...] = ()
    preferences: tuple[Preference, ...] = field(default=())

    def find(self, key: str) -> Preference | None:
        """Return what is remembered under a name; case and the width of spaces don't count."""
        wanted = fold_key(key)
        return next((each for each in self.preferences if fold_key(each.key) == wanted), None)


def fold_key(key: str) -> str:
    """Return a name as names are compared: without regard to case, composition and the width of spaces."""
    return " ".join(unicodedata.normalize("NFKC", key).casefold().split())


def store_preference(memory: ContextMemory, preference: Preference) -> ContextMemory:
    """Return the memory with a preference in it, in the place of one of the same name.

    Raises:
        ActionError: ``too_large`` if the name or value is too long, ``memory_full`` if there is no room for one more.
    """
    if not fold_key(preference.key) or len(preference.key) > LONGEST_KEY:
        raise ActionError(f"The name must have 1 to {LONGEST_KEY} characters.", code="too_large")
    if isinstance(preference.value, str) and len(preference.value) > LONGEST_VALUE:
        text = f"The value has {len(preference.value)} characters; the limit is {LONGEST_VALUE}."
        raise ActionError(text, code="too_large", hint="Write it into a file instead.")
    others = _leave_out(memory, preference.key)
    if len(others) >= MOST_PREFERENCES:
        text = f"{MOST_PREFERENCES} things are remembered already; that is the limit."
        raise ActionError(text, code="memory_full", hint="Forget one first.")
    kept = replace(preference, origins=bound_origins(preference.origins))
    return replace(memory, preferences=(kept, *others))


def forget_preference(memory: ContextMemory, key: str) -> ContextMemory:
    """Return the memory without what it held under a name; ``not_remembered`` if it held nothing."""
    require_preference(memory, key)
    return replace(memory, preferences=_leave_out(memory, key))


def require_preference(memory: ContextMemory, key: str) -> Preference:
    """Return what is remembered under a name; ``not_remembered`` names what is nearest."""
    if found := memory.find(key):
        return found
    near = suggest(key, [each.key for each in memory.preferences])
    text = f"Nothing is remembered as “{key}”{near}."
    raise ActionError(text, code="not_remembered", hint="List what is remembered with memory.list.")


def put_back(memory: ContextMemory, key: str, former: Preference | None) -> ContextMemory:
    """Return the memory with a preference as it was before, the former one, as ``store_preference`` does, or none."""
    without = replace(memory, preferences=_leave_out(memory, key))
    return store_preference(without, former) if former else without


def clear_notes(memory: ContextMemory, *, preferences: bool = False) -> ContextMemory:
    """Return the memory without what rolls; without the preferences as well, if those shall go."""
    return ContextMemory(preferences=() if preferences else memory.preferences)


def roll(notes: tuple[Note, ...], added: tuple[Note, ...]) -> tuple[Note, ...]:
    """Return notes with others in front; the same thing is noted once, and the oldest beyond the most go."""
    by_thing: dict[tuple[str, str], Note] = {}
    for note in (*added, *notes):
        by_thing.setdefault((note.kind, note.value), note)
    return tuple(by_thing.values())[:MOST_NOTES]


def bound_origins(origins: tuple[Origin, ...]) -> tuple[Origin, ...]:
    """Return origins with places of a bearable length; of very many the first, since one is enough to be careful."""
    return tuple(Origin(each.kind, cut_text(each.place, LONGEST_WORDS)) for each in origins[:MOST_ORIGINS])


def _leave_out(memory: ContextMemory, key: str) -> tuple[Preference, ...]:
    unwanted = fold_key(key)
    return tuple(each for each in memory.preferences if fold_key(each.key) != unwanted)
