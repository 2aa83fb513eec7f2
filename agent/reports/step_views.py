"""The steps of a run as a report shows them: what came of each, what was seen, said and missed meanwhile."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.reports.diff_lines import Diff
from agent.reports.picture_book import PictureKind, ReportPicture
from agent.reports.results import StepLine, list_maps, take_map
from agent.reports.words import LOOK_NAMES, SHOWN, Look, Shown, clean_text, tell_data, tell_ms
from core.base.phrases import cut_text

_LONGEST_QUOTE = 140
_LONGEST_LINE = 500
_MOST_LINES = 50
_MOST_FACTS = 40
_APART = frozenset(["pictures", "page_log", "scene"])
"""Parts of an evidence that have a place of their own in a report."""

_BAD_LINES = frozenset(["error", "warning", "assert"])
_FAMILIES = frozenset(["browser", "file", "audio", "desktop", "system", "media", "memory", "clipboard", "project"])


@dataclass(frozen=True, slots=True)
class SaidLine:
    """A line of a page's console, an error that nobody caught, or a request that failed.

    Attributes:
        kind: Its level, or the outcome of the request.
        text: What it says, or the request.
    """

    kind: str
    text: str
    is_bad: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """A part of a receipt: names and values."""

    title: str
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class StepError:
    """Why a step failed.

    Attributes:
        hint: What to do; empty where nothing is to be said.
    """

    message: str
    hint: str
    code: str


@dataclass(frozen=True, slots=True)
class Bar:
    """Where a step lies in the time of its run, in thousandths.

    Attributes:
        width: How long it took; at least so much that it can be seen.
    """

    left: float
    width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """A step as a report shows it.

    Attributes:
        title: What it did, or was to do.
        verb: ``domain.verb``.
        after: Numbers of the steps that it waits for, where that isn't simply the one before.
        bar: Where it lies in the time of the run; None where it never began.
        error: Why it failed; None where it didn't.
        note: What else has to be known.
        is_tainted: Whether a value in it was read from a page, file or window.
    """

    key: str
    line: StepLine
    title: str
    look: Look
    verb: str = ""
    value: str = ""
    after: tuple[int, ...] = ()
    bar: Bar | None = None
    error: StepError | None = None
    note: str = ""
    address: str = ""
    pictures: Mapping[PictureKind, ReportPicture] = field(default_factory=dict[PictureKind, ReportPicture])
    console: tuple[SaidLine, ...] = ()
    requests: tuple[SaidLine, ...] = ()
    diffs: tuple[Diff, ...] = ()
    receipt: tuple[Facts, ...] = ()
    is_tainted: bool = False

    @property
    def look_name(self) -> str:
        """How it looks, in words."""
        return LOOK_NAMES[self.look]

    @property
    def shown(self) -> Shown:
        """Under which of the choices it is shown."""
        return SHOWN[self.look]

    @property
    def took(self) -> str:
        """How long it took; empty where it never began."""
        return tell_ms(self.line.ms) if self.line.status not in {"skipped", "planned"} else ""

    @property
    def reason(self) -> str:
        """Why it was left out, in its line; empty where it was not."""
        return self.error.message if self.error and self.shown == "skipped" else ""

    @property
    def is_open(self) -> bool:
        """Whether it is unfolded at first: what went wrong is."""
        return self.look in {"failed", "refused", "unknown"}

    @property
    def family(self) -> str:
        """The family of its verb, for its sign."""
        family = self.verb.partition(".")[0]
        return family if family in _FAMILIES else "system"

    @property
    def faults(self) -> int:
        """How many lines of the console and requests tell of a fault."""
        return sum(each.is_bad for each in (*self.console, *self.requests))


def tell_step_title(line: StepLine, log: Mapping[str, Any]) -> str:
    """Return what a step did, in the past where it succeeded."""
    summary = str(log.get("summary") or "") if line.status == "ok" else ""
    return clean_text(summary[:1].upper() + summary[1:] if summary else line.title)


def read_error(result: Mapping[str, Any]) -> StepError | None:
    """Return why a step failed; None where its receipt has no error."""
    error = take_map(result, "error")
    if not error:
        return None
    message = str(error.get("message") or error.get("begins") or "")
    return StepError(clean_text(message), clean_text(str(error.get("hint", ""))), str(error.get("code", "")))


def quote_value(log: Mapping[str, Any]) -> str:
    """Return the beginning of what a step read, where that is a text; empty otherwise."""
    output = take_map(take_map(log, "result"), "output")
    found = (output.get(name) for name in ("text", "title", "value"))
    text = next((each for each in found if isinstance(each, str) and each.strip()), "")
    return cut_text(clean_text(" ".join(text.split())), _LONGEST_QUOTE)


def read_console(said: Mapping[str, Any], scene: Mapping[str, Any]) -> tuple[SaidLine, ...]:
    """Return what pages said while a step went on: as it was kept of all steps, or else of one that failed."""
    lines = [SaidLine("uncaught", _cut(each.get("text")), is_bad=True) for each in list_maps(said.get("errors"))]
    for each in list_maps(said.get("console")):
        kind = str(each.get("kind", ""))
        lines.append(SaidLine(clean_text(kind), _cut(each.get("text")), is_bad=kind in _BAD_LINES))
    if not said:
        for each in _list_texts(scene.get("console")):
            kind, _, text = each.partition(": ")
            lines.append(SaidLine(clean_text(kind), _cut(text), is_bad=True))
    return tuple(lines[:_MOST_LINES])


def read_requests(said: Mapping[str, Any], scene: Mapping[str, Any]) -> tuple[SaidLine, ...]:
    """Return what pages asked for in vain; of a step that failed in a run without such notes, all that was last asked for."""
    if said:
        found = list_maps(said.get("requests"))
        told = (
            SaidLine(
                clean_text(str(each.get("outcome", ""))),
                _cut(f"{each.get('method', '')} {each.get('url', '')}"),
                is_bad=True,
            )
            for each in found
        )
        return tuple(told)[:_MOST_LINES]
    requests: list[SaidLine] = []
    for each in _list_texts(scene.get("requests")):
        address, _, outcome = each.rpartition(": ")
        is_bad = not outcome.isdigit() or int(outcome) >= 400
        requests.append(SaidLine(clean_text(outcome), _cut(address), is_bad=is_bad))
    return tuple(requests)


def read_receipt(
    log: Mapping[str, Any], node: Mapping[str, Any], asked: Iterable[str], limit: int
) -> tuple[Facts, ...]:
    """Return the rest of a receipt, by parts; parts without anything are left out.

    Args:
        limit: Characters of one value that are shown.
    """
    result = take_map(log, "result")
    evidence = {name: value for name, value in take_map(result, "evidence").items() if name not in _APART}
    origins = [f"{each.get('kind', '')} {each.get('place', '')}".strip() for each in list_maps(log.get("origins"))]
    ids = {
        "Effect": result.get("effect"),
        "Digest": result.get("args_digest") or node.get("digest"),
        "Id": log.get("action_id") or node.get("action_id"),
        "Tool": log.get("tool"),
        "Approval": "; ".join(asked),
        "Values read from": "; ".join(origins),
        "The way back": result.get("undo"),
    }
    parts = (
        ("What was read back", evidence),
        ("What it was done with", take_map(log, "args") or take_map(node, "args")),
        ("What it gave", take_map(result, "output")),
        ("Receipt", ids),
    )
    told = (Facts(title, tuple(_list_pairs(values, limit))) for title, values in parts)
    return tuple(each for each in told if each.pairs)


def place_bar(result: Mapping[str, Any], run_ms: float) -> Bar | None:
    """Return where a step lies in the time of its run; None where it never began."""
    began, took = result.get("started_ms"), result.get("ms")
    if not isinstance(began, int | float) or not isinstance(took, int | float) or not took or run_ms <= 0:
        return None
    left = min(990.0, max(0.0, began / run_ms * 1000))
    return Bar(round(left, 1), round(min(1000 - left, max(10.0, took / run_ms * 1000)), 1))


def list_parents(plan: Mapping[str, Any], numbers: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
    """Return by action the numbers of the steps that it waits for, where that isn't simply the one before it."""
    parents: dict[str, list[int]] = {}
    edges = plan.get("edges")
    for edge in edges if isinstance(edges, list) else ():
        if isinstance(edge, Sequence) and len(edge) == 2 and str(edge[0]) in numbers:
            parents.setdefault(str(edge[1]), []).append(numbers[str(edge[0])])
    return {child: tuple(sorted(found)) for child, found in parents.items() if found != [numbers.get(child, 0) - 1]}


def _list_pairs(values: Mapping[str, Any], limit: int) -> Iterator[tuple[str, str]]:
    for name, value in list(values.items())[:_MOST_FACTS]:
        if value is not None and value not in ("", [], {}):
            yield clean_text(str(name)).replace("_", " "), tell_data(value, limit)


def _list_texts(values: object) -> list[str]:
    return [each for each in values if isinstance(each, str)] if isinstance(values, list) else []


def _cut(text: object) -> str:
    return cut_text(clean_text(str(text or "")), _LONGEST_LINE)
