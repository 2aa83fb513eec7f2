"""Exploration: one open-ended task under way. It looks, does what was proposed as far as that may be, and tells what came of it."""

import json
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any

from actuators.verb_table import PLANNER_RULES
from agent.planners.hands import PlannerHands, PlannerSight, find_error, raise_first
from agent.planners.recover.planner import FailedStep
from core.base.errors import ActionError, ErrorInfo, ModelError, SurehandError
from core.base.late_dataclasses import dataclass, field, replace
from core.base.phrases import cut_text, fold_text, quote_text
from core.goals.meta_goals import Goal
from core.goals.references import has_reference
from core.planning.planners.ports import Proposal, ProposedCall
from core.planning.proposed_goals import ProposalTerms, make_proposed_goals, refuse_calls
from core.results.records import to_data
from core.results.tool_results import RunResult
from core.rules.param_types import ELEMENT_TARGET, SCREEN_TARGET, SELECTOR, SELECTORS
from core.rules.rule_types import PlannerRule
from core.selectors.selectors import parse_selector, render_selector

_NAMING = frozenset(each.label for each in (SELECTOR, SELECTORS, ELEMENT_TARGET, SCREEN_TARGET))
"""Labels of the types whose values name an element."""

_MOST_TOLD = 600
"""Characters of what came of one call."""

_NOT_OPEN = "window_missing"
_WINDOW = "window"
_NOT_SEEN = "No line of an outline names {}, and it isn't there exactly once."
_NO_REFERENCES = "A value refers to the result of another step, which a proposal can't."
_LOOK_FIRST = ErrorInfo("not_reached", "Left out, since a call before it was not carried out.", "Look again.")


@dataclass(slots=True)
class Seen:
    """The lines of the looks at the page that is open.

    Attributes:
        source: Address of the page, or title of the window.
        named: How each thing is named for good, by every way to write its line; empty where only a ref names it.
    """

    source: str = ""
    named: dict[str, str] = field(default_factory=dict[str, str])

    def note(self, sight: PlannerSight) -> None:
        """Take up what was seen; of another page than before, nothing else stays known."""
        if sight.source != self.source:
            self.named.clear()
            self.source = sight.source
        for line in sight.lines:
            if line.selector:
                ways = (f"ref={line.ref}", line.selector, line.text)
                self.named.update((write_plainly(way), line.lasting) for way in ways)

    def find(self, selector: str) -> str | None:
        """Return how what a selector names is named for good; None if no line was seen that it names."""
        return self.named.get(write_plainly(selector))


def write_plainly(selector: str) -> str:
    """Return a selector as it is written without remark and variety; as it is where it is none."""
    try:
        return render_selector(parse_selector(selector.strip()))
    except SurehandError:
        return selector.strip()


def list_selectors(call: ProposedCall, rule: PlannerRule) -> Iterator[tuple[str, str]]:
    """Yield the params of an act that name elements, with their values; what only looks may name what it likes."""
    if rule.action_class == "observe":
        return
    for name, value in call.params.items():
        if name in rule.param_types and rule.param_types[name].label in _NAMING and isinstance(value, str):
            yield name, value


