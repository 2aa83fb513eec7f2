"""ExplorePlanner: an open-ended task, round by round: look, propose, act, until it is done or out of budget.

What it leaves is a flow that does the same again without whoever proposed it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar
from urllib.parse import urlsplit

from actuators.verb_table import PLANNER_RULES
from agent.models.proposing import make_proposal_schema, read_proposal
from agent.planners.explore.exploring import Deed, Exploration, ExploreTerms
from agent.planners.explore.metadata import (
    ACT_STEP,
    EXPLORE,
    JUDGE,
    JUDGE_STEP,
    LOOK_STEP,
    OPEN_STEP,
    PROPOSE,
    ROUND,
    make_round,
)
from agent.planners.hands import PlannerHands, raise_first
from agent.planners.recall import gather_background
from agent.planners.recover.planner import FailedStep, RecoverPlanner, load_remedies
from agent.requests.flow_writing import WrittenStep, write_flow
from agent.tool_schemas import offer_verbs
from core.addresses.urls import judge_address
from core.base.errors import ActionError, GoalError, ModelError, SurehandError
from core.base.phrases import cut_text
from core.goals.meta_goals import Goal
from core.planning.planners.base import PlannerBase
from core.planning.planners.context import DONE_BEFORE, PlannerContext
from core.planning.planners.lifecycle.running import run_planner
from core.planning.planners.metadata import PlannerMetadata
from core.planning.planners.ports import ModelData, ModelQuestion, Proposal
from core.planning.planners.results import PlannerResult
from core.planning.planners.steps import PlannerStepInstance, StepRecord, draft_step
from core.planning.proposed_goals import ProposalTerms
from core.policy.policy import Policy

_NUMBERS = re.compile(r"[0-9]+")
_STARS = re.compile(r"[*]+")
_LOOK = "snapshot"
_MOST_NAME = 80
_HANDLES = re.compile(r"\bsecret:([A-Za-z][A-Za-z0-9_]{0,99})")
_MOST_IDLE = 3
"""Rounds in a row in which nothing was done, after which it is given up."""
_MOST_REMEMBERED = 12
"""Of what was tried, the last so many are told to whoever proposes."""

_VERDICT = {
    "type": "object",
    "properties": {"is_done": {"type": "boolean"}, "missing": {"type": "string", "maxLength": 500}},
    "required": ["is_done", "missing"],
    "additionalProperties": False,
}


class ExplorePlanner(PlannerBase):
    """Explores one task; each run takes a planner of its own."""

    metadata: ClassVar[PlannerMetadata] = EXPLORE

    def __init__(self, hands: PlannerHands, tools: Sequence[Mapping[str, Any]]) -> None:
        self._hands = hands
        self._tools = tools
        self._exploration: Exploration | None = None
        self._policy = Policy()
        self._missing = self._done_before = ""
        self._round = 0

    async def validate(self, context: PlannerContext) -> None:
        """Check that somebody may be asked, and that the address is one."""
        if context.model is None:
            raise ModelError(
                "No model is set, so nobody proposes anything.", code="no_model", hint="Name one with --model."
            )
        if context.parameters["rounds"] < 1:
            raise GoalError("An exploration needs at least one round.", code="bad_parameters")
        if context.parameters["url"]:
            judge_address(context.parameters["url"])
            if context.parameters["windows"]:
                text = "An exploration is done on pages or in windows, not in both."
                raise GoalError(text, code="bad_parameters", hint="Name an address or windows.")

    async def draft(self, context: PlannerContext) -> Sequence[PlannerStepInstance]:
        """Return the first round, or the one behind those that an earlier process kept."""
        kept, parameters = context.parts.checkpoint, context.parameters
        number = min(int(kept.get(ROUND, 0)) + 1, parameters["rounds"])
        if parameters["windows"] or not (parameters["url"] or kept):
            return make_round(number, "")
        opening = draft_step(OPEN_STEP)
        return (opening, *make_round(number, opening.instance_id))

    async def execute_step(self, context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        """Carry a step of a round out."""
        self._round = int(step.values.get(ROUND, 0))
        carry_out = {
            "open": self._open,
            "look": self._look,
            "propose": self._propose,
            "act": self._act,
            "judge": self._judge,
        }
        return await carry_out[step.step.descriptor.step_id](context)

    async def after_step(
        self, context: PlannerContext, step: PlannerStepInstance, record: StepRecord
    ) -> Sequence[PlannerStepInstance]:
        """Return the next round, as long as there is more to do."""
        if step.step.descriptor is not ACT_STEP or record.status != "done":
            return ()
        number = int(step.values[ROUND])
        await self._keep(context, number)
        if context.values["proposal"].is_done or number >= context.parameters["rounds"]:
            return ()
        return make_round(number + 1, step.instance_id)

    async def critique(self, context: PlannerContext, result: PlannerResult) -> Sequence[PlannerStepInstance]:
        """Return a look and a judgement, and another round where something is missing."""
        del context
        rounds = sum(record.step_id == ACT_STEP.step_id for record in result.completed)
        looking = draft_step(LOOK_STEP, f"look-again-{rounds}")
        judging = draft_step(JUDGE_STEP, f"judge-{rounds}", looking.instance_id)
        return (looking, judging, *make_round(rounds + 1, judging.instance_id, lambda values: not values["missing"]))

    async def finalise(self, context: PlannerContext, result: PlannerResult) -> PlannerResult:
        """Return the result with what was done, and a flow that does it again."""
        proposal: Proposal | None = context.values.get("proposal")
        exploration = self._exploration
        if exploration is None or proposal is None:
            return result
        result = result.with_artifact("reply", proposal.rationale)
        result = result.with_artifact("deeds", tuple(deed.describe() for deed in exploration.deeds))
        metrics = {**result.metrics, "acts": len(exploration.done), "tried": len(exploration.deeds)}
        result = replace(result, metrics=metrics)
        if result.outcome == "success" and (fault := _find_fault(proposal, exploration)):
            return replace(result, outcome="partial", diagnostics=(*result.diagnostics, fault))
        return self._offer_flow(context, result, exploration.done) if result.outcome == "success" else result

    def _offer_flow(self, context: PlannerContext, result: PlannerResult, done: Sequence[Deed]) -> PlannerResult:
        author, ending = _find_author(context), self._require().place
        try:
            flow = write_leftover(context.parameters["task"], author, ending, done, self._policy)
        except SurehandError as error:
            return replace(result, diagnostics=(*result.diagnostics, f"No flow is offered. {error}"))
        return result.with_artifact("flow", flow)

    async def _open(self, context: PlannerContext) -> Mapping[str, Any]:
        kept, url = context.parts.checkpoint, context.parameters["url"]
        exploration = self._begin(context, kept.get("address", url))
        if not kept:
            await exploration.open(Goal("browser", "navigate", {"url": url}, goal_id="g0"))
        else:  # where the model had got to: within its hosts, whatever it may propose
            within = self._hands.narrow(replace(self._policy, verbs=None), ())
            raise_first(await within.run((Goal("browser", "navigate", {"url": kept["place"]}, goal_id="g0"),)))
        return {}

    async def _look(self, context: PlannerContext) -> Mapping[str, Any]:
        if self._exploration is None:
            address = "" if context.parameters["windows"] else (await self._hands.look()).source
            self._begin(context, address)
        exploration = self._require()
        sight = await exploration.look()
        context.note("data", sight.text, is_tainted=True)
        return {"sight": sight.text}

    async def _propose(self, context: PlannerContext) -> Mapping[str, Any]:
        exploration, task, settings = self._require(), context.parameters["task"], context.settings
        tools = offer_verbs(self._tools, exploration.terms.terms.verbs)
        question = ModelQuestion(
            kind="propose",
            instructions=context.render(PROPOSE, task=task, max_calls=settings["max_calls"]),
            schema=make_proposal_schema(tools, settings["max_calls"]),
            scope=context.scope,
            data=(*await gather_background(context, self._hands, task), *self._list_seen(exploration)),
            max_tokens=settings["answer_tokens"],
            timeout_s=settings["answer_s"],
        )
        proposal = read_proposal((await context.ask(question)).value)
        context.note("answer", proposal.rationale, is_tainted=True)
        return {"proposal": proposal}

    async def _act(self, context: PlannerContext) -> Mapping[str, Any]:
        exploration, proposal = self._require(), context.values["proposal"]
        exploration.recover = partial(self._recover, context) if context.settings["recover"] else None
        exploration.on_deed = partial(self._keep, context, self._round - 1)
        deeds = await exploration.act(proposal) if proposal.calls or not proposal.is_done else ()
        told = tuple(deed.tell() for deed in deeds)
        for line in told:
            context.note("action", line, is_tainted=True)
        if exploration.idle >= _MOST_IDLE:
            text = f"Nothing could be done in {_MOST_IDLE} rounds in a row."
            last = told[-1] if told else "Nothing was proposed."
            raise ActionError(text, code="no_progress", hint="Say the task differently.", evidence={"last": last})
        if deeds:
            await exploration.look_back()
        return {"deeds": told}

    async def _keep(self, context: PlannerContext, rounds: int) -> None:
        await context.keep_checkpoint({ROUND: rounds, **self._require().keep()})

    async def _recover(self, context: PlannerContext, failed: FailedStep) -> bool:
        if not load_remedies().find(failed.error, is_untouched=failed.is_untouched) or failed.effect != "none":
            return False
        recovery = RecoverPlanner(self._hands, failed, self._require().limited)
        result = await run_planner(recovery, {}, replace(context.parts, scope=context.scope, settings={}))
        told = result.artifacts.get("remedy", "nothing that is declared helped")
        context.note("note", f"{failed.goal.name}: {failed.error.code}: {told}")
        return result.outcome == "success"

    async def _judge(self, context: PlannerContext) -> Mapping[str, Any]:
        exploration = self._require()
        question = ModelQuestion(
            kind="critique",
            instructions=context.render(JUDGE, task=context.parameters["task"]),
            schema=_VERDICT,
            scope=context.scope,
            data=tuple(self._list_seen(exploration)),
        )
        answer = await context.ask(question)
        self._missing = "" if answer.value["is_done"] else str(answer.value["missing"])
        context.note("critique", self._missing or "The task is done.", is_tainted=True)
        return {"is_done": not self._missing, "missing": self._missing}

    def _begin(self, context: PlannerContext, address: str) -> Exploration:
        windows = tuple(context.parameters["windows"])
        words = (context.parameters["task"], context.parameters["url"], *windows)
        secrets = tuple(dict.fromkeys(_HANDLES.findall(context.parameters["task"])))
        verbs = context.settings["window_verbs" if windows else "verbs"]
        terms = ProposalTerms(verbs=tuple(verbs), secrets=secrets, max_calls=context.settings["max_calls"])
        self._policy = Policy(verbs=terms.verbs, windows=windows or None)
        if not windows:
            hosts = tuple(context.parameters["hosts"]) or (judge_address(address).host,)
            self._policy = replace(self._policy, hosts=hosts)
        explore = ExploreTerms(
            words=words,
            author=_find_author(context),
            terms=terms,
            address=address,
            max_tokens=context.settings["max_tokens"],
            windows=windows,
        )
        self._exploration = Exploration(self._hands, self._hands.narrow(self._policy, secrets), explore)
        if context.parts.checkpoint:
            self._exploration.restore(context.parts.checkpoint)
            self._done_before = "\n".join(context.parts.checkpoint.get(DONE_BEFORE, ()))
        return self._exploration

    def _require(self) -> Exploration:
        if self._exploration is None:
            raise GoalError("Nothing was looked at yet.", code="bad_goal")
        return self._exploration

    def _list_seen(self, exploration: Exploration) -> Sequence[ModelData]:
        """Return what whoever proposes is shown: data, whatever it says."""
        tried = exploration.deeds[-_MOST_REMEMBERED:]
        shown = [
            ("outline", exploration.sight.text if exploration.sight else ""),
            ("changed by the last calls", exploration.changes),
            ("tried so far", "\n".join(deed.tell() for deed in tried)),
            ("done before this was cut short", self._done_before),
            ("missing", self._missing),
        ]
        return [ModelData(label=label, text=text, source=exploration.place) for label, text in shown if text]


def _find_fault(proposal: Proposal, exploration: Exploration) -> str:
    if not proposal.is_done:
        return "The task was not said to be done when the rounds were used up."
    last = exploration.deeds[-1] if exploration.deeds else None
    return f"What was tried last was not done: {last.tell()}" if last and last.error else ""


def _find_author(context: PlannerContext) -> str:
    """Return the name of who proposes; never empty, since nobody vouches for what they propose."""
    return (context.model.name if context.model else "") or "unknown"


def write_leftover(task: str, author: str, ending: str, deeds: Sequence[Deed], policy: Policy) -> str:
    """Return a flow that repeats what was done, with the addresses that it led to as expectations.

    Args:
        author: Who proposed it.
        ending: Address of the page at the end.
        policy: What it might touch; the flow may use no verbs but those that it does.

    Raises:
        GoalError: ``flow_not_writable`` if something was done to what nothing names for good, or nothing was done at all.
    """
    kept = [deed for deed in deeds if deed.goal.verb != _LOOK]
    if not kept:
        raise GoalError("Nothing was done that a flow could repeat.", code="flow_not_writable")
    if lost := [index for index, deed in enumerate(kept, 1) if not deed.is_lasting]:
        text = f"Step {lost[0]} acts on an element that only this look can name, so no flow can repeat it."
        raise GoalError(text, code="flow_not_writable", hint="Give the element a name or a testid on its page.")
    steps = list(_list_steps(kept, ending))
    verbs = [name for step in steps for name in (step.goal.name, f"{step.goal.domain}.expect" if step.expect else "")]
    limits = replace(policy, verbs=tuple(dict.fromkeys(filter(None, verbs))))
    remarks = (
        f"Found by {author} for “{task}”.",
        "Read it before you run it: from then on every value in it is yours.",
    )
    return write_flow(cut_text(task, _MOST_NAME), steps, limits, remarks)


def _list_steps(deeds: Sequence[Deed], ending: str) -> Iterator[WrittenStep]:
    addresses = [*(deed.before for deed in deeds[1:]), ending]
    for deed, after in zip(deeds, addresses, strict=True):
        yield WrittenStep(goal=deed.goal, expect=_expect(deed, after))


def _expect(deed: Deed, after: str) -> dict[str, str]:
    """Return what is expected after a step: the address that an act led to, without what differs from run to run."""
    rule = PLANNER_RULES[deed.goal.domain, deed.goal.verb]
    is_page = bool(urlsplit(after).netloc)
    if rule.action_class == "observe" or rule.provides_substrate or not is_page or after == deed.before:
        return {}
    path, before = urlsplit(after).path, urlsplit(deed.before).path
    return {} if path == before else {"url": _STARS.sub("*", f"*{_NUMBERS.sub('*', path)}*")}
