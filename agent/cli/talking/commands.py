"""The commands with which people talk to Surehand, by keys and by voice."""

from typing import Annotated

import typer

from agent.cli.declaring import command
from agent.cli.help_pages import GroupHelp
from agent.cli.options import DOING, LIMITS, SERVICE, Option
from agent.cli.talking.places import TalkPlace

USUAL_URI = "tcp://127.0.0.1:10600"

app = typer.Typer(cls=GroupHelp)


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
    from agent.cli.talking.wyoming import serve_voices

    serve_voices(place, uri)


@command(app, "chat", "surehand chat", "surehand chat --session shop", panel=DOING)
def chat(
    place: TalkPlace,
    session: Annotated[str, Option("--session NAME", "Act on the pages of this session.", SERVICE)] = "main",
) -> None:
    """Talk with Surehand in this terminal.

    What you say may refer to what was said before. You are asked before files change or programs run.
    """
    from agent.cli.talking.chat import open_chat

    open_chat(place, session)