def replace_selectors(call: ProposedCall, lasting: Mapping[str, str]) -> dict[str, object]:
    """Return the params of a call with other selectors in place of some."""
    return {**call.params, **{name: selector for name, selector in lasting.items() if selector}}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExploreTerms:
    """What holds for an exploration.

    Attributes:
        words: What the person said: the task, and the address that it begins at.
        address: Where it begins; empty where it is done in windows.
        windows: Those that the task is done in, the main one first; none where it is done on pages.
    """

    words: tuple[str, ...]
    author: str
    terms: ProposalTerms
    address: str = ""
    max_tokens: int = 2000
    windows: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """A call that was taken up, and what came of it.

    Attributes:
        goal: What was to be done; elements are named for good where they can be.
        error: Why it was refused or failed; None where it was done.
        is_lasting: Whether it can be done again by what it says: no ref is in it.
    """

    goal: Goal
    error: ErrorInfo | None = None
    output: Mapping[str, Any] = field(default_factory=dict[str, Any])
    before: str = ""
    is_lasting: bool = True

    def describe(self) -> dict[str, Any]:
        """Return it as data; ``code`` is empty where it was done."""
        code = self.error.code if self.error else ""
        return {"name": self.goal.name, "params": to_data(self.goal.params), "code": code, "told": self.tell()}

    def keep(self) -> dict[str, Any]:
        """Return what is kept of it for a later process."""
        return to_data(replace(self, output={"text": cut_text(str(self.output.get("text", "")), _MOST_TOLD)}))

    def tell(self) -> str:
        """Return on one line what was tried and what came of it, for whoever proposes what is next."""
        said = f"{self.goal.name} {json.dumps(to_data(self.goal.params), ensure_ascii=False)}"
        if self.error:
            return cut_text(fold_text(f"{said}: {self.error.code}: {self.error}"), _MOST_TOLD)
        gave = self.output.get("text", "")
        return cut_text(fold_text(f"{said}: done{f', gave {gave!r}' if gave else ''}"), _MOST_TOLD)


async def _keep_nothing() -> None:
    """Keep nothing: in tests."""


