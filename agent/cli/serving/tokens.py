"""`surehand service token`: the token of somebody who may use the service."""

from agent.access.token_files import TOKENS_FOLDER, make_token, read_token
from agent.cli.exits import BAD_INPUT, SUCCEEDED
from agent.cli.screen.output import write_error, write_notes, write_result
from agent.settings.settings import load_settings, locate_config_folder
from core.base.errors import ActionError, InputError, SurehandError


def print_token(name: str, *, wants_new: bool) -> int:
    """Print the token of a principal, made where they have none; return the exit code.

    Args:
        name: Of the principal, as the person's settings have it.
        wants_new: Whether the token that they have shall no longer count.
    """
    try:
        token, is_new = _find_token(name, wants_new=wants_new)
    except SurehandError as error:
        write_error(error)
        return BAD_INPUT
    write_result(f"{token}\n")
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
