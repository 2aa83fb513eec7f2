"""Expectations of a flow that are written anew, from what pages show now: texts, values and titles, and nothing else.

Only where ``--update`` is given, and only if the flow passes with them. Selectors, states, counts, addresses and texts of a whole page stay as the
author wrote them, and so does what comes from a variable or an earlier step, and every act.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from difflib import unified_diff
from typing import Any

from ruamel.yaml.error import YAMLError

from agent.reports.results import list_maps, take_map
from agent.requests.flow_mending import WrittenText, list_texts, put_text
from agent.requests.words.documents import DocumentPath
from agent.store.private_files import rewrite_file
from agent.suites.flow_files import ReadFlow, read_again
from agent.suites.trials import FlowTrial, find_log
from core.base.errors import SurehandError
from core.base.late_dataclasses import dataclass, field, replace
from core.results.redaction import MASK

MOST_CHANGES = 100
_PARAMS: Mapping[str, str] = {"the text": "text", "the value": "value", "the title": "title"}
_CUT = "…"
_HANDLE = "secret:"
_BLOCKS = ("|", ">")

Attempt = Callable[[ReadFlow], Awaitable[FlowTrial]]
"""Runs a flow once, in a fresh session."""


@dataclass(frozen=True, slots=True)
class FlowUpdate:
    """What became of the expectations of a flow.

    Attributes:
        diff: What was written, as lines of a diff; empty where nothing was.
        kept_because: Why the file stays as it is although a step failed; empty where it doesn't.
    """

    diff: tuple[str, ...] = ()
    kept_because: str = ""


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
        """Write what an expectation would have to say; a KeptError if that changes anything else."""
        if wanted.place in self.places or len(self.places) >= MOST_CHANGES:
            raise KeptError("what the page shows there changes from run to run")
        try:
            self.text = put_text(self.text, find_text(self.text, wanted.place), wanted.text)
            self.flow = read_again(self.flow, self.text)
        except SurehandError as error:
            raise KeptError(str(error)) from None
        self.places.add(wanted.place)


async def update_flow(flow: ReadFlow, attempt: Attempt) -> FlowUpdate:
    """Run a flow until it passes or fails for another reason than its expectations; write them if it passes.

    Args:
        attempt: Runs it once; the last attempt is what came of it.
    """
    try:
        return await _update_flow(flow, attempt)
    except KeptError as error:
        return FlowUpdate(kept_because=f"The file was left as it is: {error}.")


async def _update_flow(flow: ReadFlow, attempt: Attempt) -> FlowUpdate:
    path = flow.file.path
    content = await asyncio.to_thread(path.read_bytes)
    old = content.decode("utf-8")
    draft = _NewText(old, flow)
    trial = await attempt(flow)
    while trial.outcome == "failed":
        for wanted in list_wanted(draft.flow, draft.text, trial):
            draft.take(wanted)
        trial = await attempt(draft.flow)
    if trial.outcome != "passed":
        raise KeptError("the flow was not run to its end")
    if draft.text == old:
        return FlowUpdate()
    if not await asyncio.to_thread(rewrite_file, path, content, draft.text.encode("utf-8")):
        raise KeptError("the file was changed meanwhile")
    lines = unified_diff(old.splitlines(), draft.text.splitlines(), flow.file.name, flow.file.name, n=0, lineterm="")
    return FlowUpdate(diff=tuple(lines))


def list_wanted(flow: ReadFlow, text: str, trial: FlowTrial) -> list[WantedText]:
    """Return what the first expectation that failed would have to say.

    Raises:
        KeptError: If it isn't an expectation that failed, or one that may not be written anew.
    """
    log = find_log(trial.document, trial.trouble)
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
    if "${" in find_text(text, (*place, param)).value.replace("$${", ""):
        raise KeptError("it comes from a variable or an earlier step")
    shown = actual if param == "value" else " ".join(actual.split())
    return WantedText((*place, param), shown.replace("${", "$${"))


def find_text(text: str, place: DocumentPath) -> WrittenText:
    """Return a text of a file, to be put in double quotes.

    Raises:
        KeptError: If there is no text at that place, or it is written as a block of lines.
    """
    try:
        found = next((each for each in list_texts(text) if each.place == place), None)
    except YAMLError:
        raise KeptError("the file can't be read") from None
    if found is None:
        raise KeptError("it does not stand in the file as a text")
    if found.style in _BLOCKS:
        raise KeptError("it is written as a block of lines")
    return replace(found, style='"')


def _find_place(flow: ReadFlow, goal_id: str) -> DocumentPath:
    if flow.flow is not None:
        for goal, place in zip(flow.flow.goals, flow.flow.places, strict=False):
            if goal.goal_id == goal_id and goal.verb == "expect":
                return place
    raise KeptError("it does not stand in this file")
