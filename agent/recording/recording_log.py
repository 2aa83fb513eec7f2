"""RecordingLog: what was recorded so far, as steps; and which expectations a person accepted."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from agent.recording.acts import Act
from agent.recording.gathering import gather_acts
from agent.recording.recorded_log import RecordedLog
from agent.recording.steps import RecordedStep, list_steps, write_steps
from core.policy.policy import Policy

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
    """Tell whether nothing came of an act, nor can the next time."""
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
