"""Which flows are run as tests, and how."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from agent.cli.limits import Limits
from agent.cli.options import (
    CHOOSING,
    LIMITS,
    OUTPUT,
    RUNNING,
    TASK,
    AsJson,
    Headed,
    Option,
    Texts,
    Timeout,
    Trace,
    Yes,
)

_FLOWS = Option("FLOWS...", "Flow files, folders (all *.flow.yaml, .yml and .json in them) and globs.", TASK)


_ONLY = Option("--only -k PART", "Run only flows whose path has this in it. Repeatable.", CHOOSING)


_SHARD = Option("--shard I/N", "Run the I-th of N parts; every flow is in exactly one.", CHOOSING)


_VARS = Option("--var NAME=VALUE", "Set a variable of all flows that declare it. Repeatable.", TASK)


_WORKERS = Option("--workers -n N", "Run so many flows at once: 1 to 64.", RUNNING)


_RETRIES = Option("--retries N", "Run a flow that failed again, at most N times: 0 to 10.", RUNNING)


_UPDATE = Option(
    "--update", "Update texts, values and titles that flows expect, where a flow passes with them.", RUNNING
)


_FOLDER = Option("--workspace DIR", "Run all flows in this folder; where absent, each in a new one of its own.", LIMITS)


_JUNIT = Option("--junit FILE", "Write JUnit XML, for CI systems.", OUTPUT)


_HTML = Option("--html DIR", "Write reports for a browser, with pictures of every step.", OUTPUT)


_KEEP = Option("--keep", "Keep the folders of flows that passed, too.", OUTPUT)


@dataclass(frozen=True, slots=True)
class SuiteRequest:
    """Which flows are run, and how; None leaves it to the settings, or to nowhere."""

    flows: Annotated[Texts, _FLOWS]
    only: Annotated[Texts, _ONLY] = ()
    shard: Annotated[str, _SHARD] = ""
    variables: Annotated[Texts, _VARS] = ()
    workers: Annotated[int, _WORKERS] = 1
    retries: Annotated[int, _RETRIES] = 0
    updates: Annotated[bool, _UPDATE] = False
    approved: Yes = ""
    workspace: Annotated[Path | None, _FOLDER] = None
    limits: Limits = field(default_factory=Limits)
    timeout_s: Timeout = None
    headed: Headed = False
    trace: Trace = None
    junit: Annotated[Path | None, _JUNIT] = None
    html: Annotated[Path | None, _HTML] = None
    keeps_all: Annotated[bool, _KEEP] = False
    as_json: AsJson = False
