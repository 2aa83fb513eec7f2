"""AskedQuestion: what a person is asked while a run goes on, and who answers it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self

QuestionForm = Literal["confirm", "slot", "disambiguate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion:
    """What waits for an answer.

    Attributes:
        kind: ``confirm`` takes True or False; ``slot`` and ``disambiguate`` take words.
        question_id: Its id; empty where the run has ended and words said in the session answer it.
        digest: What goes back with the answer: it is given to what was shown, and to nothing else.
        approval: Class of the approval, such as ``apply_diff``.
        expires_in_s: Seconds for which it can be answered; 0 where it does not expire.
        asker: The principal whose run asks, where that is not you.
    """

    kind: QuestionForm
    prompt: str
    question_id: str = ""
    digest: str = ""
    session: str = ""
    run_id: str = ""
    approval: str = ""
    choices: tuple[str, ...] = ()
    operation: Mapping[str, Any] = field(default_factory=dict[str, Any])
    diff: str = ""
    expires_in_s: float = 0.0
    asker: str = ""

    @classmethod
    def read(cls, record: Mapping[str, Any]) -> Self:
        """Return a question as an event or a list of open questions tells it."""
        return cls(
            kind=record.get("kind", "confirm"),
            prompt=str(record.get("prompt", "")),
            question_id=str(record.get("question_id") or record.get("approval_id") or ""),
            digest=str(record.get("approval_digest") or record.get("digest") or ""),
            session=str(record.get("session", "")),
            run_id=str(record.get("run_id", "")),
            approval=str(record.get("approval", "")),
            choices=tuple(record.get("choices") or ()),
            operation=dict(record.get("operation") or {}),
            diff=str(record.get("diff", "")),
            expires_in_s=float(record.get("expires_in_s") or 0.0),
            asker=str(record.get("asker", "")),
        )


Answered = bool | str
"""True or False for an approval, words for the rest."""

GivenAnswer = bool | str | None
"""True or False for an approval, words for the rest; None leaves the question to somebody at another door."""

AnswerMaker = Callable[[AskedQuestion], GivenAnswer]
AsyncAnswerMaker = Callable[[AskedQuestion], GivenAnswer | Awaitable[GivenAnswer]]


def leave_open(_: AskedQuestion) -> None:
    """Answer nothing, so that somebody at another door can; give it as ``answer`` where a person watches the console."""


def say_no(question: AskedQuestion) -> GivenAnswer:
    """Refuse what is asked: the answer where nobody was named who could give one."""
    return False if question.kind == "confirm" else None
