"""The steps of a run as a report shows them: what came of each, what was seen, said and missed meanwhile."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple

from actuators.failure_files import read_page_logs
from agent.reports.picture_book import PictureBook, PictureKind, ReportPicture
from agent.reports.results import StepLine, list_maps, list_steps, read_number, take_map
from agent.reports.words import LOOK_NAMES, SHOWN, Look, Shown, count_of, find_look, tell_data, tell_ms
from agent.store.session_files import KeptRun
from core.base.errors import ErrorInfo
from core.base.late_dataclasses import dataclass, field
from core.base.phrases import cut_text

ARTIFACTS_FOLDER = "artifacts"

_MOST_DIFF_LINES = 400
"""Lines of one change that are shown; how many more there are is told."""

_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)")
_LONGEST_QUOTE = 140
_LONGEST_LINE = 500
_MOST_LINES = 50
_MOST_FACTS = 40
_LONGEST_VALUE = 2000
_SHORTEST_VALUE = 200
_ALL_VALUES = 1_000_000
_APART = frozenset(["pictures", "page_log", "scene"])
"""Parts of an evidence that have a place of their own in a report."""

_BAD_LINES = frozenset(["error", "warning", "assert"])


class DiffLine(NamedTuple):
    """A line of a change, with its number after the change or before it; 0 for none."""

    kind: Literal["add", "cut", "same", "head"]
    text: str
    number: int = 0


@dataclass(frozen=True, slots=True)
class Diff:
    """A change of a file.

    Attributes:
        left_out: How many more lines there are.
    """

    title: str
    lines: Sequence[DiffLine]
    left_out: int = 0

    @property
    def weight(self) -> str:
        """How many lines are added and removed: ``+2 −1``."""
        counts = {kind: sum(line.kind == kind for line in self.lines) for kind in ("add", "cut")}
        return f"+{counts['add']} −{counts['cut']}"


def read_diff(title: str, text: str) -> Diff:
    """Return a change from its unified diff."""
    lines = tuple(_read_lines(text))
    return Diff(title, lines[:_MOST_DIFF_LINES], max(0, len(lines) - _MOST_DIFF_LINES))


def _read_lines(text: str) -> Iterator[DiffLine]:
    before = after = 0
    for line in text.removesuffix("\n").split("\n") if text else ():
        if hunk := _HUNK.match(line):
            before, after = int(hunk[1]), int(hunk[2])
            if max(before, after) > 1 or hunk[3]:
                yield DiffLine("head", hunk[3])
        elif not (before or after) or line.startswith("\\"):
            continue  # names of the files, and that an end of line is missing
        elif line.startswith("+"):
            yield DiffLine("add", line[1:], after)
            after += 1
        elif line.startswith("-"):
            yield DiffLine("cut", line[1:], before)
            before += 1
        else:
            yield DiffLine("same", line[1:], after)
            before, after = before + 1, after + 1


class SaidLine(NamedTuple):
    """A line of a page's console, an error that nobody caught, or a request that failed; its kind is a level, or an outcome."""

    kind: str
    text: str
    is_bad: bool = True


class Facts(NamedTuple):
    """A part of a receipt: names and values."""

    title: str
    pairs: Sequence[tuple[str, str]]


class Bar(NamedTuple):
    """Where a step lies in the time of its run, in thousandths; it is at least so wide that it can be seen."""

    left: float
    width: float


