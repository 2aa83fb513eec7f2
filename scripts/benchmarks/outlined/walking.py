"""Does a task by outlines alone: looks, picks the line that fits a step best, pastes it, and looks at what has changed."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from core.goals.meta_goals import Goal
from scripts.benchmarks.outlined.choosing import ENOUGH, Choice, holds_kind, list_words, overlap, rank_lines
from scripts.benchmarks.outlined.lines import SeenFold, read_folds, read_lines
from scripts.benchmarks.outlined.steps import Step, read_step

MOST_TRIES = 2
MOST_FOLDS = 3
MOST_HOPS = 3
LOOKS_AFTER = 4
PAUSE_S = 0.25
STEP_LIMIT_S = 6.0
_NOTHING_SAID = "…"

GoalParts = tuple[str, dict[str, Any]]


class StuckError(Exception):
    """A step can't be done; says why."""


@dataclass(slots=True)
class Walk:
    """What came of a task.

    Attributes:
        goals: What was done with success, as a flow would say it.
        tokens: Of all that was seen.
        looks: How many.
        notes: What went wrong on the way.
    """

    goals: list[GoalParts] = field(default_factory=list[GoalParts])
    tokens: int = 0
    looks: int = 0
    notes: list[str] = field(default_factory=list[str])


class Walker:
    """Sees outlines and pastes lines; knows nothing else of a page."""

    def __init__(self, session: AgentSession) -> None:
        """Act by a session."""
        self._session = session
        self.walk = Walk()
        self._seen = ""

    async def open(self, address: str) -> None:
        """Go to the page that a task begins on.

        Raises:
            StuckError: If it doesn't open.
        """
        if trouble := await self._act("navigate", {"url": address}):
            raise StuckError(trouble)
        self.walk.goals.append(("navigate", {"url": address}))

    async def do(self, said: str) -> None:
        """Do a step, over several pages if its words need them, as in “add the blue mug to the basket”.

        Args:
            said: The step.

        Raises:
            StuckError: If no line fits, or nothing comes of those that do.
        """
        step = read_step(said)
        words = list_words(f"{step.value} {step.words}" if step.kind == "choose" else step.words)
        for _ in range(MOST_HOPS):
            done = await self._do_once(said, step, words)
            words = list(done.unsaid)
            if step.kind != "press" or not words or not await self._goes_on(step, words):
                return

    async def _do_once(self, said: str, step: Step, words: Sequence[str]) -> Choice:
        choices = await self._find(step, words)
        if not choices:
            raise StuckError(f"“{said}”: no line has its words in\n{self._seen}")
        for choice in choices[:MOST_TRIES]:
            if choice.score < ENOUGH and choice is not choices[0]:
                break
            verb, params = make_goal(step, choice, choice.line.pasted)
            trouble = await self._act(verb, params)
            if not trouble and await self._has_changed():
                self.walk.goals.append((verb, params | {"selector": choice.line.selector}))
                return choice
            self.walk.notes.append(f"“{said}”: {choice.line.pasted}: {trouble or 'nothing came of it'}")
        raise StuckError(self.walk.notes[-1])

    async def _find(self, step: Step, words: Sequence[str]) -> list[Choice]:
        text = await self._look()
        choices = rank_lines(read_lines(text), step, words)
        if _is_good(choices):
            return choices
        for params in self._list_other_looks(text, words):
            more = rank_lines(read_lines(await self._look(**params)), step, words)
            if _is_better(more, choices):
                choices = more
            if _is_good(choices):
                return choices
        return await self._uncover(text, step, words, choices)

    async def _uncover(self, text: str, step: Step, words: Sequence[str], found: list[Choice]) -> list[Choice]:
        """Bring the hidden part into sight that fits the words best, or else one that has things of a kind that the step needs."""
        hidden = _sort_folds((fold for fold in read_folds(text) if fold.opener), words)
        for fold in [each for each in hidden if overlap(words, each.said) or holds_kind(step, each.said)][:1]:
            opener = {"selector": fold.opener}
            if not await self._act("click", opener) and await self._has_changed():
                self.walk.goals.append(("click", opener))
                return rank_lines(read_lines(await self._look()), step, words) or found
        return found

    def _list_other_looks(self, text: str, words: Sequence[str]) -> Iterator[dict[str, Any]]:
        yield {"find": " ".join(words)}
        for fold in _sort_folds((fold for fold in read_folds(text) if fold.scope), words)[:MOST_FOLDS]:
            yield {"scope": fold.scope}

    async def _goes_on(self, step: Step, words: Sequence[str]) -> bool:
        """Return whether the words that were not said yet are those of a line that is there now."""
        lines = read_lines(await self._look())
        return any(overlap(words, each.line.name) == 1 for each in rank_lines(lines, step, words)[:MOST_TRIES])

    async def _has_changed(self) -> bool:
        for _ in range(LOOKS_AFTER):
            seen = (await self._look(since=True)).strip()
            if seen and not (seen.startswith(_NOTHING_SAID) and "\n" not in seen):
                return True
            await asyncio.sleep(PAUSE_S)
        return False

    async def _look(self, **params: Any) -> str:
        result = await self._session.run(Request(goals=(Goal("browser", "snapshot", params),)))
        if result.outcome != "success":
            raise StuckError(f"a look {params} fails: {result.reply}")
        output = result.step_logs[-1].result.output
        self.walk.tokens += output["tokens"]
        self.walk.looks += 1
        self._seen = output["text"]
        return self._seen

    async def _act(self, verb: str, params: dict[str, Any]) -> str:
        """Do it; return what went wrong, or nothing."""
        result = await self._session.run(Request(goals=(Goal("browser", verb, params),)))
        if result.outcome == "success":
            return ""
        errors = [log.result.error for log in result.step_logs if log.result.error]
        return errors[0].message if errors else result.reply


def make_goal(step: Step, choice: Choice, selector: str) -> GoalParts:
    """Return the verb and params that do a step with a line.

    Args:
        step: The step.
        choice: The line.
        selector: What to call it.
    """
    kind, aim = choice.line.kind, {"selector": selector}
    makers: dict[str, Callable[[], GoalParts]] = {
        "fill": lambda: ("type", aim | {"text": step.value} | ({"submit": True} if step.submits else {})),
        "set": lambda: ("set", aim | {"value": step.value}),
        "tick": lambda: ("check", aim),
        "clear": lambda: ("check", aim | {"checked": False}),
        "press": lambda: ("click", aim),
        "choose": lambda: _choose(kind, choice.line.facts, aim, step.value),
    }
    return makers[step.kind]()


def _choose(kind: str, facts: str, aim: dict[str, Any], value: str) -> GoalParts:
    if kind in {"radio", "checkbox", "switch"}:
        return ("check", aim)
    if kind in {"field", "combobox", "listbox"}:
        return ("select", aim | {"value": value}) if "choose" in facts else ("set", aim | {"value": value})
    return ("click", aim)


def _sort_folds(folds: Iterator[SeenFold], words: Sequence[str]) -> list[SeenFold]:
    return sorted(folds, key=lambda fold: -overlap(words, fold.said))


def _is_good(choices: Sequence[Choice]) -> bool:
    return bool(choices) and choices[0].score >= ENOUGH


def _is_better(some: Sequence[Choice], others: Sequence[Choice]) -> bool:
    return bool(some) and (not others or some[0].score > others[0].score)
