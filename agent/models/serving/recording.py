"""Recordings: what models answered, in a file that can be read and replayed, so that tests need no model."""

import asyncio
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agent.models.checking import check_answer, read_json
from agent.models.failures import fail_answer, fail_recording, fail_unrecorded
from agent.models.guarding import ModelLayer
from agent.models.serving.keeping import digest_question
from core.base.late_dataclasses import dataclass, field
from core.planning.planners.ports import Model, ModelAnswer, ModelQuestion

_LARGEST = 50_000_000
_PRIVATE = 0o600


@dataclass(frozen=True, slots=True)
class RecordingModel(ModelLayer):
    """Writes down what another model answers, a line of JSON each.

    Attributes:
        file: Where it is written; for its owner's eyes only.
    """

    inner: Model
    file: Path

    async def ask(self, question: ModelQuestion) -> ModelAnswer:
        """Answer a question."""
        answer = await self.inner.ask(question)
        line = {
            "digest": digest_question(question),
            "kind": question.kind,
            "model": answer.model,
            "tokens_in": answer.tokens_in,
            "tokens_out": answer.tokens_out,
            "answer": answer.value,
        }
        try:
            await asyncio.to_thread(_append, self.file, json.dumps(line, ensure_ascii=True, default=dict))
        except OSError as error:
            raise fail_recording(self.file.name, error.strerror or str(error)) from None
        return answer


@dataclass(slots=True)
class ReplayedModel:
    """Answers from a recording and asks nobody. The same question asked again gets the next answer, then the last.

    Attributes:
        answers: By digest of the question, in order; read when something is asked first.
    """

    file: Path
    answers: dict[str, list[Mapping[str, Any]]] | None = field(default=None)

    @property
    def name(self) -> str:
        """Return what transcripts call it."""
        return f"replay of {self.file.name}"

    async def ask(self, question: ModelQuestion) -> ModelAnswer:
        """Answer a question."""
        if self.answers is None:
            self.answers = await asyncio.to_thread(_read_recording, self.file)
        recorded = self.answers.get(digest_question(question))
        if not recorded:
            raise fail_unrecorded(self.file.name)
        line = recorded.pop(0) if len(recorded) > 1 else recorded[0]
        try:
            value = check_answer(line["answer"], question.schema)
        except ValueError as error:
            raise fail_answer(self.name, str(error)) from None
        return ModelAnswer(
            value=value,
            model=str(line.get("model", "")) or self.name,
            tokens_in=_count(line.get("tokens_in")),
            tokens_out=_count(line.get("tokens_out")),
            is_kept=True,
        )

    async def close(self) -> None:
        """Have nothing to close."""


def _append(file: Path, line: str) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, _PRIVATE)
    with os.fdopen(descriptor, "a", encoding="utf-8") as opened:
        opened.write(f"{line}\n")


def _read_recording(file: Path) -> dict[str, list[Mapping[str, Any]]]:
    answers: dict[str, list[Mapping[str, Any]]] = {}
    try:
        if file.stat().st_size > _LARGEST:
            raise fail_recording(file.name, f"it has more than {_LARGEST:,} bytes")
        for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
            if line.strip():
                digest, entry = _read_line(line, number)
                answers.setdefault(digest, []).append(entry)
    except (OSError, ValueError) as error:
        raise fail_recording(file.name, str(error)) from None
    return answers


def _read_line(line: str, number: int) -> tuple[str, Mapping[str, Any]]:
    entry = read_json(line)
    if not isinstance(entry, dict) or not isinstance(entry.get("digest"), str) or "answer" not in entry:
        raise ValueError(f"line {number} is not an answer")
    return entry["digest"], entry


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0
