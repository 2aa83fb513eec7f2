"""The misses of a flow's last run, as they were kept, where the flow has what they are about, and what is said of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from agent.requests.flow_mending import find_selectors
from agent.requests.words.documents import parse_document
from agent.store.session_files import SessionFiles, tell_status
from core.base.errors import GoalError
from core.base.late_dataclasses import dataclass, replace
from core.outlines.recognising import MENDING, Miss, read_miss, tell_difference
from core.outlines.sightings import SeenThing
from core.results.records import to_data

_TOLD = ("place", "selector", "verdict", "differences", "scores")
_TOLD_OF_THING = ("line", "role", "name", "region", "frames", "before", "after")


@dataclass(frozen=True, slots=True)
class FlowMiss:
    """A miss of a run of a flow.

    Attributes:
        line: The line of the flow's file that has the selector; 0 where it isn't there as it was used.
    """

    run_id: str
    action_id: str
    name: str
    miss: Miss
    line: int = 0

    @property
    def proposal(self) -> str:
        """The selector that a person may accept; empty where none can be written."""
        return self.miss.proposal if self.line else ""

    @property
    def title(self) -> str:
        """What became of what the step looked for, in a few words."""
        selector, miss = self.miss.selector, self.miss
        if miss.verdict == "gone":
            return f"{selector} is gone"
        if miss.verdict == "unsure":
            return f"{selector} may be one of {len(miss.now)}"
        return f"{selector} is now {miss.now[0].line or miss.now[0].role}"

    @property
    def why_none(self) -> str:
        """Why nothing is proposed; empty where something is."""
        if self.proposal:
            return ""
        if self.miss.verdict == "gone":
            return "Nothing on the page is like what was there."
        if self.miss.verdict == "unsure":
            return "Several things are about as likely. Choose one and change the flow by hand."
        if self.line:
            return "No lasting selector names it alone."
        return "The flow doesn't have this selector there as it was used: it was changed since, or a variable stands in it."

    def list_lines(self, number: int, count: int) -> Iterator[str]:
        """Yield the lines that a terminal shows of it."""
        miss = self.miss
        place = f"line {self.line}, " if self.line else ""
        yield f"{number} of {count}: {self.title}"
        yield f"    step   {place}{self.name}"
        yield f"    then   {_tell(miss.was)}"
        if miss.verdict == "changed":
            yield f"    now    {_tell(miss.now[0])}"
            yield from (f"    differs  {tell_difference(one)}" for one in miss.differences)
        elif miss.verdict == "unsure":
            yield from (f"    maybe  {thing.line or _tell(thing)}" for thing in miss.now)
        if self.proposal:
            yield f"    - {miss.selector}"
            yield f"    + {self.proposal}"
        else:
            yield f"    No proposal. {self.why_none}"

    def describe(self) -> dict[str, Any]:
        """Return it as data, for programs."""
        miss = self.miss
        told = {name: value for name, value in to_data(miss).items() if name in _TOLD}
        told |= {"was": _describe(miss.was), "now": [_describe(thing) for thing in miss.now]}
        own = {"action_id": self.action_id, "name": self.name, "line": self.line}
        return {**own, **told, "proposal": self.proposal, "why_none": self.why_none}


@dataclass(frozen=True, slots=True)
class LastTry:
    """The last run of a flow; with what else failed in it."""

    run_id: str
    status: str
    misses: tuple[FlowMiss, ...]
    other_faults: tuple[str, ...] = ()


def find_last_try(files: SessionFiles, flow: Path) -> LastTry:
    """Return the last run of a flow that is kept.

    Raises:
        GoalError: ``unknown_run`` if there is none.
        SchemaError: If it can't be used.
    """
    for kept in files.list_runs():
        if kept.is_foreign or dict(kept.document.get("request") or {}).get("path") != str(flow):
            continue
        document = files.read(kept.run_id)
        logs: Sequence[Mapping[str, Any]] = document.get("step_logs") or ()
        misses = tuple(locate_misses(read_misses(kept.run_id, logs), flow))
        missed = {each.action_id for each in misses}
        failed = [log for log in logs if _find_error(log) and str(log.get("action_id", "")) not in missed]
        others = tuple(str(_find_error(log).get("message", "")) for log in failed)
        return LastTry(kept.run_id, tell_status(document), misses, others)
    text = f"No saved run of {flow.name} in this workspace."
    hint = "Run it, or add --run; --workspace names the folder where it was run."
    raise GoalError(text, code="unknown_run", hint=hint)


def read_misses(run_id: str, logs: Iterable[Mapping[str, Any]]) -> Iterator[FlowMiss]:
    """Yield the misses of a run, from its logs as data."""
    for log in logs:
        error = _find_error(log)
        evidence = dict(log.get("result") or {}).get("evidence") or {}
        told = dict(error.get("evidence") or {}).get(MENDING) or dict(evidence).get(MENDING) or {}
        if error and (miss := read_miss(told)):
            yield FlowMiss(run_id, str(log.get("action_id", "")), str(log.get("name", "")), miss)


def locate_misses(misses: Iterable[FlowMiss], flow: Path) -> Iterator[FlowMiss]:
    """Yield misses with the line of the flow's file that each is about."""
    text = flow.read_bytes().decode("utf-8")
    marks = parse_document(text.removeprefix("\ufeff"), "flow").marks
    for each in misses:
        found = find_selectors(text, each.miss.place, each.miss.selector)
        yield replace(each, line=marks.get(found[0].place, (0, 0))[0] if found else 0)


def list_facts(thing: SeenThing) -> Iterator[tuple[str, str]]:
    """Yield what is known of a thing, for people."""
    known: list[tuple[str, str]] = [
        ("role", thing.role),
        ("name", thing.name),
        ("in", " › ".join((*thing.frames, *thing.region))),
        ("after", thing.before),
        ("before", thing.after),
        *thing.facts.items(),
        ("page", thing.url),
    ]
    yield from ((name, value) for name, value in known if value)


def _find_error(log: Mapping[str, Any]) -> Mapping[str, Any]:
    result: Mapping[str, Any] = log.get("result") or {}
    return result.get("error") or {} if result.get("status") in ("failed", "refused") else {}


def _describe(thing: SeenThing) -> Mapping[str, Any]:
    return {name: value for name, value in to_data(thing).items() if name in _TOLD_OF_THING}


def _tell(thing: SeenThing) -> str:
    region = f", in {' › '.join((*thing.frames, *thing.region))}" if thing.frames or thing.region else ""
    beside = f", after {thing.before}" if thing.before else ""
    return f"{thing.role} “{thing.name}”{region}{beside}"
