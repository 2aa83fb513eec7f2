"""The command that runs flows as tests."""

from pathlib import Path
from typing import Annotated

import typer

from agent.cli.declaring import command
from agent.cli.help_pages import GroupHelp
from agent.cli.limits import NO_LIMITS, Limits
from agent.cli.options import (
    CHOOSING,
    DOING,
    LIMITS,
    OUTPUT,
    RUNNING,
    TASK,
    AsJson,
    Headed,
    Option,
    Timeout,
    Trace,
    Yes,
)

Flows = Annotated[
    tuple[str, ...],
    Option("FLOWS...", "Flow files, folders (all *.flow.yaml, .yml and .json in them) and globs.", TASK),
]
Only = Annotated[
    tuple[str, ...], Option("--only -k PART", "Run only flows whose path has this in it. Repeatable.", CHOOSING)
]
ShardPart = Annotated[str, Option("--shard I/N", "Run the I-th of N parts; every flow is in exactly one.", CHOOSING)]
SuiteVars = Annotated[
    tuple[str, ...], Option("--var NAME=VALUE", "Set a variable of all flows that declare it. Repeatable.", TASK)
]
Workers = Annotated[int, Option("--workers -n N", "Run so many flows at once: 1 to 64.", RUNNING)]
Retries = Annotated[int, Option("--retries N", "Run a flow that failed again, at most N times: 0 to 10.", RUNNING)]
Update = Annotated[
    bool,
    Option("--update", "Update texts, values and titles that flows expect, where a flow passes with them.", RUNNING),
]
Keep = Annotated[bool, Option("--keep", "Keep the folders of flows that passed, too.", OUTPUT)]
SuiteFolder = Annotated[
    Path | None,
    Option("--workspace DIR", "Run all flows in this folder; where absent, each in a new one of its own.", LIMITS),
]
Junit = Annotated[Path | None, Option("--junit FILE", "Write JUnit XML, for CI systems.", OUTPUT)]
Html = Annotated[Path | None, Option("--html DIR", "Write reports for a browser, with pictures of every step.", OUTPUT)]

app = typer.Typer(cls=GroupHelp)


@command(
    app,
    "test",
    "surehand test flows/",
    "surehand test flows/ -n 4 --retries 1 --junit results.xml --html report",
    "surehand test 'flows/**/*.yaml' -k checkout --shard 2/5 --var site=http://127.0.0.1:8123",
    panel=DOING,
)
def run_suite(
    flows: Flows,
    only: Only = (),
    shard: ShardPart = "",
    var: SuiteVars = (),
    workers: Workers = 1,
    retries: Retries = 0,
    update: Update = False,
    yes: Yes = "",
    workspace: SuiteFolder = None,
    limits: Limits = NO_LIMITS,
    timeout: Timeout = None,
    headed: Headed = False,
    trace: Trace = None,
    junit: Junit = None,
    html: Html = None,
    keep: Keep = False,
    as_json: AsJson = False,
) -> int:
    """Run flows as tests: each in a session and a folder of its own.

    Nobody is asked anything: what needs an approval that --yes doesn't give fails.
    """
    from agent.cli.suites.testing import SuiteRequest, run_tests

    asked = SuiteRequest(
        tuple(flows),
        only=only,
        shard=shard,
        variables=var,
        limits=limits,
        workers=workers,
        retries=retries,
        updates=update,
        approved=yes,
        timeout_s=timeout,
        workspace=workspace,
        headed=headed,
        trace=trace,
        keeps_all=keep,
        junit=junit,
        html=html,
        as_json=as_json,
    )
    return run_tests(asked)
