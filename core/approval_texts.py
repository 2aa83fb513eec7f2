"""What a person reads before agreeing: rendered from the action by our own code, with nothing left out or invisible."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.phrases import escape_text, tell_value
from core.plans import PlannedAction, thaw
from core.references import has_reference

Sources = Mapping[str, tuple[str, ...]]
"""Arguments whose value was read, with the steps that it came from and where those read it."""


def describe_action(action: PlannedAction, sources: Sources) -> str:
    """Return what would be done, with every text in full: what a description leaves out or cuts is added.

    Args:
        action: What would be done.
        sources: Arguments whose value was read, or will be.
    """
    text = escape_text(action.description)
    unseen = [
        f"{name} = {escape_text(tell_value(action.args[name], as_words=True))}"
        for name in _list_untold(action)
        if name not in sources
    ]
    if unseen:
        text = f"{text} — with {'; '.join(unseen)}"
    if sources:
        told = (_describe_source(name, action.args[name], steps) for name, steps in sources.items())
        text = f"{text} — with values that were read: {'; '.join(told)}"
    return text


def _describe_source(name: str, value: Any, steps: tuple[str, ...]) -> str:
    if has_reference(value):
        return f"{name}, not known yet (from {escape_text(', '.join(steps))})"
    return f"{name} = {escape_text(str(thaw(value)))} (from {escape_text(', '.join(steps))})"


def _list_untold(action: PlannedAction) -> list[str]:
    """Return the args that the description doesn't show in full; numbers, and what isn't switched on, it may leave out.

    The longest are looked for first, and what shows one can't show another as well: a text that happens to be a part of
    a path is not shown by the path.
    """
    rest, told = action.description, set[str]()
    for name, value in sorted(action.args.items(), key=lambda item: -len(tell_value(item[1]))):
        ways = _list_ways(value)
        shown = next((way for way in ways if way in rest), None)
        if shown is not None:
            rest = rest.replace(shown, "\0", 1) if shown else rest
            told.add(name)
    return [name for name in action.args if name not in told]


def _list_ways(value: Any) -> tuple[str, ...]:
    """Return the ways in which a description may show a value so that it can't be taken for another."""
    if value is True:
        return ()
    if isinstance(value, list | tuple):
        pieces: Sequence[Any] = value
        apart = all("," not in tell_value(each) for each in pieces)
        return (tell_value(value, as_words=True), *((tell_value(value),) if apart else ()))
    return (tell_value(value),) if isinstance(value, str | Mapping) else ("",)
