"""The commands with which people talk to Surehand, by keys and by voice."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from agent.cli.asking import check_workspace, choose_settings
from agent.cli.declaring import command
from agent.cli.help_pages import GroupHelp
from agent.cli.options import DOING, HERE, LIMITS, SERVICE, Headed, Language, NoService, Option, Workspace

if TYPE_CHECKING:
    from agent.service.ports import Service
    from agent.settings.settings import Settings

USUAL_URI = "tcp://127.0.0.1:10600"

app = typer.Typer(cls=GroupHelp)


@dataclass(frozen=True, slots=True)
class TalkPlace:
    """Where people talk. A service that runs has its own language, so that none is gone through where one is given."""

    workspace: Workspace = HERE
    headed: Headed = False
    alone: NoService = False
    language: Language = ""

    def load_settings(self) -> "Settings":
        """Return the settings of the folder, but for what is said here.

        Raises:
            InputError: If there is no such folder or language, or the settings are malformed.
        """
        check_workspace(self.workspace)
        return choose_settings(self.workspace, headed=self.headed, language=self.language)

    async def open_service(self, settings: "Settings") -> "Service":
        """Return the service that is talked to."""
        from agent.cli.serving.opening import open_service

        return await open_service(settings, self.workspace, use_running=not (self.alone or self.language))


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
