"""Acts: what a person did, as far as a flow can say it, with what came of each."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal
from urllib.parse import urlsplit

from actuators.desktop.ports.recordings import DesktopEvent
from core.base.late_dataclasses import dataclass, field
from core.selectors.selectors import PlainSelector, parse_selector

ActKind = Literal[
    "back",
    "check",
    "click",
    "close_tab",
    "dialog",
    "download",
    "drag",
    "expect",
    "forward",
    "hover",
    "navigate",
    "press",
    "reload",
    "select",
    "set",
    "type",
    "upload",
]


@dataclass(frozen=True, slots=True)
class ShownPart:
    """Something that a page showed after an act and not before."""

    selector: str
    text: str


@dataclass(frozen=True, slots=True)
class Changes:
    """What came of an act.

    Attributes:
        mutations: How many parts of the page changed; None where that was never told.
        was_open: Whether what it opens was open before; None where it opens nothing.
        url: Where the page went; empty where it stayed.
    """

    mutations: int | None = None
    was_open: bool | None = None
    is_open: bool | None = None
    url: str = ""
    title: str = ""
    headings: tuple[ShownPart, ...] = ()
    notices: tuple[ShownPart, ...] = ()
    opened: tuple[int, ...] = ()
    closed: int | None = None

    @property
    def is_nothing(self) -> bool:
        """Whether nothing at all came of it, as far as that was told."""
        return self.mutations == 0 and not (
            self.url or self.headings or self.notices or self.opened or self.closed is not None
        )


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that a person did.

    Attributes:
        kind: What it was: a verb of the browser.
        selector: The element, as a look printed it right before.
        by_place: Whether the selector says only where the element stands.
        value: What was typed, chosen, pressed, ticked or picked; a path, address or answer.
        was: What was there before; None where that isn't known.
        secret: Whether the value is one that nobody may learn; then it isn't here.
    """

    kind: ActKind
    tab: int = 0
    ids: tuple[str, ...] = ()
    selector: str = ""
    by_place: bool = False
    value: Any = None
    was: Any = None
    secret: bool = False
    detail: Mapping[str, Any] = field(default_factory=dict[str, Any])
    changes: Changes = field(default_factory=Changes)

    @property
    def element(self) -> tuple[int, str]:
        """What it was done to."""
        return self.tab, self.selector


def read_found(told: Sequence[Mapping[str, Any]]) -> tuple[ShownPart, ...]:
    """Return what a page showed newly, as far as it can be named."""
    return tuple(ShownPart(each["selector"], each["text"] or each["name"]) for each in told if each["selector"])


_OTHER = re.compile(r"[^A-Za-z0-9]+")
_MOST_CHARS = 40
_PLAIN = "PASSWORD"


def name_secrets(acts: Sequence[Act]) -> Mapping[str, str]:
    """Return a name for each secret that was typed, by the names of its acts.

    The same field has the same name wherever it comes again, and so have two fields that held the same value.
    """
    names: dict[str, str] = {}
    by_element: dict[str, str] = {}
    for act in acts:
        if not act.secret:
            continue
        same = names.get(str(act.detail.get("same_as", "")))
        name = same or by_element.get(act.selector) or _find_free(_suggest(act.selector), set(by_element.values()))
        by_element.setdefault(act.selector, name)
        names.update(dict.fromkeys(act.ids, name))
    return names


def _suggest(selector: str) -> str:
    core = parse_selector(selector).core if selector else ""
    name = core.name if isinstance(core, PlainSelector) else ""
    folded = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii")
    word = _OTHER.sub("_", folded).strip("_").upper()[:_MOST_CHARS].strip("_")
    return word if word[:1].isalpha() else _PLAIN


def _find_free(name: str, taken: set[str]) -> str:
    number = 2
    free = name
    while free in taken:
        free, number = f"{name}_{number}", number + 1
    return free


_VARYING = re.compile(r"\d{3,}|\d{1,2}:\d{2}|\b[0-9a-f]{8,}\b")
_NUMBERS = re.compile(r"[0-9]+")
_STARS = re.compile(r"[*]+")
_LONGEST_STEADY = 100
_ASKED = frozenset(
    {"back", "check", "click", "dialog", "drag", "forward", "navigate", "press", "reload", "select", "set", "upload"}
)


def propose_expectation(act: Act, before_url: str = "") -> Mapping[str, str]:
    """Return params of an expectation; empty where nothing changed that could be expected."""
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
    return bool(text) and len(text) <= _LONGEST_STEADY and not _VARYING.search(text)
