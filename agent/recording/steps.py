"""From acts to the steps of a flow."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from actuators.verb_table import PLANNER_RULES
from agent.recording.acts import Act, name_secrets, propose_expectation
from agent.requests.flow_writing import WrittenStep
from core.base.late_dataclasses import dataclass, field, replace
from core.base.phrases import quote_text, render_phrase
from core.goals.meta_goals import Goal
from core.goals.secret_values import Secret

Params = dict[str, Any]


def list_params(act: Act, names: Mapping[str, str], workspace: Path) -> Params:
    """Return the params of an act's goal; empty where it has none, or nothing names its element."""
    if act.kind in _ANYWHERE:
        return _ANYWHERE[act.kind](act)
    if not act.selector or act.kind not in _ON_ELEMENT:
        return {}
    if act.secret:
        return {"selector": act.selector, "text": Secret(names[act.ids[0]])}
    if act.kind == "upload":
        paths = [tell_path(each, workspace) for each in act.value]
        return {"selector": act.selector, "path": paths[0] if len(paths) == 1 else paths}
    return {"selector": act.selector, **_ON_ELEMENT[act.kind](act)}


def tell_path(path: str, workspace: Path) -> str:
    """Return a path as a flow says it: from the workspace where it lies in it.

    Args:
        path: Of a file; a bare name where the browser didn't say more.
    """
    whole = Path(path)
    return whole.relative_to(workspace).as_posix() if whole.is_absolute() and whole.is_relative_to(workspace) else path


def _click(act: Act) -> Params:
    found: Params = {}
    if act.detail["button"] != "left":
        found["button"] = act.detail["button"]
    if act.detail["count"] > 1:
        found["count"] = act.detail["count"]
    if act.detail["modifiers"]:
        found["modifiers"] = list(act.detail["modifiers"])
    return found


def _drag(act: Act) -> Params:
    if not act.detail.get("goal"):
        return {"offset": list(act.detail["offset"])}
    return {"target": act.detail["goal"], **({"side": act.detail["side"]} if act.detail.get("side") else {})}


def _press(act: Act) -> Params:
    return {**({"selector": act.selector} if act.selector else {}), "key": act.value}


def _download(act: Act) -> Params:
    return {**({"selector": act.selector} if act.selector else {"url": act.was}), "path": act.value}


def _answer(act: Act) -> Params:
    said = act.detail.get("text", "")
    typed = act.value == "accept" and act.detail["kind"] == "prompt" and said != act.detail.get("given", "")
    return {"action": act.value, **({"text": said} if typed else {})}


_ON_ELEMENT: Mapping[str, Callable[[Act], Params]] = {
    "check": lambda act: {} if act.value else {"checked": False},
    "click": _click,
    "drag": _drag,
    "expect": lambda act: act.value or {},
    "hover": lambda _: {},
    "select": lambda act: {"value": act.value[0] if len(act.value) == 1 else list(act.value)},
    "set": lambda act: {"value": act.value},
    "type": lambda act: {"text": act.value},
    "upload": lambda _: {},
}
_ANYWHERE: Mapping[str, Callable[[Act], Params]] = {
    "dialog": _answer,
    "download": _download,
    "navigate": lambda act: {"url": act.value},
    "press": _press,
}


@dataclass(frozen=True, slots=True)
class RecordedStep:
    """A step that was recorded.

    Attributes:
        act: What was done; None where a step only leads to the tab of the next.
        goal: What the flow does; None where nothing names what it was done to.
        remark: What a person should know of it; empty for nothing.
    """

    act: Act | None
    goal: Goal | None
    expectation: Mapping[str, str] = field(default_factory=dict[str, str])
    remark: str = ""

    @property
    def key(self) -> str:
        """What it goes by for as long as the recording lasts."""
        return self.act.ids[0] if self.act and self.act.ids else f"{self.act and self.act.kind} {self.goal}"


