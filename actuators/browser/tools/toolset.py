"""What all browser tools have in common: what an act aims at, and what there is to see when it failed."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any, Generic, TypeVar

from actuators.browser.ports.pages import Done, PagePort
from actuators.browser.ports.screens import PageAttendance
from core.planner_rules import VERB_ROWS
from core.results.failure_snapshots import FailureSnapshot
from core.results.tool_results import Effect, ToolOutcome
from core.rules.param_types import URL
from core.rules.signatures import read_type
from core.tools.ports import ActionContext, Toolset
from core.tools.registry import read_toolset

CLICK_UNDO = "A click can't be undone; what it caused may be."
_ASKING = frozenset({"confirm", "prompt"})


def tell(done: Done, undo: str) -> ToolOutcome:
    """Return the outcome of an act.

    Questions of the page that were answered no because nothing in the plan answers them weaken it: what the act did may have
    depended on the answer, so that nothing is confirmed by it any more.
    """
    evidence: dict[str, Any] = {**done.facts, **done.meanwhile}
    effect = judge(is_sure=done.is_sure)
    if questions := [each["message"] for each in done.dismissed if each["kind"] in _ASKING]:
        asked = "”, “".join(questions)
        evidence["note"] = f"The page asked “{asked}”, and was answered no, since nothing in the plan answers it."
        effect = "unverified"
    return ToolOutcome(done.output, effect, evidence, undo)


def judge(*, is_sure: bool) -> Effect:
    """Return the effect of an act: confirmed only if what was read back proves it."""
    return "confirmed" if is_sure else "unverified"


P = TypeVar("P", bound=PagePort)
"""What a toolset needs of a back end."""

DOMAIN = "browser"
# What is entered with these counts on many pages only once a button sends it.
_ENTERING = frozenset({"type", "select", "check", "set", "fill", "upload", "drag", "draw", "arrange"})
_ELEMENT_PARAMS = (("selector", ""), ("target", "onto_"))


def opens_address(toolset: type[Toolset], verb: str, args: Mapping[str, Any]) -> bool:
    """Tell whether a verb goes to an address of its own, so that it doesn't matter which page is open."""
    tool = next(each for each in read_toolset(toolset) if each.verb == verb)
    return bool(args.get("url")) and read_type("url", tool.hints["url"]) is URL


class BrowserToolset(Toolset, Generic[P]):
    """What all browser tools have in common; who puts them together sets who keeps steps off a person's pages."""

    attendance: PageAttendance | None = None
    domain = DOMAIN
    intent = "browser_control"
    capability = "browser"

    def __init__(self, port: P) -> None:
        self._port = port

    async def identify(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Say which page is acted on, and which elements of it; of what only looks, the page alone."""
        if opens_address(type(self), verb, args):
            return {}
        facts = self._describe_page(context)
        if VERB_ROWS[DOMAIN, verb].action_class == "observe":
            return facts
        for param, prefix in _ELEMENT_PARAMS:
            if isinstance(selector := args.get(param), str):
                found = await self._port.describe_elements(context, selector)
                facts |= {f"{prefix}{name}": value for name, value in found.items()}
        return facts

    def attend(self, verb: str, context: ActionContext) -> AbstractAsyncContextManager[dict[str, Any]]:
        """Wait until no person has the pages and one is open, and note what they did."""
        if self.attendance is None:
            notes: dict[str, Any] = {}
            return nullcontext(notes)
        rule = VERB_ROWS[DOMAIN, verb]
        goes_on = any(follower.partition(".")[0] == DOMAIN for follower in context.followers)
        return self.attendance.attend(
            context,
            acts=rule.action_class == "actuate",
            opens="page" in rule.session_bootstraps,
            enters=verb in _ENTERING and not goes_on,
        )

    async def show_snapshot(self, context: ActionContext) -> FailureSnapshot | None:
        """Return what there is to see of the lane's page; None where it has none."""
        return await self._port.show_snapshot(context)

    def _describe_page(self, context: ActionContext) -> dict[str, Any]:
        address = self._port.find_address(context)
        return {} if address is None else {"address": address}
