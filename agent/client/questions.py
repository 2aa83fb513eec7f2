"""AskedQuestion: what a person is asked while a run goes on, and who answers it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .told import Told, told

QuestionForm = Literal["confirm", "slot", "disambiguate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion(Told):
    """What waits for an answer.

    Attributes:
        kind: ``confirm`` takes True or False; ``slot`` and ``disambiguate`` take words.
        question_id: Its id; empty where the run has ended and words said in the session answer it.
        digest: What goes back with the answer: it is given to what was shown, and to nothing else.
        approval: Class of the approval, such as ``apply_diff``.
        expires_in_s: Seconds for which it can be answered; 0 where it does not expire.
        asker: The principal whose run asks, where that is not you.
    """

    kind: QuestionForm = "confirm"
    prompt: str = ""
    question_id: str = told("question_id", "approval_id")
    digest: str = told("approval_digest", "digest")
    session: str = ""
    run_id: str = ""
    approval: str = ""
    choices: tuple[str, ...] = ()
    operation: Mapping[str, Any] = field(default_factory=dict[str, Any])
    diff: str = ""
    expires_in_s: float = 0.0
    asker: str = ""


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
