"""What a run leaves in the ContextMemory, found in its receipts alone."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.addresses.urls import mask_credentials
from core.base.phrases import cut_text
from core.memory.facts import LONGEST_NOTE, LONGEST_WORDS, ContextMemory, Note, bound_origins, roll
from core.results.provenance import Origin
from core.results.records import to_data
from core.results.tool_results import StepLog
from core.rules.rule_types import MadeName, PlannerRule, RuleKey


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
    return replace(
        memory,
        opened=roll(memory.opened, _latest_first(_note_named(run, done, opened))),
        created=roll(memory.created, _latest_first([*_note_named(run, done, made), *_note_artifacts(run, done)])),
        targeted=roll(
            memory.targeted, _latest_first(each for log in run.steps for each in _note_targets(run, log, targets))
        ),
        results=roll(memory.results, _latest_first(_note_result(run, log) for log in done if _tells(log))),
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


def _tells(log: StepLog) -> bool:
    """Whether a step was there to find something out; what the others did is noted as opened, created or targeted."""
    return bool(log.result.output) and log.result.effect == "none"


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
