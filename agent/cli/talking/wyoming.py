"""`surehand wyoming`: listens until it is told to end."""

import asyncio
from typing import Annotated

from agent.cli.declaring import command, make_group
from agent.cli.options import DOING, LIMITS, Option
from agent.cli.screen.output import write_lines
from agent.cli.talking.places import TalkPlace
from agent.service.ports import Service
from agent.serving.endings import Ending, limit_end
from core.base.errors import UnsupportedError

USUAL_URI = "tcp://127.0.0.1:10600"
_DRAIN_S = 6.0
_END_S = 9.5
_EXTRA = "Install Surehand with its extra: surehand[voice]."


app = make_group()


@command(
    app, "wyoming", "surehand wyoming", "surehand wyoming --uri unix:///run/user/1000/surehand-voice.sock", panel=DOING
)
def wyoming(
    place: TalkPlace,
    uri: Annotated[str, Option("--uri URI", "Listen here: tcp://127.0.0.1:PORT or unix://PATH.", LIMITS)] = USUAL_URI,
) -> None:
    """Do what voices say: an intent service for Home Assistant and others that speak the Wyoming protocol.

    Replies are made to be spoken, in English. A spoken yes approves nothing unless your settings trust it.
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
