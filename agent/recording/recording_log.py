"""RecordingLog: what was recorded so far, as steps; and which expectations a person accepted."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal, cast, get_args

from agent.recording.acts import Act
from agent.recording.gathering import gather_acts
from agent.recording.steps import RecordedStep, list_steps, write_steps
from agent.requests.flow_writing import WrittenStep, write_flow
from core.base.errors import GoalError, InputError
from core.base.late_dataclasses import dataclass, field, replace
from core.base.phrases import fold_text
from core.goals.secret_values import Secret
from core.policy.policy import Policy

ExpectWish = Literal["all", "ask", "none"]


def read_wish(text: str) -> ExpectWish:
    """Return which expectations are wanted.

    Raises:
        InputError: ``bad_usage`` if it is no such word.
    """
    if text not in get_args(ExpectWish):
        raise InputError(f'--expect takes {", ".join(get_args(ExpectWish))}, not "{text}".', code="bad_usage")
    return cast("ExpectWish", text)


@dataclass(slots=True, kw_only=True)
class RecordedLog(ABC):
    """Takes events as they come; has the steps as far as they were recorded, and what a person said to their expectations.

    Attributes:
        wish: Which expectations are written: all that are likely, those that a person accepts, or none.
    """

    wish: ExpectWish = "ask"
    accepted: set[str] = field(default_factory=set[str])
    answered: set[str] = field(default_factory=set[str])
    events: list[Any] = field(default_factory=list[Any])
    _known: tuple[int, tuple[RecordedStep, ...]] = (-1, ())

    def take(self, event: Any) -> None:
        """Take an event."""
        self.events.append(event)

    @property
    def steps(self) -> tuple[RecordedStep, ...]:
        """What a flow of it would do by now."""
        if self._known[0] != len(self.events):
            self._known = len(self.events), tuple(self.list_steps())
        return self._known[1]

    @abstractmethod
    def list_steps(self) -> Iterable[RecordedStep]:
        """Return the steps that the events come to."""

    def write_flow(self, name: str, steps: Iterable[WrittenStep], remarks: Iterable[str], policy: Policy) -> str:
        """Return a flow that does these steps.

        Args:
            remarks: Lines that stand above it, before what a person should know of it.

        Raises:
            GoalError: ``nothing_recorded`` if nothing was done; ``flow_not_writable`` if it can't be said in a flow.
        """
        if not any(step.act and not step.act.detail.get("begins") for step in self.steps):
            raise GoalError("Nothing was recorded.", code="nothing_recorded", hint=self.nothing_hint)
        return write_flow(fold_text(name), tuple(steps), policy, [*remarks, *self.list_remarks()])

    nothing_hint: ClassVar[str]
    """What to do where nothing was recorded."""

    @property
    def question(self) -> RecordedStep | None:
        """The latest step, where it has an expectation that nobody was asked about."""
        last = next((each for each in reversed(self.steps) if each.act), None)
        return last if self.wish == "ask" and last and last.expectation and last.key not in self.answered else None

    def answer(self, *, accept: bool) -> RecordedStep | None:
        """Accept or skip the expectation of the latest step; return the step, None where there is nothing to answer."""
        if step := self.question:
            self.answered.add(step.key)
            self.accepted |= {step.key} if accept else set()
        return step

    def list_accepted(self) -> Collection[str]:
        """Return the keys of the steps whose expectation is written."""
        return {each.key for each in self.steps} if self.wish == "all" else self.accepted

    @property
    def secrets(self) -> tuple[str, ...]:
        """Names of the secrets that its flow uses."""
        texts = [each.goal.params.get("text") for each in self.steps if each.goal]
        return tuple(dict.fromkeys(text.name for text in texts if isinstance(text, Secret)))

    def list_remarks(self) -> Iterator[str]:
        """Yield what a person should know of the flow."""
        yield from dict.fromkeys(each.remark for each in self.steps if each.remark)
        if any(event.kind == "fault" for event in self.events):
            yield "Some of what was done could not be noticed; read the flow before you rely on it."


_WRITING = frozenset({"select", "set", "type", "upload"})
_KEEPING = frozenset({"check", "select", "set", "type"})
"""What ends in a value: only the last of several counts."""
_CHOSEN = frozenset({"gridcell", "menuitem", "menuitemcheckbox", "menuitemradio", "option", "tab", "treeitem"})
"""Roles of what is chosen by pressing it: Escape behind it closes the list, and keeps the choice."""

Rule = Callable[[Act, Act], Sequence[Act] | None]
"""What is left of two acts in a row; None where both stay as they are."""


def leave_out(acts: Sequence[Act]) -> tuple[Act, ...]:
    """Return the acts that a flow needs: doing them comes to the same as doing all."""
    kept: list[Act] = []
    for act in acts:
        kept.append(act)
        _shorten(kept)
    alone = [act for at, act in enumerate(kept) if not _is_vain(act, is_last=at == len(kept) - 1)]
    return tuple(alone) if len(alone) == len(acts) else leave_out(alone)


def _shorten(kept: list[Act]) -> None:
    while len(kept) > 1:
        left = next((found for rule in _RULES if (found := rule(kept[-2], kept[-1])) is not None), None)
        if left is None:
            return
        kept[-2:] = left
        if len(left) != 1:
            return


def _is_vain(act: Act, *, is_last: bool) -> bool:
    if act.kind in {"close_tab", "hover"}:  # closing the window is how a recording ends
        return is_last
    if act.kind in _KEEPING and act.was is not None:
        return act.value == act.was
    if act.secret:
        return bool(act.detail.get("is_empty")) and not act.detail.get("had_value")
    if act.kind == "press":
        return act.value == "Escape" and act.changes.is_nothing
    is_idle = act.kind == "click" and act.changes.is_nothing and act.detail.get("button") == "left"
    return is_idle and (not act.detail["is_control"] or act.detail["is_field"])


def _enter_field(first: Act, second: Act) -> Sequence[Act] | None:
    """A click into a field that is written in next."""
    leads = first.kind == "click" and first.detail["is_field"] and not first.changes.url
    return [second] if leads and second.element == first.element and second.kind in _WRITING else None


def _keep_last(first: Act, second: Act) -> Sequence[Act] | None:
    """Two values for the same thing in a row."""
    if first.kind != second.kind or first.kind not in _KEEPING or first.changes.url or not first.selector:
        return None
    group = first.detail.get("group") if first.kind == "check" else ""
    if first.element != second.element:
        return [second] if group and group == second.detail.get("group") and first.tab == second.tab else None
    ids = tuple(dict.fromkeys((*first.ids, *second.ids)))
    return [replace(second, was=first.was, ids=ids)]


def _close_again(first: Act, second: Act) -> Sequence[Act] | None:
    """Something that was opened and closed, by Escape or by the same press again."""
    if first.kind != "click" or first.changes.url or first.tab != second.tab:
        return None
    opened = first.changes.was_open is False and first.changes.is_open is True
    showed = opened or (bool(first.changes.mutations) and first.selector.partition(" ")[0] not in _CHOSEN)
    if second.kind == "press" and second.value == "Escape" and not second.changes.url:
        return [] if showed and first.detail.get("button") != "middle" else None
    again = second.kind == "click" and second.element == first.element and second.changes.is_open is False
    return [] if opened and again else None


def _go_back(first: Act, second: Act) -> Sequence[Act] | None:
    """A way that was gone and gone back at once."""
    goes = first.kind == "click" or (first.kind == "navigate" and not first.detail.get("begins"))
    return [] if goes and first.changes.url and second.kind == "back" and first.tab == second.tab else None


def _close_tab(first: Act, second: Act) -> Sequence[Act] | None:
    """A tab that was opened and closed again without a look into it."""
    by_page = first.changes.opened == (second.tab,) and not first.changes.url
    opens = by_page or (first.kind == "navigate" and first.detail.get("opens") and first.tab == second.tab)
    return [] if opens and second.kind == "close_tab" else None


def _rest_once(first: Act, second: Act) -> Sequence[Act] | None:
    """The pointer on the same thing twice."""
    return [second] if first.kind == second.kind == "hover" and first.element == second.element else None


_RULES: Sequence[Rule] = (_enter_field, _keep_last, _close_again, _go_back, _close_tab, _rest_once)


@dataclass(slots=True)
class RecordingLog(RecordedLog):
    """What was recorded of pages."""

    workspace: Path
    nothing_hint: ClassVar = "Do something on the page before you end."

    def list_steps(self) -> Iterable[RecordedStep]:
        """Return the steps that the events come to."""
        return list_steps(leave_out(gather_acts(self.events)), self.workspace)

    @property
    def uploads(self) -> tuple[str, ...]:
        """Paths of the files that were picked, as the flow has them."""
        found = [each.goal.params["path"] for each in self.steps if each.goal and each.goal.verb == "upload"]
        return tuple(path for each in found for path in ([each] if isinstance(each, str) else each))

    def write(self, name: str, remarks: Sequence[str] = (), hosts: tuple[str, ...] | None = None) -> str:
        """Return the flow, as ``write_flow`` does.

        Args:
            hosts: The only hosts that it may reach; None for no limit.
        """
        steps = write_steps(self.steps, self.list_accepted())
        return self.write_flow(name, steps, remarks, Policy(hosts))
