"""ScreenPort: the pages of a session as a person sees them live, and what the person does to them."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from actuators.browser.ports.takeover import PersonDeed
from core.base.errors import InputError

MOST_TOUCHES = 200
LONGEST_TEXT = 10_000
FARTHEST_PX = 10_000

Place = Annotated[float, Field(ge=0, le=1)]
Distance = Annotated[float, Field(ge=-FARTHEST_PX, le=FARTHEST_PX)]


@dataclass(frozen=True, slots=True)
class ScreenFrame:
    """What is to be seen of a page now.

    Attributes:
        data: The picture, a JPEG; empty where no page is open, or nothing may be shown of it.
        width_px: Width of the page's window, in its own pixels; 0 where no page is open.
    """

    data: bytes = b""
    width_px: int = 0
    height_px: int = 0
    url: str = ""
    title: str = ""
    held: bool = False


class Touch(BaseModel):
    """One thing that a person does to the picture of a page.

    Attributes:
        kind: What it is: of the pointer ``move``, ``down``, ``up`` and ``wheel``, of the keyboard ``key`` and ``text``, or ``back``.
        x: Where in the picture, as a part of its width: 0 is left, 1 is right.
        y: Likewise of its height: 0 is above.
        dx: How far a wheel turns to the right, in pixels.
        key: Name of a key, or of several at once, such as ``Control+A``.
    """

    model_config = ConfigDict(extra="forbid", strict=False, frozen=True)

    kind: Literal["move", "down", "up", "wheel", "key", "text", "back"]
    x: Place = 0.0
    y: Place = 0.0
    button: Literal["left", "right", "middle"] = "left"
    clicks: Annotated[int, Field(ge=1, le=3)] = 1
    dx: Distance = 0.0
    dy: Distance = 0.0
    key: Annotated[str, Field(max_length=60)] = ""
    text: Annotated[str, Field(max_length=LONGEST_TEXT)] = ""


_TOUCHES = TypeAdapter(Annotated[tuple[Touch, ...], Field(max_length=MOST_TOUCHES)])


def read_touches(events: Sequence[Mapping[str, Any]]) -> tuple[Touch, ...]:
    """Return what a person does, from data.

    Raises:
        InputError: If anything is wrong with it; then nothing of it is done.
    """
    try:
        return _TOUCHES.validate_python(events)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(each) for each in first["loc"])
        text = f"The events can't be used: {f'{place}: ' if place else ''}{first['msg']}."
        raise InputError(text, hint="Send kinds, places and keys as the API's description names them.") from None


class ScreenPort(Protocol):
    """The pages of one session, for people."""

    @property
    def held(self) -> bool:
        """Whether a person has the pages."""
        ...

    def watch(self) -> AsyncGenerator[ScreenFrame]:
        """Yield what is to be seen, as it changes; whoever is slow misses frames, never the latest one. Never ends by itself."""
        ...

    async def hold(self) -> None:
        """Give the pages to a person, once no step acts on them any more.

        Raises:
            DeviceError: ``screen_busy`` if a step doesn't end in time.
        """
        ...

    async def touch(self, touches: Sequence[Touch]) -> None:
        """Do what the person does, in order.

        Raises:
            RefusedError: ``screen_not_held`` if the person doesn't have the pages.
            ActionError: If there is no page, or it doesn't answer.
        """
        ...

    def release(self) -> tuple[PersonDeed, ...]:
        """Give the pages back to plans, which go on with the page that is shown; return what the person did."""
        ...


@runtime_checkable
class ScreenOwner(Protocol):
    """A family whose pages people can watch."""

    def open_screen(self) -> ScreenPort:
        """Return the screen; opens no page."""
        ...
