"""What this process was given: its variables, with secrets among them."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from actuators.base import Environment
from actuators.child_environments import INSIDE, make_child_environment, read_secrets
from actuators.own_folders import list_own_folders
from core.goals.secret_values import VARIABLES, is_secret_name

SETTINGS_FILE = "settings.toml"
PREFIX = "SUREHAND_"
"""What the names of variables that set something begin with."""


def read_environment(workspace: Path, state_dir: Path, anchors: Mapping[str, str]) -> Environment:
    """Return what back ends may know of this process; variables with secrets are not passed on."""
    return Environment(
        platform=sys.platform,
        variables=make_child_environment({INSIDE: "1"}),
        workspace=workspace,
        state_dir=state_dir,
        anchors=anchors,
        own_folders=list_own_folders(),
    )


def read_secret_variables() -> dict[str, str]:
    """Return the secrets that the environment holds, by name in lower case; empty ones don't count."""
    held = ((name[len(VARIABLES) :].lower(), value) for name, value in read_secrets().items())
    return {name: value for name, value in held if value and is_secret_name(name)}


def read_trace_context() -> dict[str, str]:
    """Return the trace that the caller of this process says it belongs to, as W3C Trace Context names it."""
    return {name: os.environ[name.upper()] for name in ("traceparent", "tracestate") if name.upper() in os.environ}
