"""From what a person did to programs to the steps of a flow: the desktop's own verbs, on windows that are there by then."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from actuators.desktop.ports.recordings import DesktopEvent
from agent.recording.acts import Act, ActKind, name_secrets, propose_desktop_expectation
from agent.recording.recording_log import RecordedLog
from agent.recording.steps import RecordedStep
from agent.requests.flow_writing import WrittenStep
from core.base.late_dataclasses import dataclass, replace
from core.goals.meta_goals import Goal
from core.goals.secret_values import Secret
from core.policy.policy import Policy

_KINDS: Mapping[str, ActKind] = {
    "click": "click",
    "closed": "close_tab",
    "drag": "drag",
    "key": "press",
    "typed": "type",
}
_GOING_ON = {"tab", "shift+tab"}
"""Keys that only lead to what is named anyway."""

Params = dict[str, Any]


def list_desktop_steps(events: Sequence[DesktopEvent]) -> tuple[RecordedStep, ...]:
    """Return the steps of a flow that does the same.

    Args:
        events: What was told, in order; a later one of the same act stands for the earlier one.
    """
    latest = {each.act: each for each in events if each.kind != "fault"}
    kept = _leave_out([each for each in latest.values() if not _is_vain(each)])
    names = name_secrets([_make_act(each) for each in kept])
    return tuple(step for at, each in enumerate(kept) for step in _write(each, kept[:at], names))


def _leave_out(events: Sequence[DesktopEvent]) -> list[DesktopEvent]:
    """Return what is left without what only led to the next thing, and without all but the last value of a field."""
    kept: list[DesktopEvent] = []
    for event in events:
        merged = _merge(kept[-1], event) if kept else None
        if merged is not None:
            kept.pop()
        kept.append(merged or event)
    if kept and (kept[-1].kind == "closed" or _is_going_on(kept[-1])):
        kept.pop()  # closing the window is how a recording ends
    return kept


def _merge(first: DesktopEvent, second: DesktopEvent) -> DesktopEvent | None:
    if _is_field_again(first, second):
        detail = {**second.detail, "was": first.detail["was"]}
        return replace(second, detail=detail, opened=first.opened, gone=first.gone)
    if _only_leads(first, second):
        return replace(second, opened=first.opened or second.opened, gone=(*first.gone, *second.gone))
    return None


def _is_vain(event: DesktopEvent) -> bool:
    detail = event.detail
    if event.kind == "typed" and detail["secret"]:
        return bool(detail["is_empty"])
    if event.kind == "typed":
        return detail["value"] == (detail["was"] if detail["is_read"] else "")
    return bool(detail.get("is_idle")) and not detail.get("is_field")


def _is_field_again(first: DesktopEvent, second: DesktopEvent) -> bool:
    same = first.kind == second.kind == "typed" and first.window == second.window
    return same and first.selector == second.selector and bool(first.detail["is_read"] and second.detail["is_read"])


def _only_leads(first: DesktopEvent, second: DesktopEvent) -> bool:
    if first.window != second.window:
        return False
    if _is_going_on(first):
        return bool(second.selector) and second.kind != "key"
    is_field = first.kind == "click" and first.detail.get("is_field") and first.detail.get("button") == "left"
    return bool(is_field and (second.kind == "click" or (second.kind == "typed" and second.selector == first.selector)))


def _is_going_on(event: DesktopEvent) -> bool:
    return event.kind == "key" and str(event.detail["keys"]).lower() in _GOING_ON


def _make_act(event: DesktopEvent) -> Act:
    return Act(_KINDS[event.kind], ids=(event.act,), selector=event.selector, secret=bool(event.detail.get("secret")))


def _write(event: DesktopEvent, before: Sequence[DesktopEvent], names: Mapping[str, str]) -> Iterator[RecordedStep]:
    act = _make_act(event)
    for window in event.gone:
        yield _add(act, "gone", "wait", {"window": window, "state": "hidden"})
    last = before[-1] if before else None
    if event.opened:
        yield _add(act, "opened", "wait", {"window": event.window})
    elif last is not None and last.window != event.window and last.window not in event.gone:
        yield _add(act, "front", "focus_window", {"window": event.window})
    for number, menu in enumerate(_list_unopened(event, before)):
        yield _add(act, f"menu {number}", "click", {"target": menu, "window": event.window})
    verb, params = _WRITERS[event.kind](event, names)
    if verb:
        yield RecordedStep(act, Goal("desktop", verb, params), propose_desktop_expectation(event))
    else:
        yield RecordedStep(act, None, remark=_explain(event))


def _add(act: Act, what: str, verb: str, params: Params) -> RecordedStep:
    return RecordedStep(replace(act, ids=(f"{act.ids[0]} {what}",)), Goal("desktop", verb, params))


def _list_unopened(event: DesktopEvent, before: Sequence[DesktopEvent]) -> list[str]:
    opened: set[str] = set()
    for each in reversed(before):
        if each.kind != "click" or "menu" not in each.detail.get("role", ""):
            break
        opened.add(each.selector)
    return [menu for menu in event.detail.get("menus", ()) if menu and menu not in opened]


def _write_click(event: DesktopEvent, _: Mapping[str, str]) -> tuple[str, Params]:
    detail = event.detail
    if not event.selector:
        return "", {}
    params: Params = {"target": event.selector, "window": event.window}
    if "ticked" in detail:
        return "set_value", {
            "target": event.selector,
            "value": "on" if detail["ticked"] else "off",
            "window": event.window,
        }
    if detail["modifiers"]:
        params["modifiers"] = list(detail["modifiers"])
    if detail["button"] == "right":
        return "right_click", params
    if detail["button"] != "left":
        params["button"] = detail["button"]
    return "double_click" if detail["count"] == 2 else "click", params


def _write_typed(event: DesktopEvent, names: Mapping[str, str]) -> tuple[str, Params]:
    detail, where = event.detail, {"window": event.window}
    if event.selector:
        where = {"target": event.selector, **where}
    if detail["secret"]:
        return ("type", {"text": Secret(names[event.act]), **where}) if event.selector else ("", {})
    if detail["is_unknown"] or (detail["is_read"] and not event.selector):
        return "", {}
    if detail["is_read"] and detail["was"] != "":
        return "set_value", {"target": event.selector, "value": detail["value"], "window": event.window}
    return "type", {"text": detail["value"], **where}


def _write_drag(event: DesktopEvent, _: Mapping[str, str]) -> tuple[str, Params]:
    if not event.selector or not event.detail["to"]:
        return "", {}
    return "drag", {"target": event.selector, "to": event.detail["to"], "window": event.window}


def _explain(event: DesktopEvent) -> str:
    if event.detail.get("is_mute"):
        return f"Left out: a click in {event.window}, which tells nothing of its elements."
    if event.detail.get("is_unknown"):
        return f"Left out: text in {event.window}; no field tells what it came to."
    words = {"typed": "text", "drag": "a drag"}
    return f"Left out: {words.get(event.kind, 'a click')} in {event.window}, on what nothing names."


_WRITERS: Mapping[str, Callable[[DesktopEvent, Mapping[str, str]], tuple[str, Params]]] = {
    "click": _write_click,
    "closed": lambda event, _: ("close_window", {"window": event.window}),
    "drag": _write_drag,
    "key": lambda event, _: ("press", {"keys": event.detail["keys"], "window": event.window}),
    "typed": _write_typed,
}


@dataclass(slots=True)
class DesktopLog(RecordedLog):
    """What was recorded of programs.

    Attributes:
        first: What the flow does first: starting the program, or bringing its window to the front.
    """

    first: Goal | None = None
    nothing_hint: ClassVar = "Do something in the program before you end."

    def list_steps(self) -> Iterable[RecordedStep]:
        """Return the steps that the events come to."""
        return (*((RecordedStep(None, self.first),) if self.first else ()), *list_desktop_steps(self.events))

    def write(self, name: str, remarks: Sequence[str] = ()) -> str:
        """Return the flow, as ``write_flow`` does."""
        return self.write_flow(name, self._write_steps(), remarks, Policy())

    def _write_steps(self) -> Iterator[WrittenStep]:
        accepted = self.list_accepted()
        for step in self.steps:
            if step.goal:
                yield WrittenStep(goal=step.goal)
            if step.goal and step.expectation and step.key in accepted:
                yield WrittenStep(goal=Goal("desktop", "wait", dict(step.expectation)))
