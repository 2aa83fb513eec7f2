"""The tools of all verbs as data."""

from pathlib import Path
from typing import Any

from agent.assembly import list_families, make_registry
from agent.settings.settings import Settings
from agent.tool_schemas import describe_tool


def describe_verb_tools() -> list[dict[str, Any]]:
    """Return the tools of all verbs as data, sorted by name; the machine is not asked what it can do."""
    registry = make_registry(list_families(Settings.model_construct(), Path()))
    return [describe_tool(spec) for spec in registry.specs()]
