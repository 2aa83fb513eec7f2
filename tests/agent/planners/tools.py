"""The tools as planners are told of them."""

from functools import cache
from pathlib import Path
from typing import Any

from agent.assembly import list_families, make_registry
from agent.settings.settings import Settings
from agent.tool_schemas import describe_tool


@cache
def describe_tools() -> tuple[dict[str, Any], ...]:
    """Return every tool as data."""
    registry = make_registry(list_families(Settings.model_construct(), Path()))
    return tuple(describe_tool(spec) for spec in registry.specs())
