"""ScriptedModel: a model whose answers were written beforehand; it remembers what it was asked and never makes an answer up."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.base.errors import ModelError
from core.base.late_dataclasses import dataclass
from core.base.phrases import quote_text
from core.planning.planners.ports import Clock, ModelAnswer, ModelQuestion, QuestionKind

_MOST_TOLD = 200
_CHARS_A_TOKEN = 4  # about; what counts in tests is that longer is more

AnswerMaker = Callable[[ModelQuestion], Mapping[str, Any]]
Answer = Mapping[str, Any] | AnswerMaker | Exception


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedAnswer:
    """An answer, and the question that it is for.

    Attributes:
        answer: What is answered; a function makes it from the question; an error is raised in its place.
        kind: The kind of question that it is for; None for any.
        when: Told a question; whether the answer is for it. None for any.
        times: How often it is given; None for as often as it is asked.
        tokens_in: Tokens that the question took; None to count them roughly.
        tokens_out: Tokens that the answer took; None to count them roughly.
    """

    answer: Answer
    kind: QuestionKind | None = None
    when: Callable[[ModelQuestion], bool] | None = None
    times: int | None = 1
    tokens_in: int | None = None
    tokens_out: int | None = None
    delay_s: float = 0.0

    def fits(self, question: ModelQuestion) -> bool:
        """Return whether it is for a question."""
        return self.kind in {None, question.kind} and (self.when is None or self.when(question))


@dataclass(slots=True)
class _ScriptedLine:
    scripted: ScriptedAnswer
    given: int = 0

    @property
    def is_spent(self) -> bool:
        return self.scripted.times is not None and self.given >= self.scripted.times


class ScriptedModel:
    """A `Model` for tests. The first answer that fits a question and isn't used up is given.

    ``ScriptedModel({"calls": []})`` answers in order; ``model.script(..., kind="propose")`` answers by kind or by what
    is asked. A question that nothing was written for is a `ModelError` with the code ``not_scripted``.
    """

    def __init__(self, *answers: Answer | ScriptedAnswer, name: str = "scripted", clock: Clock | None = None) -> None:
        """Write the script; a clock has to be given if an answer takes time."""
        self._name = name
        self._clock = clock
        self._lines: list[_ScriptedLine] = []
        self._asked: list[ModelQuestion] = []
        self.is_closed = False
        """Whether it was closed."""
        for answer in answers:
            self._add(answer if isinstance(answer, ScriptedAnswer) else ScriptedAnswer(answer=answer))

    @property
    def name(self) -> str:
        """Return its name, for transcripts."""
        return self._name

    @property
    def asked(self) -> Sequence[ModelQuestion]:
        """Everything that it was asked, in order."""
        return tuple(self._asked)

    def script(
        self,
        answer: Answer,
        *,
        kind: QuestionKind | None = None,
        when: Callable[[ModelQuestion], bool] | None = None,
        times: int | None = 1,
    ) -> None:
        """Add an answer behind those that are there; what each argument means is in `ScriptedAnswer`."""
        self._add(ScriptedAnswer(answer=answer, kind=kind, when=when, times=times))

    async def ask(self, question: ModelQuestion) -> ModelAnswer:
        """Answer a question as it was written.

        Raises:
            ModelError: ``not_scripted`` if nothing was written for it; or what was written as an error.
        """
        self._asked.append(question)
        line = next((each for each in self._lines if not each.is_spent and each.scripted.fits(question)), None)
        if line is None:
            raise self._refuse(question)
        line.given += 1
        await self._wait(line.scripted.delay_s)
        return self._make_answer(line.scripted, question)

    async def close(self) -> None:
        """Remember that it was closed."""
        self.is_closed = True

    def check_all_given(self) -> None:
        """Check that every answer was asked for.

        Raises:
            AssertionError: If one was not, as often as it was written.
        """
        left = [line for line in self._lines if line.scripted.times is not None and not line.is_spent]
        if left:
            told = "; ".join(quote_text(_tell_answer(line.scripted), _MOST_TOLD) for line in left)
            raise AssertionError(f"{len(left)} scripted answers were not asked for: {told}")

    def _add(self, scripted: ScriptedAnswer) -> None:
        if scripted.delay_s and self._clock is None:
            raise ValueError("An answer that takes time needs a clock.")
        self._lines.append(_ScriptedLine(scripted))

    def _refuse(self, question: ModelQuestion) -> ModelError:
        left = sum(not line.is_spent for line in self._lines)
        number = len(self._asked)
        message = f"Nothing was scripted for question {number}, of the kind “{question.kind}”: {quote_text(question.instructions, _MOST_TOLD)}"
        hint = f"Script an answer for it; {left} of {len(self._lines)} answers are left, for other questions."
        return ModelError(message, code="not_scripted", hint=hint)

    async def _wait(self, delay_s: float) -> None:
        if delay_s and self._clock:
            await self._clock.sleep(delay_s)

    def _make_answer(self, scripted: ScriptedAnswer, question: ModelQuestion) -> ModelAnswer:
        value = scripted.answer
        if isinstance(value, Exception):
            raise value
        if not isinstance(value, Mapping):
            value = value(question)
        shown = question.instructions + "".join(each.text for each in question.data)
        return ModelAnswer(
            value=value,
            model=self._name,
            tokens_in=_count(shown) if scripted.tokens_in is None else scripted.tokens_in,
            tokens_out=_count(str(value)) if scripted.tokens_out is None else scripted.tokens_out,
            ms=scripted.delay_s * 1000,
        )


def _count(text: str) -> int:
    return -(-len(text) // _CHARS_A_TOKEN)


def _tell_answer(scripted: ScriptedAnswer) -> str:
    told = getattr(scripted.answer, "__name__", None) or str(scripted.answer)
    return f"{scripted.kind or 'any'}: {told}"