@dataclass(frozen=True, kw_only=True)
class StepView:
    """A step as a report shows it, from what is kept of it; of one of which nothing is kept, its line.

    Attributes:
        after: Numbers of the steps that it waits for, where that isn't simply the one before.
        limit: Characters of one value of its receipt that are shown.
    """

    key: str
    line: StepLine
    log: Mapping[str, Any] = field(default_factory=dict[str, Any])
    node: Mapping[str, Any] = field(default_factory=dict[str, Any])
    said: Mapping[str, Any] = field(default_factory=dict[str, Any])
    pictures: Mapping[PictureKind, ReportPicture] = field(default_factory=dict[PictureKind, ReportPicture])
    diffs: Sequence[Diff] = ()
    after: Sequence[int] = ()
    asked: Sequence[str] = ()
    run_ms: float = 0.0
    limit: int = _LONGEST_VALUE

    @cached_property
    def result(self) -> Mapping[str, Any]:
        """What came of it."""
        return take_map(self.log, "result")

    @cached_property
    def look(self) -> Look:
        """How it looks."""
        return find_look(self.line)

    @property
    def look_name(self) -> str:
        """The same, in words."""
        return LOOK_NAMES[self.look]

    @property
    def shown(self) -> Shown:
        """Under which of the choices it is shown."""
        return SHOWN[self.look]

    @property
    def is_open(self) -> bool:
        """Whether it is unfolded at first: what went wrong is."""
        return self.look in {"failed", "refused", "unknown"}

    @property
    def took(self) -> str:
        """How long it took; empty where it never began."""
        return tell_ms(self.line.ms) if self.line.status not in {"skipped", "planned"} else ""

    @cached_property
    def title(self) -> str:
        """What it did, in the past where it succeeded, or was to do."""
        summary = str(self.log.get("summary") or "") if self.line.status == "ok" else ""
        return summary[:1].upper() + summary[1:] if summary else self.line.title

    @property
    def verb(self) -> str:
        """``domain.verb``."""
        return str(self.node.get("name") or self.log.get("name") or "")

    @cached_property
    def error(self) -> ErrorInfo | None:
        """Why it failed; None where it didn't."""
        if error := take_map(self.result, "error"):
            message = str(error.get("message") or error.get("begins") or "")
            return ErrorInfo(str(error.get("code", "")), message, str(error.get("hint", "")))
        is_told = not self.log and self.line.text and (self.line.is_trouble or self.line.status == "skipped")
        return ErrorInfo(self.line.code, self.line.text) if is_told else None

    @cached_property
    def value(self) -> str:
        """The beginning of what it read, where that is a text; empty otherwise."""
        output = take_map(self.result, "output")
        found = (output.get(name) for name in ("text", "title", "value"))
        text = next((each for each in found if isinstance(each, str) and each.strip()), "")
        if not self.log and not self.error:
            text = self.line.text
        return cut_text(" ".join(text.split()), _LONGEST_QUOTE)

    @property
    def bar(self) -> Bar | None:
        """Where it lies in the time of its run; None where it never began."""
        began, took = self.result.get("started_ms"), self.result.get("ms")
        if not isinstance(began, int | float) or not isinstance(took, int | float) or not took or self.run_ms <= 0:
            return None
        left = min(990.0, max(0.0, began / self.run_ms * 1000))
        return Bar(round(left, 1), round(min(1000 - left, max(10.0, took / self.run_ms * 1000)), 1))

    @property
    def address(self) -> str:
        """The address of its page; empty where it has none."""
        return str(self.said.get("url") or self._scene.get("url") or "")

    @cached_property
    def console(self) -> Sequence[SaidLine]:
        """What pages said meanwhile: as it was kept of all steps, or else of one that failed."""
        lines = [SaidLine("uncaught", _cut(each.get("text"))) for each in list_maps(self.said.get("errors"))]
        for each in list_maps(self.said.get("console")):
            kind = str(each.get("kind", ""))
            lines.append(SaidLine(kind, _cut(each.get("text")), kind in _BAD_LINES))
        for each in _list_texts(self._scene.get("console")) if not self.said else ():
            kind, _, text = each.partition(": ")
            lines.append(SaidLine(kind, _cut(text)))
        return lines[:_MOST_LINES]

    @cached_property
    def requests(self) -> Sequence[SaidLine]:
        """What pages asked for in vain; of a step that failed in a run without such notes, all that was last asked for."""
        lines = [
            SaidLine(str(each.get("outcome", "")), _cut(f"{each.get('method', '')} {each.get('url', '')}"))
            for each in list_maps(self.said.get("requests"))
        ]
        for each in _list_texts(self._scene.get("requests")) if not self.said else ():
            address, _, outcome = each.rpartition(": ")
            lines.append(SaidLine(outcome, _cut(address), not outcome.isdigit() or int(outcome) >= 400))
        return lines[:_MOST_LINES]

    @cached_property
    def receipt(self) -> Sequence[Facts]:
        """The rest of its receipt, by parts; parts without anything are left out."""
        evidence = {name: value for name, value in take_map(self.result, "evidence").items() if name not in _APART}
        origins = list_maps(self.log.get("origins"))
        ids = {
            "Effect": self.result.get("effect"),
            "Digest": self.result.get("args_digest") or self.node.get("digest"),
            "Id": self.log.get("action_id") or self.node.get("action_id"),
            "Tool": self.log.get("tool"),
            "Approval": "; ".join(self.asked),
            "Values read from": "; ".join(
                f"{each.get('kind', '')} {each.get('place', '')}".strip() for each in origins
            ),
            "The way back": self.result.get("undo"),
        }
        parts = (
            ("What was read back", evidence),
            ("What it was done with", take_map(self.log, "args") or take_map(self.node, "args")),
            ("What it gave", take_map(self.result, "output")),
            ("Receipt", ids),
        )
        told = (Facts(title, tuple(_list_pairs(values, self.limit))) for title, values in parts)
        return [each for each in told if each.pairs] if self.log or self.node else []

    @property
    def _scene(self) -> Mapping[str, Any]:
        return take_map(take_map(self.result, "evidence"), "scene")


