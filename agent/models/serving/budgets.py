"""Budgets of models: tokens and dollars of a run and of a day; what a question may cost is put aside before it is asked."""

import asyncio
import json
import math
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from agent.models.failures import fail_budget
from agent.models.guarding import ModelLayer
from agent.models.serving.keeping import name_principal
from agent.settings.model_settings import ModelSetting
from agent.store.private_files import make_private_folder, write_whole
from core.base.late_dataclasses import dataclass, field, replace
from core.planning.planners.ports import Model, ModelAnswer, ModelQuestion

_CHARS_A_TOKEN = 2
"""Fewer than any tokeniser needs for ordinary text, so that a question is rather taken for longer than it is."""

_LOCK_S = 5.0


@dataclass(frozen=True, slots=True)
class Spent:
    """What was used, or is put aside."""

    tokens: int = 0
    usd: float = 0.0

    def plus(self, other: "Spent") -> "Spent":
        """Return both together."""
        return Spent(max(0, self.tokens + other.tokens), max(0.0, self.usd + other.usd))

    def minus(self, other: "Spent") -> "Spent":
        """Return what is left of this without the other."""
        return Spent(self.tokens - other.tokens, self.usd - other.usd)


def _read_today() -> str:
    return datetime.now(UTC).date().isoformat()


@dataclass(slots=True)
class DayBook:
    """What one principal's models used today, in a file that all processes share.

    Attributes:
        folder: Where it lies; outside of every workspace.
    """

    folder: Path
    read_today: Callable[[], str] = _read_today

    def add(self, name: str, principal: str, spent: Spent, limit: Spent | None) -> bool:
        """Write down what is used; nothing where that would exceed a limit.

        Args:
            spent: What is added; less than nothing to give back.
            limit: What a day may come to; None for as it is.

        Returns:
            Whether it was written down.

        Raises:
            OSError: If the file can't be written; then nothing may be asked.
        """
        folder = self.folder / name_principal(principal)
        make_private_folder(folder)
        with FileLock(folder / "spent.lock", timeout=_LOCK_S, mode=0o600):
            today = self.read_today()
            book = _read_book(folder / "spent.json", today)
            used = book.get(name, Spent()).plus(spent)
            if limit and (used.tokens > limit.tokens or used.usd > limit.usd):
                return False
            book[name] = used
            kept = {model: [each.tokens, each.usd] for model, each in book.items()}
            write_whole(folder / "spent.json", json.dumps({"day": today, "spent": kept}).encode(), durable=False)
            return True


def _read_book(file: Path, today: str) -> dict[str, Spent]:
    """Return what was used by model today; a day that is over counts no more, and what can't be read as nothing."""
    with suppress(FileNotFoundError, ValueError, KeyError, TypeError, AttributeError):
        data: dict[str, Any] = json.loads(file.read_text("utf-8"))
        if data["day"] == today:
            return {model: Spent(int(tokens), float(usd)) for model, (tokens, usd) in data["spent"].items()}
    return {}


@dataclass(slots=True)
class BudgetedModel(ModelLayer):
    """Asks another model as long as run and day have enough left for the dearest answer that it may give."""

    inner: Model
    setting: ModelSetting
    book: DayBook
    used: dict[str, Spent] = field(default_factory=dict[str, Spent])

    async def ask(self, question: ModelQuestion) -> ModelAnswer:
        """Answer a question.

        Raises:
            ModelError: ``model_budget`` if it might cost more than is left; what the model fails with.
        """
        question = replace(question, max_tokens=min(question.max_tokens, self.setting.max_tokens))
        aside = self._foresee(question)
        run, principal = _name_run(question), question.scope.read_level("principal")
        await self._put_aside(run, principal, aside)
        spent = aside  # of a question without an answer nobody knows what it cost
        try:
            answer = await self.inner.ask(question)
            spent = self._count(question, answer)
        finally:
            rest = spent.minus(aside)
            self.used[run] = self.used[run].plus(rest)
            with suppress(OSError, Timeout):  # too much stays written down then
                await asyncio.shield(asyncio.to_thread(self.book.add, self.name, principal, rest, None))
        return replace(answer, cost_usd=spent.usd)

    async def _put_aside(self, run: str, principal: str, aside: Spent) -> None:
        setting = self.setting
        used = self.used.get(run, Spent()).plus(aside)
        if used.tokens > setting.tokens_budget:
            raise fail_budget(self.name, f"this run would use more than {setting.tokens_budget:,} tokens")
        if used.usd > setting.usd_budget:
            raise fail_budget(self.name, f"this run might cost more than ${setting.usd_budget:g}")
        self.used[run] = used
        limit = Spent(setting.tokens_a_day, setting.usd_a_day)
        try:
            is_within = await asyncio.to_thread(self.book.add, self.name, principal, aside, limit)
        except (OSError, Timeout) as error:
            self.used[run] = used.minus(aside)
            raise fail_budget(self.name, f"what it used today can't be recorded ({error})") from None
        if not is_within:
            self.used[run] = used.minus(aside)
            raise fail_budget(self.name, f"today would come to more than {limit.tokens:,} tokens or ${limit.usd:g}")

    def _foresee(self, question: ModelQuestion) -> Spent:
        tokens_in = _guess_tokens(question)
        return Spent(tokens_in + question.max_tokens, self.setting.price(tokens_in, question.max_tokens))

    def _count(self, question: ModelQuestion, answer: ModelAnswer) -> Spent:
        """Return what an answer used; as foreseen where its server doesn't say, or says what can't be."""
        tokens_in = answer.tokens_in if answer.tokens_in > 0 else _guess_tokens(question)
        tokens_out = answer.tokens_out if answer.tokens_out > 0 else question.max_tokens
        return Spent(tokens_in + tokens_out, self.setting.price(tokens_in, tokens_out))


def _name_run(question: ModelQuestion) -> str:
    """Return the scope of the run that asks; as deep as the path goes where it is asked outside of one."""
    return "/".join(question.scope.parts[:4])


def _guess_tokens(question: ModelQuestion) -> int:
    texts = (question.instructions, json.dumps(question.schema, default=list), *(each.text for each in question.data))
    return math.ceil(sum(map(len, texts)) / _CHARS_A_TOKEN)
