"""What a file may declare of a simulated machine: closed schemas; a slip of the pen is refused with its line."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agent.requests.words.documents import Document, DocumentPath, read_document
from core.addresses.urls import judge_address
from core.base.errors import SurehandError
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
