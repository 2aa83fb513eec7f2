"""Pages that are declared instead of served: what the fake browser visits.

A FakeWeb is a whole web made of them. It records what it receives, as a real server would, so that a test looks at the
far end and not only at what the browser says.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from core.addresses.urls import judge_address

DialogKind = Literal["alert", "confirm", "prompt"]


@dataclass(frozen=True, slots=True)
class Ask:
    """Opens a dialog; its answer is reported as the event ``answered``.

    Attributes:
        kind: ``alert``, ``confirm`` or ``prompt``.
        message: What it says.
        default: What a prompt suggests.
    """

    kind: DialogKind
    message: str
    default: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """Tells the far end that something happened."""

    name: str
    detail: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Changes another element of the page; None leaves a property as it is.

    Attributes:
        id: The element's id.
        text: Its new text.
        hidden: Whether it is hidden from now on.
        disabled: Whether it is disabled from now on.
    """

    id: str
    text: str | None = None
    hidden: bool | None = None
    disabled: bool | None = None


Act = Ask | Report | Change


@dataclass(frozen=True, slots=True)
class FakeOption:
    """A choice of a select element. An empty value means the label."""

    label: str
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FakeElement:
    """One element of a page.

    Attributes:
        role: ARIA role.
        name: Accessible name; also the text of elements that show their name, such as buttons.
        tag: Tag name; the usual one of the role where empty.
        kind: Type of an input, such as ``password``, ``number`` or ``file``.
        id: Id in the document; effects are reported under it.
        attributes: Further attributes, such as ``{"data-testid": "total", "placeholder": "Name", "name": "q"}``.
            A form sends a field under its ``name``.
        text: Visible text of its own; where empty, the name of elements that show it.
        value: What a field holds at first; for options to choose from, the value that is chosen.
        options: Choices of a select element.
        checked: State of a checkbox or radio button at first; None for other elements.
        disabled: Whether it is disabled.
        hidden: Whether it is not visible.
        appears_after: How many looks for it must have failed before it is there.
        covered_by: What lies over it, in words; empty if nothing does.
        href: Where a click on it leads; a form sends its fields there.
        new_tab: Whether that opens in a new tab.
        draggable: Whether it can be dragged.
        accepts_drop: Whether something may be dropped on it; reported as the event ``dropped``.
        on_click: What a click does beside that.
        children: What is in it.
        frame: The page inside, for a frame.
        box: Left, top, width and height in CSS pixels, for selectors that name elements by their place; where empty, it
            is where what it is in is.
        look: What it looks like, such as ``large red circle 40 px``; empty for what nobody would describe.
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
    covered_by: str = ""
    href: str = ""
    new_tab: bool = False
    draggable: bool = False
    accepts_drop: bool = False
    on_click: tuple[Act, ...] = ()
    children: "tuple[FakeElement, ...]" = ()
    frame: "FakePage | None" = None
    box: tuple[float, float, float, float] | tuple[()] = ()
    look: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FakePage:
    """A page.

    Attributes:
        title: Its title.
        elements: What is on it.
        status: HTTP status that it is served with.
        finishes: Whether it ever finishes loading.
        height_px: Height of its content in CSS pixels; the window shows 720.
        cookies: Cookies that it sets.
        storage: Local storage that it fills.
    """

    title: str
    elements: tuple[FakeElement, ...] = ()
    status: int = 200
    finishes: bool = True
    height_px: int = 720
    cookies: Mapping[str, str] = field(default_factory=dict[str, str])
    storage: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class FakeFile:
    """A file to download: the name that the server suggests, and its bytes."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class FakeRedirect:
    """An answer that leads to another address."""

    to: str


@dataclass(frozen=True, slots=True)
class FakeRequest:
    """What a page of the web was asked with.

    Attributes:
        method: ``GET`` or ``POST``.
        url: The whole address.
        fields: Form fields, with every value of each; of a file field, the names of the files.
        cookies: Cookies that came with it.
    """

    method: str
    url: str
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    cookies: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class FakeEvent:
    """An effect as the far end sees it: ``clicked``, ``changed``, ``answered``, ``dropped``, or a Report's name."""

    name: str
    detail: Mapping[str, Any]
    page: str


FakeAnswer = FakePage | FakeFile | FakeRedirect
FakeSource = FakeAnswer | Callable[[FakeRequest], FakeAnswer]

NOT_FOUND = FakePage(title="Not found", elements=(FakeElement(role="heading", name="Not found"),), status=404)


class FakeWeb:
    """All pages of a web, and what it received.

    Attributes:
        requests: Every request, oldest first.
        events: Every effect, oldest first.
    """

    def __init__(self, sources: Mapping[str, FakeSource]) -> None:
        """Declare the web.

        Args:
            sources: By absolute address without query: a page, a file, a redirect, or what answers a request with one.
        """
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

    def find_events(self, name: str) -> Sequence[FakeEvent]:
        """Return the effects of a name, oldest first."""
        return [event for event in self.events if event.name == name]


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
