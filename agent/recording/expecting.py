"""What can be expected after an act: the first of what it changed that is likely to be the same the next time."""

import re
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from actuators.desktop.ports.recordings import DesktopEvent
from agent.recording.acts import Act

_VARYING = re.compile(r"\d{3,}|\d{1,2}:\d{2}|\b[0-9a-f]{8,}\b")
_NUMBERS = re.compile(r"[0-9]+")
_STARS = re.compile(r"[*]+")
_MOST_CHARS = 100
_ASKED = frozenset(
    {"back", "check", "click", "dialog", "drag", "forward", "navigate", "press", "reload", "select", "set", "upload"}
)


def propose_expectation(act: Act, before_url: str = "") -> Mapping[str, str]:
    """Return params of an expectation; empty where nothing changed that could be expected.

    Args:
        before_url: Where its tab was before.
    """
    if act.kind not in _ASKED:
        return {}
    return next(_list_likely(act, before_url), {})


def propose_desktop_expectation(event: DesktopEvent) -> Mapping[str, str]:
    """Return params of a wait for what an act in a program brought into sight; empty for nothing that is likely to come again."""
    for role, name in event.shown:
        if _is_steady(name):
            return {"role": role, "name": name, "window": event.window}
    return {}


def _list_likely(act: Act, before_url: str) -> Iterator[Mapping[str, str]]:
    changes = act.changes
    for notice in changes.notices:
        if _is_steady(notice.text):
            yield (
                {"selector": notice.selector, "text": notice.text}
                if _is_steady(notice.selector)
                else {"text": notice.text}
            )
    for heading in changes.headings:
        if _is_steady(heading.text) and _is_steady(heading.selector):
            yield {"selector": heading.selector}
    if act.kind == "navigate":
        return  # it was told where to go
    path, before = urlsplit(changes.url).path, urlsplit(before_url).path
    if changes.url and path != before and path.strip("/"):
        yield {"url": _STARS.sub("*", f"*{_NUMBERS.sub('*', path)}*")}
    if changes.title and _is_steady(changes.title):
        yield {"title": changes.title}


def _is_steady(text: str) -> bool:
    """Tell whether a text looks as if it said the same every time: no order numbers, no times of day."""
    return bool(text) and len(text) <= _MOST_CHARS and not _VARYING.search(text)
