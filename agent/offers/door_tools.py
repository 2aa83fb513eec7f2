"""The tools that a model of others gets: few, small, and none that says yes to an act."""

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from agent.offers.tool_formats import shorten_schema
from core.base.late_dataclasses import dataclass, field


def leave_out_nulls(given: Any) -> Any:
    """Return what came without what is null in it: many clients write out all that they know of. Goes before the checks of a model."""
    return {name: each for name, each in given.items() if each is not None} if isinstance(given, dict) else given


_UNTOLD: Final = frozenset({"maxLength", "minimum", "maximum", "additionalProperties"})

DoorToolName = Literal["do", "plan", "look", "answer", "status", "stop", "undo"]

Name = Annotated[str, Field(max_length=100)]
Seconds = Annotated[float, Field(ge=0, le=600)]


class DoorArguments(BaseModel):
    """Arguments of a tool; nothing else is taken."""

    model_config = ConfigDict(extra="forbid", strict=True)
    _nulls = model_validator(mode="before")(leave_out_nulls)


class Task(DoorArguments):
    """A sentence or goals."""

    text: Annotated[str | None, Field(max_length=20_000)] = None
    goals: list[dict[str, Any]] | None = None
    session: Name = ""


class PlannerWanted(DoorArguments):
    """A planner, or an item of the backlog for one."""

    capability: Name = ""
    parameters: dict[str, Any] = Field(default_factory=dict)
    item: Name = ""


class DoArguments(Task):
    """What to do."""

    planner: Annotated[
        dict[str, Any] | None, Field(description="Or {capability, parameters}; see surehand://planners")
    ] = None
    text: Annotated[
        str | None,
        Field(max_length=20_000, description="A sentence: go to example.com, click 'More' and read the title"),
    ] = None
    goals: Annotated[
        list[dict[str, Any]] | None, Field(description="Or [{domain, verb, params}]; see surehand://verbs")
    ] = None
    session: Annotated[Name, Field(description="A named session with its own page; absent: yours.")] = ""
    request_id: Annotated[str, Field(max_length=200, description="The same id is never done twice.")] = ""
    wait_s: Annotated[Seconds, Field(description="Then answers with status running.")] = 50


class LookArguments(DoorArguments):
    """What to look at."""

    find: Annotated[str | None, Field(description="Only lines nearest to these words.")] = None
    scope: Annotated[str | None, Field(description="Selector of the part to open.")] = None
    max_tokens: Annotated[int, Field(ge=50, le=20_000)] = 2_000
    window: Annotated[str | None, Field(description="A window's title, instead of the page.")] = None
    picture: Annotated[bool, Field(description="Also a picture with the lines' numbers.")] = False
    session: Name = ""


class AnswerArguments(DoorArguments):
    """An answer to a question."""

    question_id: Name
    answer: Annotated[str, Field(max_length=20_000, description="Text or a choice; for a confirm only no.")]
    wait_s: Seconds = 50


class StatusArguments(DoorArguments):
    """What to ask about."""

    run_id: Name = ""
    wait_s: Annotated[Seconds, Field(description="Wait for its end.")] = 0


class StopArguments(DoorArguments):
    """What to stop."""

    run_id: Name = ""
    session: Name = ""


class UndoArguments(DoorArguments):
    """What to take back."""

    run_id: Annotated[Name, Field(description="Absent: the last run.")] = ""
    dry: Annotated[bool, Field(description="Only tell what would be undone.")] = False


@dataclass(frozen=True, slots=True)
class DoorTool:
    """A tool of the service.

    Attributes:
        hints: What is true of every call: ``reads`` changes nothing, ``destroys`` may overwrite or end something, ``repeats`` does no more the
            second time, ``open`` reaches pages of others.
    """

    name: DoorToolName
    description: str
    arguments: type[DoorArguments]
    hints: frozenset[Literal["reads", "destroys", "repeats", "open"]] = field(default=frozenset())

    @property
    def parameters(self) -> dict[str, Any]:
        """The JSON Schema of what it takes, in few words: limits that no honest call comes near are checked and not told."""
        schema = shorten_schema({**self.arguments.model_json_schema(), "description": None})
        named = {name: _leave_out_limits(each) for name, each in schema["properties"].items()}
        return _leave_out_limits(schema) | {"properties": named}


def _leave_out_limits(schema: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in schema.items() if key not in _UNTOLD and (value or key != "default")}
    return kept | ({"items": _leave_out_limits(kept["items"])} if "items" in kept else {})


DOOR_TOOLS: Final[tuple[DoorTool, ...]] = (
    DoorTool(
        "do",
        "Do it, on real pages, files and windows. Tells what was done and read. needs_answer: something is asked; what a person must confirm, you "
        "can't.",
        DoArguments,
        frozenset({"destroys", "open"}),
    ),
    DoorTool(
        "plan",
        "The steps that do would take, and what would ask a person. Nothing is done.",
        Task,
        frozenset({"reads", "repeats"}),
    ),
    DoorTool(
        "look",
        "Outline of the page or a window; each line is a selector to click or type into by do.",
        LookArguments,
        frozenset({"reads", "repeats", "open"}),
    ),
    DoorTool(
        "answer",
        "Answer a question of do, or say no to what it asks to confirm.",
        AnswerArguments,
        frozenset({"destroys", "open"}),
    ),
    DoorTool("status", "A run, or what runs and is asked now.", StatusArguments, frozenset({"reads", "repeats"})),
    DoorTool("stop", "Stop at once: a run, a session, or all of your session.", StopArguments, frozenset({"repeats"})),
    DoorTool("undo", "Undo what a run did, where that is possible.", UndoArguments, frozenset({"destroys"})),
)


def describe_door_tools() -> list[dict[str, Any]]:
    """Return them as ``describe_tool`` does the tools of verbs; their names say whose they are."""
    return [
        {"name": f"surehand_{tool.name}", "description": tool.description, "parameters": tool.parameters}
        for tool in DOOR_TOOLS
    ]
