"""Expectations of a flow that are written anew, from what pages show now: texts, values and titles, and nothing else.

Only where ``--update`` is given, and only if the flow passes with them. Selectors, states, counts, addresses and texts of a whole page stay as the
author wrote them, and so does what comes from a variable or an earlier step, and every act.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from difflib import unified_diff
from pathlib import Path
from typing import Any

from agent.cli.suites.endings import FlowTrial, FlowUpdate
from agent.cli.suites.reading import ReadFlow, read_again
from agent.cli.suites.scalars import ScalarError, find_scalar, replace_scalar
from agent.reports.results import list_maps, take_map
from agent.requests.words.documents import DocumentPath
from core.base.errors import SurehandError
from core.results.redaction import MASK

MOST_CHANGES = 100
_PARAMS: Mapping[str, str] = {"the text": "text", "the value": "value", "the title": "title"}
_CUT = "…"
_HANDLE = "secret:"

Attempt = Callable[[ReadFlow], Awaitable[FlowTrial]]
"""Runs a flow once, in a fresh session."""


@dataclass(frozen=True, slots=True)
class WantedText:
    """What an expectation would have to say."""

    place: DocumentPath
    text: str


class KeptError(Exception):
    """An expectation may not be written anew; says why."""


@dataclass(slots=True)
class _NewText:
    """The text of a flow file, as it would be."""

    text: str
    flow: ReadFlow
    places: set[DocumentPath] = field(default_factory=set[DocumentPath])

    def take(self, wanted: WantedText) -> None:
        """Write what an expectation would have to say.

        Raises:
            KeptError: If that can't be done without a change of anything else.
        """
        if wanted.place in self.places or len(self.places) >= MOST_CHANGES:
            raise KeptError("what the page shows there changes from run to run")
        try:
            self.text = replace_scalar(self.text, wanted.place, wanted.text)
            self.flow = read_again(self.flow, self.text)
        except (ScalarError, SurehandError) as error:
            raise KeptError(str(error)) from None
        self.places.add(wanted.place)


async def update_flow(flow: ReadFlow, attempt: Attempt) -> FlowUpdate:
    """Run a flow until it passes or fails for another reason than its expectations; write them if it passes.

    Args:
        attempt: Runs it once; the last attempt is what came of it.
    """
    path = flow.file.path
    old = await asyncio.to_thread(_read_text, path)
    draft = _NewText(old, flow)
    trial = await attempt(flow)
    while trial.outcome == "failed":
        try:
            for wanted in list_wanted(draft.flow, draft.text, trial):
                draft.take(wanted)
        except KeptError as error:
            return FlowUpdate(kept_because=_tell_kept(str(error)))
        trial = await attempt(draft.flow)
    if trial.outcome != "passed" or draft.text == old:
        return FlowUpdate(
            kept_because="" if trial.outcome == "passed" else _tell_kept("the flow was not run to its end")
        )
    if await asyncio.to_thread(_read_text, path) != old:
        return FlowUpdate(kept_because=_tell_kept("the file was changed meanwhile"))
    await asyncio.to_thread(_write_text, path, draft.text)
    lines = unified_diff(old.splitlines(), draft.text.splitlines(), flow.file.name, flow.file.name, n=0, lineterm="")
    return FlowUpdate(diff=tuple(lines))


def list_wanted(flow: ReadFlow, text: str, trial: FlowTrial) -> list[WantedText]:
    """Return what the first expectation that failed would have to say.

    Raises:
        KeptError: If it isn't an expectation that failed, or one that may not be written anew.
    """
    step = next((each for each in trial.steps if each.is_trouble), None)
    log = next(
        (
            each
            for each in list_maps(trial.document.get("step_logs"))
            if step and each.get("action_id") == step.action_id
        ),
        {},
    )
    error = take_map(take_map(log, "result"), "error")
    if error.get("code") != "expectation_failed":
        raise KeptError("what failed is not an expectation")
    place = _find_place(flow, str(log.get("goal_id", "")))
    differences = list(list_maps(take_map(error, "evidence").get("differences")))
    if not differences:
        raise KeptError("only expectations of pages can be")
    return [_read_wanted(place, text, each) for each in differences]


def _read_wanted(place: DocumentPath, text: str, difference: Mapping[str, Any]) -> WantedText:
    what, actual = str(difference.get("what", "")), difference.get("actual")
    param = _PARAMS.get(what)
    if param is None:
        raise KeptError(f"{what or 'that'} is not among what is updated: texts, values and titles")
    if not isinstance(actual, str) or not actual.strip():
        raise KeptError("the page shows nothing there, and an empty expectation would hold always")
    if actual.endswith(_CUT) or MASK in actual or actual.startswith(_HANDLE):
        raise KeptError("what the page shows there is too long, or secret")
    try:
        written = find_scalar(text, (*place, param))
    except ScalarError as fault:
        raise KeptError(str(fault)) from None
    if "${" in written.replace("$${", ""):
        raise KeptError("it comes from a variable or an earlier step")
    shown = actual if param == "value" else " ".join(actual.split())
    return WantedText((*place, param), shown.replace("${", "$${"))


def _find_place(flow: ReadFlow, goal_id: str) -> DocumentPath:
    if flow.flow is not None:
        for goal, place in zip(flow.flow.goals, flow.flow.places, strict=False):
            if goal.goal_id == goal_id and goal.verb == "expect":
                return place
    raise KeptError("it does not stand in this file")


def _tell_kept(why: str) -> str:
    return f"The file was left as it is: {why}."


def _read_text(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def _write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all; links stay links."""
    target = path.resolve()
    new = target.with_name(f".{target.name}.surehand-new")
    new.write_bytes(text.encode("utf-8"))
    new.chmod(target.stat().st_mode & 0o7777)
    new.replace(target)
