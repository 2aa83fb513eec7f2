"""What both recorders are told, and how long they wait."""

import asyncio
from collections.abc import Awaitable
from pathlib import Path

from agent.cli.kept_outlines import check_folder
from core.base.errors import InputError


def check_places(workspace: Path, output: Path | None) -> None:
    """Check where a recording works and what it writes.

    Args:
        output: The flow's file; None for none.

    Raises:
        InputError: If there is no such folder, or a file would be overwritten.
    """
    if not workspace.is_dir():
        raise InputError(f'The workspace "{workspace}" is not a folder.', hint="Create it, or name another.")
    if output:
        check_folder(output)
        if output.exists():
            hint = "Choose another name; nothing is overwritten."
            raise InputError(f"{output} already exists.", code="file_exists", hint=hint)


async def wait_for_either(*ends: Awaitable[object]) -> None:
    """Return at the first of several ends: the person says so, or has closed what is recorded."""
    waits = [asyncio.ensure_future(each) for each in ends]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for each in waits:
            each.cancel()
