"""What lets somebody in: `surehand service token` prints the token of a principal, `surehand console` a one-time code for the console."""

import asyncio
import sys
from pathlib import Path

from agent.access.token_files import TOKENS_FOLDER, make_token, read_token
from agent.cli.exits import SUCCEEDED
from agent.cli.screen.output import write_lines, write_notes
from agent.remote.finding import require_running
from agent.remote.http_exchange import ServiceCall, ServiceClient
from agent.settings.settings import load_settings, locate_config_folder
from core.base.errors import ActionError, InputError, SurehandError


def print_token(name: str, *, wants_new: bool) -> int:
    """Print the token of a principal, made where they have none; return the exit code."""
    token, is_new = _find_token(name, wants_new=wants_new)
    write_lines([token])
    if is_new:
        write_notes(["A service that runs knows the new token when it starts again."])
    return SUCCEEDED


def _find_token(name: str, *, wants_new: bool) -> tuple[str, bool]:
    folder = locate_config_folder()
    if name not in load_settings(folder).service.principals:
        text = f"Your settings name no principal “{name}”."
        raise InputError(text, code="unknown_principal", hint=f"Add [service.principals.{name}] to them.")
    known = "" if wants_new else read_token(folder, name)
    if known:
        return known, False
    try:
        return make_token(folder, name), True
    except OSError as error:
        text = f"The token can't be written to {folder / TOKENS_FOLDER}: {error.strerror or error}."
        raise ActionError(text, code="file_not_written", hint="Check the folder and the disk.") from None


def print_console(workspace: Path) -> int:
    """Print where the console is, with a code that lets one browser in; return the exit code."""
    service = require_running(workspace)
    told = asyncio.run(ServiceClient(service).fetch(ServiceCall(method="POST", path="/v1/console/code", body={})))
    write_lines([f"{service.address}/console/#code={told['code']}"])
    write_notes(["It lets one browser in, once, within 10 minutes."])
    return SUCCEEDED


async def show_code(workspace: Path, code: str) -> str:
    """Show a code where only the person at this machine looks, and return where: nothing where it can't be."""
    text = f"A browser wants to sign in to the console. If it is yours, its code is {code}."
    if sys.stderr.isatty():
        write_notes([text])
        return "terminal"
    from agent.assembly import locate_environment
    from agent.facts.health_parts import show_notification

    try:
        await show_notification(locate_environment(workspace), "Surehand", text, "normal")
    except SurehandError:
        return ""
    return "notification"