def view_steps(
    run: KeptRun, folder: Path, book: PictureBook, lines: Mapping[str, int] | None = None
) -> Sequence[StepView]:
    """Return the steps of a run, in plan order."""
    document, plan = run.document, take_map(run.document, "plan")
    told = list_steps(document, lines)
    nodes = {str(each.get("action_id")): each for each in list_maps(plan.get("nodes"))}
    logs = {str(each.get("action_id")): each for each in list_maps(document.get("step_logs"))}
    said = read_page_logs(folder / ARTIFACTS_FOLDER / run.run_id)
    parents = _list_parents(plan, {line.action_id: line.number for line in told})
    run_ms = read_number(take_map(document, "metrics").get("run_ms"))
    limit = min(_LONGEST_VALUE, max(_SHORTEST_VALUE, _ALL_VALUES // max(1, len(told))))
    asked: dict[str, list[str]] = {}
    for each in list_maps(document.get("required_approvals")):
        asked.setdefault(str(each.get("action_id")), []).append(_tell_approval(each))
    diffs: dict[str, list[Diff]] = {}
    for each in list_maps(document.get("diff_preview")):
        if text := each.get("diff"):
            diffs.setdefault(str(each.get("id")), []).append(read_diff(str(each.get("text", "")), str(text)))
    return [
        StepView(
            key=f"{run.run_id}-{line.number}",
            line=line,
            log=logs.get(line.action_id, {}),
            node=nodes.get(line.action_id, {}),
            said=take_map(said, line.action_id),
            pictures=book.find(run.run_id, line.action_id),
            diffs=diffs.get(line.action_id, ()),
            after=parents.get(line.action_id, ()),
            asked=asked.get(line.action_id, ()),
            run_ms=run_ms,
            limit=limit,
        )
        for line in told
    ]


def _list_parents(plan: Mapping[str, Any], numbers: Mapping[str, int]) -> dict[str, list[int]]:
    parents: dict[str, list[int]] = {}
    edges = plan.get("edges")
    for edge in edges if isinstance(edges, list) else ():
        if isinstance(edge, Sequence) and len(edge) == 2 and str(edge[0]) in numbers:
            parents.setdefault(str(edge[1]), []).append(numbers[str(edge[0])])
    return {child: sorted(found) for child, found in parents.items() if found != [numbers.get(child, 0) - 1]}


def _tell_approval(approval: Mapping[str, Any]) -> str:
    approved = approval.get("approved")
    answer = "not asked" if approved is None else "yes" if approved else "no"
    return f"{approval.get('approval', '')}: {answer}"


def _list_pairs(values: Mapping[str, Any], limit: int) -> Iterator[tuple[str, str]]:
    for name, value in list(values.items())[:_MOST_FACTS]:
        if value is not None and value not in ("", [], {}):
            yield str(name).replace("_", " "), tell_data(value, limit)


def _list_texts(values: object) -> list[str]:
    return [each for each in values if isinstance(each, str)] if isinstance(values, list) else []


def _cut(text: object) -> str:
    return cut_text(str(text or ""), _LONGEST_LINE)


_WORST: tuple[Shown, ...] = ("trouble", "unsure", "done", "skipped")


@dataclass(slots=True)
class Group:
    """A group of steps."""

    title: str
    parts: "list[StepView | Group]" = field(default_factory=list["StepView | Group"])

    def list_steps(self) -> Iterator[StepView]:
        """Yield all its steps, those of its groups as well."""
        for part in self.parts:
            if isinstance(part, Group):
                yield from part.list_steps()
            else:
                yield part

    @property
    def shown(self) -> Shown:
        """How it did: as the worst of its steps."""
        return _WORST[min((_WORST.index(step.shown) for step in self.list_steps()), default=-1)]

    @property
    def about(self) -> str:
        """How many steps it has, and how long they took together."""
        steps = list(self.list_steps())
        return f"{count_of(len(steps), 'step')}, {tell_ms(sum(step.line.ms for step in steps))}"

    @property
    def is_open(self) -> bool:
        """Whether it is unfolded at first, however long the run is: what went wrong is in it."""
        return self.shown == "trouble"


def fold_groups(steps: Sequence[StepView]) -> Group:
    """Return all steps in a group without a title, folded by their own groups: neighbours of one title stand together."""
    root = Group("")
    trail: list[Group] = []
    for step in steps:
        titles = step.line.groups
        kept = 0
        while kept < min(len(trail), len(titles)) and trail[kept].title == titles[kept]:
            kept += 1
        del trail[kept:]
        for title in titles[kept:]:
            group = Group(title)
            (trail[-1] if trail else root).parts.append(group)
            trail.append(group)
        (trail[-1] if trail else root).parts.append(step)
    return root
