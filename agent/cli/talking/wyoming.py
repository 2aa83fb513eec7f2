"""`surehand wyoming`: listens until it is told to end."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from agent.cli.exits import BAD_INPUT, SUCCEEDED
from agent.cli.screen.output import write_error, write_result
from agent.cli.talking.choosing_settings import choose_settings
from agent.service.ports import Service
from core.base.errors import ActionError, InputError, SurehandError

_DRAIN_S = 6.0
_END_S = 9.5
_EXTRA = "Install Surehand with its extra: surehand[voice]."


@dataclass(frozen=True, slots=True)
class VoiceWish:
    """How to listen.

    Attributes:
        language: Tag of the language in which it is said; empty leaves it to the settings. A service that runs has its own,
            so that none is gone through where one is given.
    """

    uri: str
    workspace: Path
    headed: bool = False
    use_running: bool = True
    language: str = ""


def serve_voices(wish: VoiceWish) -> int:
    """Answer voices until it is told to end, and return the exit code."""
    try:
        if not wish.workspace.is_dir():
            raise InputError(f'The workspace "{wish.workspace}" is not a folder.', hint="Create it, or name another.")
        asyncio.run(_serve(wish))
    except SurehandError as error:
        write_error(error)
        return BAD_INPUT
    return SUCCEEDED


async def _serve(wish: VoiceWish) -> None:
    from agent.cli.serving.endings import Ending, limit_end
    from agent.cli.serving.opening import open_service

    try:
        from agent.wyoming.server import read_place, serve_wyoming
    except ModuleNotFoundError as error:
        text = f"The Wyoming protocol is not installed: {error.name}."
        raise ActionError(text, code="not_supported_here", hint=_EXTRA) from None
    place = read_place(wish.uri)
    settings = choose_settings(wish.workspace, wish.language, headed=wish.headed)
    use_running = wish.use_running and not wish.language
    service = await open_service(settings, wish.workspace, use_running=use_running)

    async def reopen() -> Service:
        nonlocal service
        await service.close(0)
        service = await open_service(settings, wish.workspace, use_running=use_running)
        return service

    ending = Ending()
    with ending.listen():
        try:
            async with serve_wyoming(service, place, reopen) as found:
                write_result(f"Surehand answers voices on {found}\nPress Ctrl+C to end it.\n")
                await ending.wait()
        finally:
            with limit_end(_END_S):
                await service.close(_DRAIN_S)
