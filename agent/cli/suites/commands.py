"""The command that runs flows as tests."""

import typer

from agent.cli.declaring import command
from agent.cli.help_pages import GroupHelp
from agent.cli.options import (
    DOING,
)
from agent.cli.suites.wishes import SuiteRequest

app = typer.Typer(cls=GroupHelp)


@command(
    app,
    "test",
    "surehand test flows/",
    "surehand test flows/ -n 4 --retries 1 --junit results.xml --html report",
    "surehand test 'flows/**/*.yaml' -k checkout --shard 2/5 --var site=http://127.0.0.1:8123",
    panel=DOING,
)
def run_suite(asked: SuiteRequest) -> int:
    """Run flows as tests: each in a session and a folder of its own.

    Nobody is asked anything: what needs an approval that --yes doesn't give fails.
    """
    from agent.cli.suites.testing import run_tests

    return run_tests(asked)
