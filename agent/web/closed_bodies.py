"""Bodies that are closed and strict, and the one that says what a person does on pages."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from actuators.browser.ports.screens import MOST_TOUCHES, Touch
from agent.offers.door_tools import leave_out_nulls


def _allow_null(schema: dict[str, Any]) -> None:
    """Say that what may be absent may be null."""
    for name, each in schema.get("properties", {}).items():
        if name not in schema.get("required", ()) and {"type": "null"} not in each.get("anyOf", ()):
            schema["properties"][name] = {"anyOf": [each, {"type": "null"}]}


class ClosedBody(BaseModel):
    """A body that takes nothing that it doesn't know, and nothing for something else."""

    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra=_allow_null)
    _nulls = model_validator(mode="before")(leave_out_nulls)


class TouchBody(ClosedBody):
    """What a person does on the pages that they have."""

    events: Annotated[list[Touch], Field(max_length=MOST_TOUCHES)]
