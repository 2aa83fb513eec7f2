"""A declared machine, built: its pages, disk, sound, windows, players and programs in memory."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urljoin

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from actuators.audio.platforms.fake import FakeSound
from actuators.audio.ports import AudioDevice
from actuators.base import Environment
from actuators.browser.fake.browser import FakeBrowser
from actuators.browser.fake.pages import FakeElement, FakePage, FakeWeb
from actuators.desktop.fake.state import FakeDesktop, FakeWindow
from actuators.desktop.fake.state import FakeDesktopElement as FakeWidget
from actuators.desktop.ports.desktop import Rect
from actuators.files.platforms.fake import FakeDisk
from actuators.media.platforms.fake import FakeMedia, FakePlayer, FakeTrack
from actuators.simulation import SimulatedMachine
from actuators.system.fake.machine import FakeMachine, FakeProgram
from agent.requests.words.documents import Document, DocumentPath, read_document
from core.addresses.paths import resolve_path
from core.addresses.platforms import SearchPlatform
from core.addresses.urls import judge_address
from core.base.errors import PolicyError, SurehandError
from core.base.late_dataclasses import dataclass
from core.rules.params import suggest

Percent = Annotated[float, Field(ge=0, le=100)]


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class ElementPart(_Closed):
    """An element of a page or window."""

    role: str = "generic"
    name: str = ""
    value: str = ""
    text: str = ""
    link: str = ""


class PagePart(_Closed):
    """A page."""

    title: str = ""
    text: str = ""
    elements: list[ElementPart] = Field(default_factory=list[ElementPart])


class WidgetPart(_Closed):
    """An element of a window."""

    role: str
    name: str = ""
    value: str = ""


class WindowPart(_Closed):
    """A window; the first one has the focus."""

    title: str
    app: str = ""
    elements: list[WidgetPart] = Field(default_factory=list[WidgetPart])


class DevicePart(_Closed):
    """A sound device."""

    name: str
    kind: Literal["output", "input"] = "output"
    volume: Percent = 50
    muted: bool = False
    default: bool = False


class PlayerPart(_Closed):
    """A media player."""

    name: str
    tracks: list[str] = Field(default_factory=lambda: ["Silence"], min_length=1)
    status: Literal["playing", "paused", "stopped"] = "stopped"


class ProgramPart(_Closed):
    """A program that can be started."""

    name: str
    command: str = ""
    window: str = ""


class MachinePart(_Closed):
    """A machine."""

    pages: dict[str, PagePart] = Field(default_factory=dict[str, PagePart])
    files: dict[str, str] = Field(default_factory=dict[str, str])
    folders: list[str] = Field(default_factory=list[str])
    sound: list[DevicePart] = Field(default_factory=lambda: [DevicePart(name="Speakers", default=True)])
    windows: list[WindowPart] = Field(default_factory=list[WindowPart])
    players: list[PlayerPart] = Field(default_factory=list[PlayerPart])
    programs: list[ProgramPart] = Field(default_factory=list[ProgramPart])
    lacks: dict[str, str] = Field(default_factory=dict[str, str])


def load_machine(path: Path) -> tuple[MachinePart, Document]:
    """Read a file that declares a machine.

    Args:
        path: YAML or JSON file.

    Returns:
        What it declares, and the document, which knows the line of everything.

    Raises:
        FlowError: If anything is wrong with it; names file, line and column.
    """
    document = read_document(path)
    try:
        part = MachinePart.model_validate({} if document.data is None else document.data)
    except ValidationError as error:
        first = min(error.errors(include_url=False), key=lambda each: each["type"] != "extra_forbidden")
        place = tuple(first["loc"])
        message, hint = _describe_fault(place, first["type"], first["msg"])
        raise document.fail(place, message, hint=hint) from None
    for url in part.pages:
        _check_address(url, document)
    return part, document


def _check_address(url: str, document: Document) -> None:
    try:
        href = judge_address(url).href
    except SurehandError as error:
        raise document.fail(("pages", url), error.message, hint=error.hint) from None
    if "?" in href or "#" in href:
        raise document.fail(
            ("pages", url), "a page is declared without ? and #.", hint="Any query leads to the same page."
        )


def _describe_fault(place: DocumentPath, kind: str, message: str) -> tuple[str, str]:
    if not place:
        return "a machine is a mapping.", f"Known keys: {', '.join(MachinePart.model_fields)}."
    word = ".".join(map(str, place))
    if kind != "extra_forbidden":
        return f"{word}: {message[:1].lower()}{message[1:]}.", ""
    known = _list_keys(place)
    return f'unknown key "{word}"{suggest(str(place[-1]), known)}.', f"Known keys: {', '.join(known)}."


def _list_keys(place: DocumentPath) -> list[str]:
    if len(place) == 1:
        return list(MachinePart.model_fields)
    parts: dict[str, type[_Closed]] = {
        "sound": DevicePart,
        "windows": WindowPart,
        "players": PlayerPart,
        "programs": ProgramPart,
        "pages": PagePart,
    }
    if "elements" in place[1:-1]:
        return list((ElementPart if place[0] == "pages" else WidgetPart).model_fields)
    return list(parts[str(place[0])].model_fields)


PLATFORM = "linux"
HOME = "/home/ada"
_ANCHORS: Mapping[str, str] = {
    "workspace": f"{HOME}/work",
    "home": HOME,
    "desktop": f"{HOME}/Desktop",
    "documents": f"{HOME}/Documents",
    "downloads": f"{HOME}/Downloads",
    "temp": f"{HOME}/.cache",
}
_WINDOW_PX = (900, 600)
_STEP_PX = 40
_ROW_PX = 30


@dataclass(frozen=True, slots=True)
class Simulation:
    """A machine in memory and where a session works on it."""

    machine: SimulatedMachine
    environment: Environment
    pages: frozenset[str]


def build_simulation(path: Path | None, platforms: Mapping[str, SearchPlatform]) -> Simulation:
    """Return the machine that a file declares, or an empty one.

    Args:
        path: YAML or JSON file; None for a machine with speakers and empty folders.

    Raises:
        FlowError: If anything is wrong with the file; names file, line and column.
    """
    part, document = load_machine(path) if path else (MachinePart(), Document("the machine"))
    pages = {url: _make_page(url, each) for url, each in part.pages.items()}
    machine = SimulatedMachine(
        browser=FakeBrowser(FakeWeb(pages), platforms=platforms),
        files=FakeDisk(workspace=_ANCHORS["workspace"], home=HOME),
        system=FakeMachine(map(_make_program, part.programs), missing=part.lacks),
        desktop=FakeDesktop(*(_make_window(index, each) for index, each in enumerate(part.windows))),
        sound=FakeSound(devices=_make_devices(part.sound)),
        media=FakeMedia(map(_make_player, part.players)),
    )
    _fill_disk(machine.files, part, document)
    workspace = Path(_ANCHORS["workspace"])
    environment = Environment(
        platform=PLATFORM, workspace=workspace, state_dir=workspace / ".surehand", anchors=_ANCHORS
    )
    return Simulation(machine, environment, frozenset(part.pages))


def _make_page(url: str, part: PagePart) -> FakePage:
    elements = [
        FakeElement(
            role=each.role,
            name=each.name,
            value=each.value,
            text=each.text,
            href=urljoin(url, each.link) if each.link else "",
        )
        for each in part.elements
    ]
    return FakePage(title=part.title, elements=(*([FakeElement(text=part.text)] if part.text else []), *elements))


def _make_window(index: int, part: WindowPart) -> FakeWindow:
    width, height = _WINDOW_PX
    widgets = [
        FakeWidget(
            role=each.role,
            name=each.name,
            bounds=Rect(0, row * _ROW_PX, width, _ROW_PX),
            value=each.value or None,
            states={"enabled", "visible", *(["editable"] if each.value else [])},
            actions=("press",),
        )
        for row, each in enumerate(part.elements)
    ]
    texts = {each.name: each.bounds for each in widgets if each.name and each.bounds}
    bounds = Rect(index * _STEP_PX, index * _STEP_PX, width, height)
    return FakeWindow(part.title, part.app or part.title, bounds, elements=widgets, texts=texts)


def _make_devices(parts: Iterable[DevicePart]) -> list[AudioDevice]:
    """Return the sound devices; the first of a kind is the default where none is named."""
    parts = list(parts)
    defaults = {
        kind: next((each for each in parts if each.kind == kind and each.default), None) for kind in ("output", "input")
    }
    firsts = {kind: next((each for each in parts if each.kind == kind), None) for kind in defaults}
    return [
        AudioDevice(
            f"{each.kind}-{number}",
            each.name,
            each.kind,
            float(each.volume),
            muted=each.muted,
            is_default=each is (defaults[each.kind] or firsts[each.kind]),
        )
        for number, each in enumerate(parts, start=1)
    ]


def _make_player(part: PlayerPart) -> FakePlayer:
    return FakePlayer(name=part.name, tracks=tuple(map(FakeTrack, part.tracks)), status=part.status)


def _make_program(part: ProgramPart) -> FakeProgram:
    command = part.command or f"/usr/bin/{part.name.lower().replace(' ', '-')}"
    return FakeProgram(name=part.name, executable=command, window=part.window)


def _fill_disk(disk: FakeDisk, part: MachinePart, document: Document) -> None:
    for folder in _ANCHORS.values():
        disk.store.make_folders(folder)
    for index, folder in enumerate(part.folders):
        disk.store.make_folders(_locate(folder, ("folders", index), document))
    for path, content in part.files.items():
        disk.store.put(_locate(path, ("files", path), document), content.encode("utf-8", "surrogatepass"))


def _locate(path: str, place: tuple[str | int, ...], document: Document) -> str:
    try:
        return resolve_path(path, _ANCHORS, PLATFORM)
    except PolicyError as error:
        raise document.fail(place, error.message, hint=error.hint) from None
