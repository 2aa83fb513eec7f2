"""The commands with which people talk to Surehand, by keys and by voice."""

from typing import Annotated

import typer

from agent.cli.help_pages import CommandHelp, GroupHelp
from agent.cli.options import HERE, LIMITS, SERVICE, Headed, Language, NoService, Workspace

USUAL_URI = "tcp://127.0.0.1:10600"

app = typer.Typer(cls=GroupHelp)


@app.command(
    cls=CommandHelp,
    rich_help_panel="Do something",
    epilog="surehand wyoming\nsurehand wyoming --uri unix:///run/user/1000/surehand-voice.sock",
)
def wyoming(
    uri: Annotated[
        str,
        typer.Option(
            "--uri", metavar="URI", help="Listen here: tcp://127.0.0.1:PORT or unix://PATH.", rich_help_panel=LIMITS
        ),
    ] = USUAL_URI,
    workspace: Workspace = HERE,
    headed: Headed = False,
    no_service: NoService = False,
    language: Language = "",
) -> None:
    """Do what voices say: an intent service for Home Assistant and others that speak the Wyoming protocol.

    Replies are made to be spoken, in English. A spoken yes approves nothing unless your settings trust it.
    """
    from agent.cli.talking.wyoming import VoiceWish, serve_voices

    raise typer.Exit(
        serve_voices(VoiceWish(uri, workspace, headed=headed, use_running=not no_service, language=language))
    )


@app.command(cls=CommandHelp, rich_help_panel="Do something", epilog="surehand chat\nsurehand chat --session shop")
def chat(
    session: Annotated[
        str,
        typer.Option("--session", metavar="NAME", help="Act on the pages of this session.", rich_help_panel=SERVICE),
    ] = "main",
    workspace: Workspace = HERE,
    headed: Headed = False,
    no_service: NoService = False,
    language: Language = "",
) -> None:
    """Talk with Surehand in this terminal.

    What you say may refer to what was said before. You are asked before files change or programs run.
    """
    from agent.cli.talking.chat import ChatWish
    from agent.cli.talking.chat import chat as talk

    raise typer.Exit(talk(ChatWish(workspace, session, headed=headed, use_running=not no_service, language=language)))
