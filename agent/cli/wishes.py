"""What is asked of commands, apart from the commands: what carries them out is loaded late, and knows these."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from agent.cli.options import HERE, LASTING, OUTPUT, AsJson, Headed, Option, Workspace
from agent.offers.tool_formats import TOOL_FORMATS

if TYPE_CHECKING:
    from agent.service.ports import Service

Domain = Annotated[str, Option("DOMAIN", "Show only the verbs of this domain.")]


@dataclass(frozen=True, slots=True)
class ToolWish:
    """Which tools are printed, and how."""

    domain: Domain = ""
    form: Annotated[
        str, Option("--format FORMAT", f"Write them as a model takes them: {', '.join(TOOL_FORMATS)}.", OUTPUT)
    ] = ""
    door: Annotated[bool, Option("--door", "The tools of surehand mcp, in place of one for each verb.", OUTPUT)] = False
    as_json: AsJson = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeWish:
    """How to serve.

    Attributes:
        port: On which it answers HTTP; 0 for one that the system chooses.
        idle_s: Seconds without anything to do after which it ends; None for never.
        private: Whether it is for the process alone that started it, and ends with that.
        attend: What this process does with the service itself, in the foreground; the service ends with it. Stdout is its alone then.
    """

    workspace: Workspace = HERE
    port: Annotated[
        int, Option("--port PORT", "Answer HTTP on this port of 127.0.0.1; 0 takes a free one.", least=0, most=65535)
    ] = 8137
    headed: Headed = False
    idle_s: Annotated[
        float | None,
        Option("--idle-end SECONDS", "End when there was nothing to do for so long.", LASTING, least=0.1),
    ] = None
    private: Annotated[
        bool,
        Option("--private", "Serve the program that starts it and nobody else; end when its input is closed.", LASTING),
    ] = False
    as_json: AsJson = False
    attend: "Callable[[Service], Awaitable[None]] | None" = None


@dataclass(frozen=True, slots=True, kw_only=True)
class McpWish:
    """How to serve an assistant."""

    workspace: Workspace = HERE
    session: Annotated[
        str,
        Option("--session NAME", "Act in this session; where absent, in one that ends with the assistant."),
    ] = ""
    headed: Headed = False
