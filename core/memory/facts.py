"""ContextMemory: what earlier runs left in mind. Rolling, bounded and typed; nothing of it ever fills a param by itself.

What was opened, created, targeted, read and refused rolls: the oldest goes when a list is full. Preferences are what a
person had remembered (``memory.store``): they stay until they are forgotten, and a full list refuses more.

Every entry says when, in which run and by which action it came to be, and where its value was read. A value that was
read somewhere stays one that was read, however often it is stored and recalled.
"""

import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from core.addresses.urls import mask_credentials
from core.base.errors import ActionError
from core.base.late_dataclasses import dataclass, field, replace
from core.base.phrases import cut_text
from core.results.provenance import Origin
from core.results.records import to_data
from core.results.tool_results import StepLog
from core.rules.params import suggest
from core.rules.rule_types import MadeName, PlannerRule, RuleKey

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
    """Return the memory with a preference in it, in the place of one of its name; ``too_large`` or ``memory_full``."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedRun:
    """A run as far as it is remembered: its receipts, in plan order, and when it ended, in UTC (ISO 8601)."""

    run_id: str
    at: str
    steps: tuple[StepLog, ...]


def remember_run(memory: ContextMemory, run: EndedRun, rules: Mapping[RuleKey, PlannerRule]) -> ContextMemory:
    """Return the memory after a run, of which nothing is asked of the world again."""
    by_name = {f"{domain}.{verb}": rule for (domain, verb), rule in rules.items()}
    opened = {name: rule.opens for name, rule in by_name.items() if rule.opens}
    made = {name: rule.makes for name, rule in by_name.items() if rule.makes}
    targets = {name: rule.targets for name, rule in by_name.items()}
    done = [log for log in run.steps if log.result.status == "ok"]
    missed = [log for log in run.steps if log.result.status in {"failed", "refused"} and log.result.error]
    # These were there to find something out; what the others did is noted as opened, created or targeted.
    told = [log for log in done if log.result.output and log.result.effect == "none"]
    return replace(
        memory,
        opened=roll(memory.opened, _latest_first(_note_named(run, done, opened))),
        created=roll(memory.created, _latest_first([*_note_named(run, done, made), *_note_artifacts(run, done)])),
        targeted=roll(
            memory.targeted, _latest_first(each for log in run.steps for each in _note_targets(run, log, targets))
        ),
        results=roll(memory.results, _latest_first(_note_result(run, log) for log in told)),
        failures=roll(memory.failures, _latest_first(_note_failure(run, log) for log in missed)),
    )


def _latest_first(notes: Iterable[Note]) -> tuple[Note, ...]:
    return tuple(notes)[::-1]


def _note_named(run: EndedRun, done: Iterable[StepLog], named: Mapping[str, MadeName]) -> Iterator[Note]:
    for log in done:
        if log.name not in named:
            continue
        kind, name = named[log.name].kind, named[log.name].name
        said = log.args.get(name)
        value = said if isinstance(said, str) else log.result.output.get(name)
        if isinstance(value, str) and value:
            is_said = isinstance(said, str) and name not in log.result.tainted
            yield _note(run, log, kind, value, log.summary, is_said=is_said)


def _note_artifacts(run: EndedRun, done: Iterable[StepLog]) -> Iterator[Note]:
    for log in done:
        for path in log.result.artifacts:
            yield _note(run, log, "file", path, log.summary)


def _note_targets(run: EndedRun, log: StepLog, targets: Mapping[str, tuple[str, ...]]) -> Iterator[Note]:
    for name in targets.get(log.name, ()):
        value = log.args.get(name)
        if value is not None:
            is_said = name not in log.result.tainted
            yield _note(run, log, name, _write(value), log.description, is_said=is_said)


def _note_result(run: EndedRun, log: StepLog) -> Note:
    text = log.result.output.get("text")
    value = text if isinstance(text, str) and text else _write(log.result.output)
    return _note(run, log, log.name, value, log.summary)


def _note_failure(run: EndedRun, log: StepLog) -> Note:
    error = log.result.error
    code, message = (error.code, error.message) if error else ("", "")
    return _note(run, log, code, message, log.description)


def _note(run: EndedRun, log: StepLog, kind: str, value: str, about: str, *, is_said: bool = False) -> Note:
    """Return a note; unless its author said the value, it comes from where the step's values came from."""
    shown = _clean(mask_credentials(value))
    return Note(
        kind=kind,
        value=cut_text(shown, LONGEST_NOTE),
        about=cut_text(_clean(about), LONGEST_WORDS),
        run_id=run.run_id,
        action_id=log.action_id,
        at=run.at,
        origins=() if is_said else tuple(Origin(each.kind, _clean(each.place)) for each in bound_origins(log.origins)),
        is_cut=len(shown) > LONGEST_NOTE,
    )


def _write(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(to_data(value), ensure_ascii=False)


def _clean(text: str) -> str:
    """Return a text that any file can hold: half of a pair of UTF-16, as odd file names have, is written as an escape."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
