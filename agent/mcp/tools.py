"""The tools as MCP lists them: few words, typed output, honest hints."""

from typing import Any, Final

from mcp_types import Tool, ToolAnnotations

from agent.offers.door_tools import DOOR_TOOLS, DoorTool

_TEXT: Final = {"type": "string"}
_TOLD: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"status": _TEXT, "reply": _TEXT},
    "required": ["status", "reply"],
}
_STATUS: Final = {"enum": ["success", "partial", "failed", "cancelled", "running", "needs_answer"]}
_RUN: Final[dict[str, Any]] = {
    **_TOLD,
    "properties": {
        "status": _STATUS,
        "reply": _TEXT,
        "run_id": _TEXT,
        "steps": {"type": "array"},
        "question": {"type": "object"},
    },
}
_LOOK: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"text": _TEXT, "truncated": {"type": "boolean"}},
    "required": ["text"],
}
_OUTPUTS: Final = {"do": _RUN, "look": _LOOK}


def list_tools() -> list[Tool]:
    """Return the tools."""
    return [_describe(tool) for tool in DOOR_TOOLS]


def _describe(tool: DoorTool) -> Tool:
    return Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.parameters,
        output_schema=_OUTPUTS.get(tool.name, _TOLD),
        annotations=_hint(tool),
    )


def _hint(tool: DoorTool) -> ToolAnnotations:
    """Return what is true of every call, where that is not what a client has to expect anyway."""
    reads = "reads" in tool.hints
    return ToolAnnotations(
        read_only_hint=True if reads else None,
        destructive_hint=None if reads or "destroys" in tool.hints else False,
        idempotent_hint=True if "repeats" in tool.hints and not reads else None,
        open_world_hint=None if "open" in tool.hints else False,
    )
