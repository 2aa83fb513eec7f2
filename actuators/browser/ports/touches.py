"""Touches: what a person does to the picture of a page, as data that may come from anybody."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from core.base.errors import InputError

MOST_TOUCHES = 200
LONGEST_TEXT = 10_000
FARTHEST_PX = 10_000

Place = Annotated[float, Field(ge=0, le=1)]
Distance = Annotated[float, Field(ge=-FARTHEST_PX, le=FARTHEST_PX)]


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
    """Return what a person does, from data; InputError if anything is wrong with it; then nothing of it is done."""
    try:
        return _TOUCHES.validate_python(events)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(each) for each in first["loc"])
        text = f"The events can't be used: {f'{place}: ' if place else ''}{first['msg']}."
        raise InputError(text, hint="Send kinds, places and keys as the API's description names them.") from None
