"""Words of flows as closed models, and what is wrong with one in our words."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agent.requests.words.documents import Document, DocumentPath
from core.rules.params import shorten, suggest

MAX_GOALS = 10_000
MAX_ROUNDS = 1_000
USUAL_ROUNDS = 100
MAX_ATTEMPTS = 20
MAX_WAIT_S = 60.0


class FlowModel(BaseModel):
    """A part of a flow: closed, and no text is guessed to be a number."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class EnvironmentPart(FlowModel):
    """A variable that comes from the environment."""

    env: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=200)]
    default: str | int | float | bool | None = None
    type: Literal["text", "integer", "number", "boolean"] | None = None


class RetryPart(FlowModel):
    """How often a step is tried."""

    times: Annotated[int, Field(ge=1, le=MAX_ATTEMPTS)]
    wait: Annotated[float, Field(ge=0, le=MAX_WAIT_S)] = 0.0


class IncludePart(FlowModel):
    """Another flow, with values for its variables."""

    flow: str
    vars: dict[str, str | int | float | bool] = Field(default_factory=dict)


class RepeatPart(FlowModel):
    """Over what goals are repeated."""

    times: Annotated[int, Field(ge=1)] | None = None
    rows: str | None = None
    types: dict[str, Literal["text", "integer", "number", "boolean"]] = Field(default_factory=dict)
    name: str = Field(default="row", alias="as")
    on_failure: Literal["stop", "collect"] = "stop"
    at_most: Annotated[int, Field(ge=1, le=MAX_ROUNDS)] = USUAL_ROUNDS


def list_keys(part: type[BaseModel]) -> tuple[str, ...]:
    """Return the keys that a part of a flow may have, as flows write them."""
    return tuple(each.alias or name for name, each in part.model_fields.items())


def read_word(part: type[BaseModel], data: Any, place: DocumentPath, document: Document) -> Any:
    """Return what stands behind a word, such as ``retry``.

    Raises:
        FlowError: If it isn't; names line and column.
    """
    try:
        return part.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        keys = tuple(each for each in first["loc"] if isinstance(each, int) or each in list_keys(part))
        word, where = str(place[-1]), tuple(first["loc"][:1])
        if first["type"] == "extra_forbidden":
            key, known = str(first["loc"][-1]), list_keys(part)
            text = f"unknown key {shorten(key)} of {word}{suggest(key, known)}."
            raise document.fail((*place, *where), text, hint=f"Known keys: {', '.join(known)}.") from None
        named = ".".join(map(str, (word, *keys)))
        if first["type"] == "missing":
            text = f"{word} needs {first['loc'][-1]}."
            raise document.fail(place, text, hint=f"Known keys: {', '.join(list_keys(part))}.") from None
        text = f"{named}: {first['msg'][:1].lower()}{first['msg'][1:]}; not {shorten(first['input'])}."
        raise document.fail((*place, *keys), text) from None
