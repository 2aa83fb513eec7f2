"""Kept answers: the same question to the same model is answered once, in files for their owner's eyes only."""

import asyncio
import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from agent.models.checking import check_answer, read_json
from agent.models.guarding import ModelLayer
from agent.settings.model_settings import ModelSetting
from agent.store.private_files import make_private_folder, write_whole
from core.base.late_dataclasses import dataclass
from core.planning.planners.ports import Model, ModelAnswer, ModelQuestion

FORMAT = 1
"""Of what is digested; a change gives every question another digest."""


def digest_question(question: ModelQuestion, setting: ModelSetting | None = None) -> str:
    """Return the SHA-256 of a question, in hexadecimal.

    Args:
        setting: The model that is asked, with all that its answer depends on; None for whichever.
    """
    content: list[Any] = [FORMAT, question.kind, question.instructions, question.schema, question.max_tokens]
    content.append([[each.label, each.text, each.source, each.is_tainted] for each in question.data])
    if setting:
        content.append([setting.provider, setting.model, setting.base_url, setting.answers])
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), default=list)
    return hashlib.sha256(text.encode()).hexdigest()


MOST_KEPT = 2000
"""Answers of one principal; the oldest go first."""

_LARGEST = 2_000_000


def name_principal(principal: str) -> str:
    """Return a name of a folder for a principal, whatever theirs is."""
    return hashlib.sha256(principal.encode("utf-8", "surrogatepass")).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class KeepingModel(ModelLayer):
    """Answers from what is kept, and keeps what another model answers.

    A kept answer is held to the schema again: what was put into its place fits the question, or is asked for again.

    Attributes:
        folder: Where answers of all principals lie; outside of every workspace, so that no folder brings any along.
    """

    inner: Model
    setting: ModelSetting
    folder: Path

    async def ask(self, question: ModelQuestion) -> ModelAnswer:
        """Answer a question."""
        principal = question.scope.read_level("principal")
        file = self.folder / name_principal(principal) / f"{digest_question(question, self.setting)}.json"
        kept = await asyncio.to_thread(_read, file, question.schema)
        if kept is not None:
            return ModelAnswer(value=kept, model=self.name, is_kept=True)
        answer = await self.inner.ask(question)
        with suppress(OSError):  # it is asked again then
            await asyncio.to_thread(_write, file, answer.value)
        return answer


def _read(file: Path, schema: Mapping[str, Any]) -> Mapping[str, Any] | None:
    with suppress(OSError, ValueError):
        if file.is_symlink() or file.stat().st_size > _LARGEST:
            return None
        return check_answer(read_json(file.read_text("utf-8")), schema)
    return None


def _write(file: Path, value: Mapping[str, Any]) -> None:
    make_private_folder(file.parent)
    kept = sorted(file.parent.glob("*.json"), key=_read_age)
    for stale in kept[: max(0, len(kept) - MOST_KEPT + 1)]:
        stale.unlink(missing_ok=True)
    write_whole(file, json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"), durable=False)


def _read_age(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0