@dataclass(slots=True)
class _Tabs:
    """The tabs as they will be when the flow runs."""

    strip: list[int] = field(default_factory=lambda: [0])
    current: int = 0
    openers: dict[int, int] = field(default_factory=dict[int, int])
    urls: dict[int, str] = field(default_factory=dict[int, str])

    def open(self, tab: int, opener: int) -> None:
        if tab not in self.strip:
            self.strip.append(tab)
            self.openers[tab] = opener

    def close(self, tab: int) -> None:
        if tab in self.strip:
            self.strip.remove(tab)
        if self.current == tab and self.strip:
            opener = self.openers.get(tab)
            self.current = opener if opener in self.strip else self.strip[-1]


def list_steps(acts: Sequence[Act], workspace: Path) -> tuple[RecordedStep, ...]:
    """Return the steps of a flow that does the same."""
    names, tabs = name_secrets(acts), _Tabs()
    following = [*acts[1:], None][: len(acts)]
    steps = [list(_write_act(act, names, tabs, workspace)) for act in acts]
    return tuple(
        replace(step, expectation={}) if after and after.kind == "dialog" else step  # which must come right behind it
        for group, after in zip(steps, following, strict=True)
        for step in group
    )


def _write_act(act: Act, names: Mapping[str, str], tabs: _Tabs, workspace: Path) -> Iterator[RecordedStep]:
    before = tabs.urls.get(act.tab, "")
    opens = act.kind == "navigate" and act.tab not in tabs.strip
    if not opens and act.tab != tabs.current:
        yield from _switch(act, tabs)
    if act.kind == "close_tab":
        yield RecordedStep(act, Goal("browser", "close_tab", {}))
    elif params := list_params(act, names, workspace):
        verb = "open_tab" if opens else act.kind
        yield RecordedStep(act, Goal("browser", verb, params), propose_expectation(act, before), _remark_on(act))
    elif act.kind in {"back", "forward", "reload"}:
        yield RecordedStep(act, Goal("browser", act.kind, {}), propose_expectation(act, before))
    else:
        yield RecordedStep(act, None, remark=f"Left out: {act.kind} on an element that nothing names.")
    _follow(act, tabs, opens=opens)


def _switch(act: Act, tabs: _Tabs) -> Iterator[RecordedStep]:
    if act.tab in tabs.strip:
        tabs.current = act.tab
        yield RecordedStep(None, Goal("browser", "switch_tab", {"tab": tabs.strip.index(act.tab)}))


def _follow(act: Act, tabs: _Tabs, *, opens: bool) -> None:
    if opens:
        tabs.strip.append(act.tab)
        tabs.current = act.tab
    if act.changes.url:
        tabs.urls[act.tab] = act.changes.url
    for tab in act.changes.opened:
        tabs.open(tab, act.tab)
    if act.changes.closed is not None:
        tabs.close(act.changes.closed)
    if act.kind == "close_tab":
        tabs.close(act.tab)


def _remark_on(act: Act) -> str:
    if act.by_place:
        return f"Nothing names the element {act.selector}; the step goes by where it stands."
    return ""


def write_steps(steps: Sequence[RecordedStep], accepted: Collection[str]) -> tuple[WrittenStep, ...]:
    """Return the steps as a flow has them."""
    return tuple(
        WrittenStep(goal=each.goal, expect=each.expectation if each.key in accepted else {})
        for each in steps
        if each.goal
    )


def tell_step(step: RecordedStep) -> str:
    """Return what a step does."""
    if step.goal is None:
        return step.remark
    rule = PLANNER_RULES[step.goal.domain, step.goal.verb]
    return render_phrase(rule.description_template, {**rule.default_params, **step.goal.params})


def tell_expectation(step: RecordedStep) -> str:
    """Return what could be expected after a step; empty for nothing."""
    expected = step.expectation
    if "role" in expected:
        return f"{expected['role']} {quote_text(expected['name'])} in {expected['window']}"
    if "text" in expected:
        return f"the text {quote_text(expected['text'])}"
    if "selector" in expected:
        return expected["selector"]
    if "title" in expected:
        return f"the title {quote_text(expected['title'])}"
    return f"the address {expected['url']}" if expected else ""
