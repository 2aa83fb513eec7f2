"""What steps leave that is not a file, for the words behind them: windows, programs, tabs, elements and the like."""

from collections.abc import Callable, Iterable

from core.language.meanings.contexts import Context, Mention
from core.language.phrases.steps import ClauseStep

_KINDS = {"window": "window", "app": "program", "selector": "element", "url": "page", "query": "page"}
_SOUND = frozenset({"audio", "media"})
_SOURCES = ("app", "device", "player", "target")
_PROGRAMS = {"player": "app"}
_SCREEN = "desktop"
_SHOWING = frozenset({"browser.open_tab", "browser.switch_tab"})
_CLOSING = "browser.close_tab"
_UNNAMED = frozenset({"active"})
_TAB = Mention("tab", "")


def follow_things(behind: Context, steps: Iterable[ClauseStep], destroys: Callable[[str, str], bool]) -> Context:
    """Return the context behind steps, with the things that they spoke of.

    Args:
        behind: The context without these.
    """
    for step in steps:
        named = _list_sounds(step) if step.domain in _SOUND else _list_named(step)
        gone = tuple(mention._replace(is_gone=True) for name, mention in named if destroys(step.name, name))
        left = tuple(mention for name, mention in named if not destroys(step.name, name))
        behind = behind.speak_of(*left, takes=gone)
    return behind


def _list_named(step: ClauseStep) -> list[tuple[str, Mention]]:
    """Return the things that the params of a step name; a tab that is shown needs no name."""
    if step.name in _SHOWING:
        return [("", _TAB)]
    if step.name == _CLOSING:
        return [("tab", _TAB)]
    kinds = {**_KINDS, "target": "screen"} if step.domain == _SCREEN else _KINDS
    params = [(name, value) for name, value in step.params.items() if name in kinds and isinstance(value, str)]
    return [(name, Mention(kinds[name], value)) for name, value in params if value not in _UNNAMED]


def _list_sounds(step: ClauseStep) -> list[tuple[str, Mention]]:
    """Return the source of sound that a step names; a player is the program that plays."""
    found = [(_PROGRAMS.get(name, name), value) for name in _SOURCES if (value := step.params.get(name))]
    return [("", Mention("sound", tuple(found)))] if found else []