@dataclass(slots=True)
class Exploration:
    """A task under way.

    Attributes:
        hands: Look, and open the page that the person named; on the person's terms.
        place: Address of the page, or the window, that was last seen.
        changes: What the last acts changed on their page; empty where they led to another, or nothing is known.
        idle: How many rounds in a row nothing was done.
        recover: Tries what is declared against a step that failed, and the step once more; tells whether it was done in the end.
    """

    hands: PlannerHands
    limited: PlannerHands
    terms: ExploreTerms
    seen: Seen = field(default_factory=Seen)
    sight: PlannerSight | None = None
    place: str = ""
    changes: str = ""
    deeds: list[Deed] = field(default_factory=list[Deed])
    idle: int = 0
    on_deed: Callable[[], Awaitable[None]] = _keep_nothing
    recover: Callable[[FailedStep], Awaitable[bool]] | None = None

    @property
    def done(self) -> tuple[Deed, ...]:
        """What was carried out."""
        return tuple(deed for deed in self.deeds if deed.error is None)

    def keep(self) -> dict[str, Any]:
        """Return how far it is, for a process that goes on with it."""
        kept = {"address": self.terms.address, "place": self.place, "idle": self.idle}
        return {**kept, "deeds": [deed.keep() for deed in self.deeds]}

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Go on from what an earlier process kept; the page has to be opened anew."""
        self.place, self.idle = kept["place"], kept["idle"]
        self.deeds = [_read_deed(each) for each in kept["deeds"]]

    async def open(self, goal: Goal) -> None:
        """Go to where the person said that it begins; an ActionError if it doesn't open."""
        raise_first(await self.hands.run((goal,)))
        self.deeds.append(Deed(goal=goal))

    async def look(self) -> PlannerSight:
        """Look at what is there now; an ActionError if nothing can be seen."""
        self.sight = await self._look()
        self.seen.note(self.sight)
        self.place = self.sight.source
        return self.sight

    async def look_back(self) -> None:
        """Find out what the last acts changed, and where they led."""
        changed = await self._look(since=True)
        self.changes = changed.text if changed.source == self.place else ""
        self.seen.note(changed)
        self.place = changed.source

    async def _look(self, **params: Any) -> PlannerSight:
        params["max_tokens"] = self.terms.max_tokens
        if not self.terms.windows:
            return await self.hands.look(**params)
        main, *others = self.terms.windows
        for window in reversed(others):
            try:
                return await self.hands.look(window=window, **params)
            except ActionError as error:
                if error.code != _NOT_OPEN:
                    raise
        return await self.hands.look(window=main, **params)

    async def act(self, proposal: Proposal) -> tuple[Deed, ...]:
        """Do what was proposed, call by call, until one is refused or fails; what is left then is left out. Return what came of each."""
        refusals = refuse_calls(proposal.calls, self.terms.terms)
        if refusals:
            deeds = _refuse(proposal.calls, refusals)
            self.deeds += deeds
        else:
            deeds = await self._act(proposal.calls)
        self.idle = 0 if any(deed.error is None for deed in deeds) else self.idle + 1
        return tuple(deeds)

    async def _act(self, calls: Sequence[ProposedCall]) -> list[Deed]:
        deeds: list[Deed] = []
        for index, call in enumerate(calls):
            if index:
                await self.look()
            deeds.append(await self._act_once(call))
            self.deeds.append(deeds[-1])
            await self.on_deed()
            if deeds[-1].error:
                left_out = [Deed(goal=_name(each), error=_LOOK_FIRST) for each in calls[index + 1 :]]
                self.deeds += left_out
                return [*deeds, *left_out]
        return deeds

    async def _act_once(self, call: ProposedCall) -> Deed:
        before = self.place
        try:
            call, is_lasting = await self._settle(self._place(call))
            (goal,) = make_proposed_goals((call,), self.terms.words, self.terms.author, PLANNER_RULES)
            if has_reference(goal.params):
                raise ModelError(_NO_REFERENCES, code="reference_refused")
        except ModelError as error:
            return Deed(goal=_name(call), error=error.info(), before=before)
        result = await self.limited.run((replace(goal, goal_id="g0"),))
        error = find_error(result)
        if error and result.step_logs and self.recover and await self.recover(self._describe(goal, error, result)):
            error = None
        output = result.step_logs[-1].result.output if result.step_logs else {}
        return Deed(goal=goal, error=error, output=output, before=before, is_lasting=is_lasting)

    def _describe(self, goal: Goal, error: ErrorInfo, result: RunResult) -> FailedStep:
        """Return a step that failed; a page on which anything acted counts as touched."""
        acted = (PLANNER_RULES[deed.goal.domain, deed.goal.verb] for deed in self.done if deed.before == self.place)
        touched = any(rule.action_class == "actuate" and not rule.provides_substrate for rule in acted)
        effect = result.step_logs[-1].result.effect
        return FailedStep(goal=goal, error=error, effect=effect, is_untouched=not touched)

    def _place(self, call: ProposedCall) -> ProposedCall:
        rule = PLANNER_RULES.get(_split(call))
        if not self.terms.windows or rule is None or _WINDOW not in rule.param_types:
            return call
        return replace(call, params={**call.params, _WINDOW: self.place})

    async def _settle(self, call: ProposedCall) -> tuple[ProposedCall, bool]:
        """Return a call whose elements are named as the outline names them for good, and whether all of them are."""
        rule = PLANNER_RULES.get(_split(call))
        lasting: dict[str, str] = {}
        for name, selector in list_selectors(call, rule) if rule else ():
            found = self.seen.find(selector)
            if found is None and not await self._is_there(selector):
                text = _NOT_SEEN.format(quote_text(selector))
                raise ModelError(text, code="selector_not_seen", hint="Take a line of the outline as it is.")
            lasting[name] = selector if found is None else found
        return replace(call, params=replace_selectors(call, lasting)), all(lasting.values())

    async def _is_there(self, selector: str) -> bool:
        if self.terms.windows:
            return False
        looking = Goal("browser", "expect", {"selector": selector, "count": 1, "timeout": 0}, goal_id="g0")
        return find_error(await self.hands.run((looking,))) is None


def _read_deed(kept: Mapping[str, Any]) -> Deed:
    goal, error = kept["goal"], kept["error"]
    return Deed(
        goal=Goal(goal["domain"], goal["verb"], goal["params"]),
        error=ErrorInfo(error["code"], error["message"], error["hint"]) if error else None,
        output=kept["output"],
        before=kept["before"],
        is_lasting=kept["is_lasting"],
    )


def _refuse(calls: Sequence[ProposedCall], refusals: Sequence[ErrorInfo]) -> list[Deed]:
    by_call = {error.evidence.get("call", 0): error for error in refusals}
    return [Deed(goal=_name(calls[index]), error=error) for index, error in by_call.items() if index < len(calls)]


def _name(call: ProposedCall) -> Goal:
    return Goal(*_split(call), call.params)


def _split(call: ProposedCall) -> tuple[str, str]:
    domain, _, verb = call.name.partition(".")
    return domain, verb
