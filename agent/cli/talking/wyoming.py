"""`surehand wyoming`: listens until it is told to end."""

import asyncio

from agent.cli.screen.output import write_lines
from agent.cli.serving.endings import Ending, limit_end
from agent.cli.talking.places import TalkPlace
from agent.service.ports import Service
from core.base.errors import UnsupportedError

_DRAIN_S = 6.0
_END_S = 9.5
_EXTRA = "Install Surehand with its extra: surehand[voice]."


def serve_voices(place: TalkPlace, uri: str) -> None:
    """Answer voices until it is told to end.

    Raises:
        SurehandError: If it can't listen there, or the Wyoming protocol is not installed.
    """
    asyncio.run(_serve(place, uri))


async def _serve(place: TalkPlace, uri: str) -> None:
    settings = place.load_settings()
    try:
        from agent.wyoming.server import read_place, serve_wyoming
    except ModuleNotFoundError as error:
        raise UnsupportedError(f"The Wyoming protocol is not installed: {error.name}.", hint=_EXTRA) from None
    where, service = read_place(uri), await place.open_service(settings)

    async def reopen() -> Service:
        nonlocal service
        await service.close(0)
        service = await place.open_service(settings)
        return service

    ending = Ending()
    with ending.listen():
        try:
            async with serve_wyoming(service, where, reopen) as found:
                write_lines([f"Surehand answers voices on {found}", "Press Ctrl+C to end it."])
                await ending.wait()
        finally:
            with limit_end(_END_S):
                await service.close(_DRAIN_S)
