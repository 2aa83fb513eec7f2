"""Undoing a run, and answering what is asked on the way."""

import threading
from collections.abc import Mapping
from typing import Any

from .calls import send_answer
from .questions import AnswerMaker, AskedQuestion
from .records import UndoReport
from .reports import HandError, RunReport
from .wire import Wire, WireQuestion, write_path

_LOOK_S = 0.05


def undo_run(wire: Wire, run: RunReport, answer: AnswerMaker, *, dry: bool) -> UndoReport:
    """Undo a run; what has to be approved stands among the open questions of its session meanwhile.

    Args:
        dry: Whether only to tell what would be undone.

    Raises:
        HandError: What the service refused.
    """
    asking = _Asking(
        wire,
        WireQuestion(method="POST", path=write_path("runs", run.run_id, "undo"), body={"dry": dry}, timeout_s=None),
    )
    asking.start()
    known = set[str]()
    while not asking.done.wait(_LOOK_S):
        for each in wire.get(write_path("questions", session=run.session)):
            question = AskedQuestion.read(each)
            if question.kind == "confirm" and question.question_id not in known:
                known.add(question.question_id)
                _answer(wire, question, answer)
    return UndoReport.read(asking.get_answer())


def _answer(wire: Wire, question: AskedQuestion, answer: AnswerMaker) -> None:
    given = answer(question)
    if given is not None:
        send_answer(wire, question, given)


class _Asking(threading.Thread):
    """Waits for an answer beside those who work on it."""

    def __init__(self, wire: Wire, question: WireQuestion) -> None:
        super().__init__(name="surehand undo", daemon=True)
        self._wire = wire
        self._question = question
        self._answer: Mapping[str, Any] = {}
        self._error: HandError | None = None
        self.done = threading.Event()

    def run(self) -> None:
        """Ask."""
        try:
            self._answer = self._wire.ask(self._question)
        except HandError as error:
            self._error = error
        finally:
            self.done.set()

    def get_answer(self) -> Mapping[str, Any]:
        """Return the answer.

        Raises:
            HandError: What was answered in its place.
        """
        if self._error:
            raise self._error
        return self._answer
