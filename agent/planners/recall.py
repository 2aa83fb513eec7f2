"""WorkspaceRecall: what a person stored in memory and what their kept runs were, for planners whose settings ask for it."""

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from rapidfuzz import fuzz, utils

from agent.planners.hands import PlannerHands
from agent.store.context_file import ContextFile
from agent.store.session_files import SessionFiles
from core.base.errors import SurehandError
from core.goals.meta_goals import Goal
from core.planning.planners.context import PlannerContext
from core.planning.planners.ports import ModelData, Passage

_SUMMARIZE = Goal("project", "summarize", goal_id="g0")


async def gather_background(context: PlannerContext, hands: PlannerHands, query: str) -> list[ModelData]:
    """Return as much of it as settings say; the project as its tool says it, which takes secrets out and keeps to the policy."""
    told: list[ModelData] = []
    if context.settings["project"]:
        logs = (await hands.run((_SUMMARIZE,))).step_logs
        told = [
            ModelData(
                label="project", text=str(log.result.output["text"]), source=str(log.result.evidence.get("path", ""))
            )
            for log in logs[-1:]
            if log.result.status == "ok"
        ]
    found = await context.recall(query)
    return told + [
        ModelData(label="memory", text=each.text, source=each.source, is_tainted=each.is_tainted) for each in found
    ]


_LEAST_SCORE: Final = 0.5
_MOST_RUNS: Final = 100


class WorkspaceRecall:
    """A ``Retrieval`` over a folder; of runs it knows what was asked and how they ended, and nothing that they read."""

    def __init__(self, state: Path) -> None:
        self._context = ContextFile(state)
        self._runs = SessionFiles(state)

    async def find(self, query: str, limit: int = 5) -> Sequence[Passage]:
        """Return what fits a query best, the best first; nothing where what is kept can't be read."""
        found: list[Passage] = []
        with suppress(SurehandError, OSError):
            found += await self._list_preferences()
        with suppress(SurehandError, OSError):
            found += await asyncio.to_thread(self._list_runs)
        return rank_passages(found, query, limit)

    async def close(self) -> None:
        """Let go of files; calling it again does nothing."""
        await self._context.close()

    async def _list_preferences(self) -> list[Passage]:
        memory = await self._context.read()
        return [
            Passage(text=f"{each.key}: {each.value}", source="memory", is_tainted=bool(each.origins))
            for each in memory.preferences
        ]

    def _list_runs(self) -> list[Passage]:
        runs = [each for each in self._runs.list_runs()[:_MOST_RUNS] if not (each.is_foreign or each.fault)]
        asked = ((each, each.document.get("request", {}).get("utterance", "")) for each in runs)
        return [
            Passage(
                text=f"Asked before: {text} ({each.document.get('outcome', 'unknown')})", source=f"run {each.run_id}"
            )
            for each, text in asked
            if text
        ]


def rank_passages(passages: Iterable[Passage], query: str, limit: int) -> Sequence[Passage]:
    """Return the passages that fit a query, word by word however they are ordered, the best first."""
    scored = [replace(each, score=_score(query, each.text)) for each in passages]
    found = sorted((each for each in scored if each.score >= _LEAST_SCORE), key=lambda each: -each.score)
    return tuple(found[:limit])


def _score(query: str, text: str) -> float:
    return fuzz.token_set_ratio(query, text, processor=utils.default_process) / 100
