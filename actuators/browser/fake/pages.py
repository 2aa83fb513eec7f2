"""Pages that are declared instead of served: what the fake browser visits.

A FakeWeb is a whole web made of them. It records what it receives, as a real server would, so that a test looks at the
far end and not only at what the browser says.
"""

from collections.abc import Callable, Mapping
from typing import Any

from core.addresses.urls import judge_address
from core.base.errors import NotSimulatedError
from core.base.late_dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class FakeOption:
    """A choice of a select element. An empty value means the label."""

    label: str
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FakeElement:
    """One element of a page.

    Attributes:
        name: Accessible name; also the text of elements that show their name, such as buttons.
        tag: Tag name; the usual one of the role where empty.
        kind: Type of an input, such as ``password``, ``number`` or ``file``.
        id: Id in the document; effects are reported under it.
        attributes: Further attributes, such as ``{"data-testid": "total", "placeholder": "Name", "name": "q"}``.
            A form sends a field under its ``name``.
        text: Visible text of its own; where empty, the name of elements that show it.
        value: What a field holds at first; for options to choose from, the value that is chosen.
        checked: State of a checkbox or radio button at first; None for other elements.
        appears_after: How many looks for it must have failed before it is there.
        href: Where a click on it leads; a form sends its fields there.
    """

    role: str = "generic"
    name: str = ""
    tag: str = ""
    kind: str = ""
    id: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict[str, str])
    text: str = ""
    value: str = ""
    options: tuple[FakeOption, ...] = ()
    checked: bool | None = None
    disabled: bool = False
    hidden: bool = False
    appears_after: int = 0
    href: str = ""
    new_tab: bool = False
    children: "tuple[FakeElement, ...]" = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FakePage:
    """A page."""

    title: str
    elements: tuple[FakeElement, ...] = ()
    status: int = 200
    finishes: bool = True


@dataclass(frozen=True, slots=True)
class FakeFile:
    """A file: the name that the server suggests, and its bytes. It is no page, so that nothing can go there."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class FakeRedirect:
    """An answer that leads to another address."""

    to: str


@dataclass(frozen=True, slots=True)
class FakeRequest:
    """What a page of the web was asked with."""

    method: str
    url: str
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])


@dataclass(frozen=True, slots=True)
class FakeEvent:
    """An effect as the far end sees it: ``clicked`` or ``changed``."""

    name: str
    detail: Mapping[str, Any]
    page: str


FakeAnswer = FakePage | FakeFile | FakeRedirect
FakeSource = FakeAnswer | Callable[[FakeRequest], FakeAnswer]

NOT_FOUND = FakePage(title="Not found", elements=(FakeElement(role="heading", name="Not found"),), status=404)


class FakeWeb:
    """All pages of a web, and what it received."""

    def __init__(self, sources: Mapping[str, FakeSource]) -> None:
        """Declare by absolute address without query a page, a file, a redirect, or what answers a request with one."""
        self._sources = {judge_address(url).href: source for url, source in sources.items()}
        self._hosts = {judge_address(url).host for url in sources}
        self.requests: list[FakeRequest] = []
        self.events: list[FakeEvent] = []

    def knows_host(self, host: str) -> bool:
        """Tell whether there is a server of that name and port."""
        return host in self._hosts

    def answer(self, request: FakeRequest) -> FakeAnswer:
        """Write a request down and answer it; what isn't declared is a page with status 404."""
        self.requests.append(request)
        source = self._sources.get(request.url.partition("#")[0].partition("?")[0], NOT_FOUND)
        return source(request) if callable(source) else source

    def report(self, name: str, detail: Mapping[str, Any], page: str) -> None:
        """Write an effect down."""
        self.events.append(FakeEvent(name, dict(detail), page))


def resolve_address(href: str, base: str) -> str:
    """Return the absolute address of a link on a page."""
    if "://" in href or href.startswith("about:"):
        return href
    address = judge_address(base)
    origin = f"{address.scheme}://{address.host}"
    if href.startswith("/"):
        return origin + href
    path = base.partition("#")[0].partition("?")[0]
    return path + href if href.startswith(("?", "#")) else path.rpartition("/")[0] + "/" + href


def refuse(what: str, evidence: Mapping[str, Any] | None = None) -> NotSimulatedError:
    """Return the error for what the fake browser does not know, as in "It can't …"."""
    return NotSimulatedError(
        f"The simulated browser can't {what}: its pages have only what was declared.",
        hint="Do this step in a real browser.",
        evidence=evidence,
    )
