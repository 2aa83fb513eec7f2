"""The browser's tools by Playwright, called as a plan calls them: with the table's defaults filled in."""

from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.verbs.back_end import make_toolsets
from actuators.verb_table import PLANNER_RULES, load_toolsets
from core.results.tool_results import ToolOutcome
from core.tools.ports import ActionContext, Toolset
from core.tools.registry import list_verbs

Call = Callable[..., Coroutine[Any, Any, ToolOutcome]]


class Hands:
    """Every verb of the browser on one session: ``await hands.click(context, selector)``."""

    def __init__(self, session: PlaywrightSession) -> None:
        """Take a session."""
        made = make_toolsets(session)
        self._tools: dict[str, Toolset] = {
            verb: made[toolset] for toolset in load_toolsets("browser") for verb in list_verbs(toolset)
        }

    def __getattr__(self, verb: str) -> Call:
        """Return a verb."""
        if verb.startswith("_") or verb not in self._tools:
            raise AttributeError(verb)
        tool: Any = getattr(self._tools[verb], verb)
        defaults = PLANNER_RULES["browser", verb].default_params

        async def call(context: ActionContext, *said: Any, **args: Any) -> ToolOutcome:
            names = tool.__code__.co_varnames[2:]  # after self and context
            given = dict(zip(names, said, strict=False)) | args
            return await tool(context, **{**defaults, **given})

        return call

    async def identify(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what a verb aims at."""
        return await self._tools[verb].identify(verb, context, args)

    async def show_snapshot(self, context: ActionContext) -> Any:
        """Return what there is to see after a failure."""
        return await self._tools["click"].show_snapshot(context)
