"""The command that runs flows as tests."""

from pathlib import Path
from typing import Annotated

import typer

from agent.cli.help_pages import CommandHelp, GroupHelp
from agent.cli.options import (
    LIMITS,
    OUTPUT,
    TASK,
    Allow,
    AsJson,
    Headed,
    Hosts,
    PolicyFile,
    Roots,
    Timeout,
    Trace,
    Yes,
)

_CHOOSING = "Which flows"
_RUNNING = "How they run"

Flows = Annotated[
    list[str],
    typer.Argument(
        metavar="FLOWS...",
        help="Flow files, folders (all *.flow.yaml, .yml and .json in them) and globs.",
        rich_help_panel=TASK,
        show_default=False,
    ),
]
Only = Annotated[
    list[str] | None,
    typer.Option(
        "--only",
        "-k",
        metavar="PART",
        help="Run only flows whose path has this in it. Repeatable.",
        rich_help_panel=_CHOOSING,
    ),
]
ShardPart = Annotated[
    str,
    typer.Option(
        "--shard",
        metavar="I/N",
        help="Run the I-th of N parts; every flow is in exactly one.",
        rich_help_panel=_CHOOSING,
        show_default=False,
    ),
]
SuiteVars = Annotated[
    list[str] | None,
    typer.Option(
        "--var",
        metavar="NAME=VALUE",
        help="Set a variable of all flows that declare it. Repeatable.",
        rich_help_panel=TASK,
    ),
]
Workers = Annotated[
    int,
    typer.Option("--workers", "-n", metavar="N", help="Run so many flows at once: 1 to 64.", rich_help_panel=_RUNNING),
]
Retries = Annotated[
    int,
    typer.Option(
        "--retries",
        metavar="N",
        help="Run a flow that failed again, at most N times: 0 to 10.",
        rich_help_panel=_RUNNING,
    ),
]
Update = Annotated[
    bool,
    typer.Option(
        "--update",
        help="Update texts, values and titles that flows expect, where a flow passes with them.",
        rich_help_panel=_RUNNING,
    ),
]
Keep = Annotated[
    bool, typer.Option("--keep", help="Keep the folders of flows that passed, too.", rich_help_panel=OUTPUT)
]
SuiteFolder = Annotated[
    Path | None,
    typer.Option(
        "--workspace",
        metavar="DIR",
        help="Run all flows in this folder; where absent, each in a new one of its own.",
        rich_help_panel=LIMITS,
        show_default=False,
    ),
]
Junit = Annotated[
    Path | None,
    typer.Option("--junit", metavar="FILE", help="Write JUnit XML, for CI systems.", rich_help_panel=OUTPUT),
]
Html = Annotated[
    Path | None,
    typer.Option(
        "--html",
        metavar="DIR",
        help="Write reports for a browser, with pictures of every step.",
        rich_help_panel=OUTPUT,
    ),
]

app = typer.Typer(cls=GroupHelp)


@app.command(
    "test",
    cls=CommandHelp,
    rich_help_panel="Do something",
    epilog="surehand test flows/\n"
    "surehand test flows/ -n 4 --retries 1 --junit results.xml --html report\n"
    "surehand test 'flows/**/*.yaml' -k checkout --shard 2/5 --var site=http://127.0.0.1:8123",
)
def run_suite(
    flows: Flows,
    only: Only = None,
    shard: ShardPart = "",
    var: SuiteVars = None,
    workers: Workers = 1,
    retries: Retries = 0,
    update: Update = False,
    yes: Yes = "",
    workspace: SuiteFolder = None,
    host: Hosts = None,
    root: Roots = None,
    allow: Allow = None,
    policy: PolicyFile = None,
    timeout: Timeout = None,
    headed: Headed = False,
    trace: Trace = None,
    junit: Junit = None,
    html: Html = None,
    keep: Keep = False,
    as_json: AsJson = False,
) -> None:
    """Run flows as tests: each in a session and a folder of its own.

    Nobody is asked anything: what needs an approval that --yes doesn't give fails.
    """
    from agent.cli.limits import PolicyOptions
    from agent.cli.suites.testing import SuiteRequest, run_tests

    asked = SuiteRequest(
        tuple(flows),
        only=tuple(only or ()),
        shard=shard,
        variables=tuple(var or ()),
        limits=PolicyOptions(tuple(host or ()), tuple(root or ()), tuple(allow or ()), policy),
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
    raise typer.Exit(run_tests(asked))
