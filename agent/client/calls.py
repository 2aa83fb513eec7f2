"""RunCall: one run as its client sees it: begun, followed, answered, and stopped when the client no longer wants it."""

import threading
from collections.abc import Generator, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from .events import QuestionAsked, RunEnded, RunEvent, read_event
from .questions import Answered, AnswerMaker, AskedQuestion, say_no
from .records import UndoReport
from .reports import HandError, Problem, RunReport, RunTimeoutError, ServiceGoneError
from .wire import Breaker, Wire, WireQuestion, write_path

_PAUSES_S = (0.0, 0.1, 0.5, 2.0)
"""How long is waited before a stream that broke is asked for again; any event makes it begin at the first."""

_END_S = 5.0
_SETTLED = {"approval_used", "approval_expired", "approval_unknown", "unknown_question"}
"""What an answer meets that comes too late: somebody else was quicker, or its time is over. The run tells what came of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTerms:
    """How a run is followed.

    Attributes:
        timeout_s: Seconds after which it is stopped; None for as long as it takes.
    """

    answer: AnswerMaker = say_no
    timeout_s: float | None = None

    @property
    def is_attended(self) -> bool:
        """Whether anybody may answer."""
        return self.answer is not say_no


class RunCall:
    """A run of the service, from its order to its report."""

    def __init__(self, wire: Wire, path: str, body: Mapping[str, Any] | None, terms: CallTerms) -> None:
        self._wire = wire
        self._path = path
        self._body = body
        self._terms = terms
        self._breaker = Breaker()
        self._ended = threading.Event()
        self._unwanted = threading.Event()
        self._timer: threading.Timer | None = None
        self._is_late = False
        self.run_id = ""
        self.report: RunReport | None = None

    def cancel(self) -> None:
        """Let whoever follows stop the run and raise; may be called from any thread."""
        self._unwanted.set()
        self._breaker.break_off()

    def follow(self) -> Generator[RunEvent]:
        """Begin the run, answer what it asks, and yield its events; whoever stops listening stops it.

        Raises:
            RunTimeoutError: If its time was over.
            HandError: What the service refused.
        """
        self._start_timer()
        try:
            self.run_id = str(self._begin()["run_id"])
            yield from self._listen()
        except HandError:
            if not self._is_late:
                raise
        finally:
            self._stop_timer()
            self._stop_unless_ended()
        if self._is_late and self.report is None:
            raise self._tell_late()

    def wait(self) -> RunReport:
        """Carry the run out and return what came of it; the quickest way where nobody is asked."""
        if self._body is not None and not self._terms.is_attended:
            self._wait_quickly(self._body)
        if self.report is None:
            for _ in self.follow():
                pass
        if self.report is None:
            raise ServiceGoneError(Problem("service_gone", "The service ended before the run did."))
        return self.report

    def _wait_quickly(self, body: Mapping[str, Any]) -> None:
        """Ask once for order and report; where that breaks, the run is found again by its ``request_id``."""
        self._start_timer()
        order = {**body, "attended": False, "wait": True}
        question = WireQuestion(method="POST", path=self._path, body=order, timeout_s=None, breaker=self._breaker)
        try:
            self.report = RunReport.read(self._wire.ask(question))
        except ServiceGoneError:
            return
        except HandError:
            self._stop_timer()
            raise
        except BaseException:
            self._stop_timer()
            self._stop_lost()
            raise
        self._stop_timer()
        self.run_id = self.report.run_id
        self._ended.set()

    def _stop_lost(self) -> None:
        with suppress(HandError):
            self.run_id = str(self._begin()["run_id"])
            self._stop_unless_ended()

    def _begin(self) -> Mapping[str, Any]:
        """Send the order; sent twice, it is still one run, because of its ``request_id``."""
        order = self._body and {**self._body, "attended": self._terms.is_attended}
        question = WireQuestion(method="POST", path=self._path, body=order)
        try:
            return self._wire.ask(question)
        except ServiceGoneError:
            return self._wire.ask(question)

    def _listen(self) -> Iterator[RunEvent]:
        """Yield events to the last, over as many streams as it takes."""
        seen, tries = -1, 0
        final: RunEvent | None = None
        while final is None:
            self._check_wanted()
            try:
                for event in self._stream(seen):
                    seen, tries = event.seq, 0
                    if isinstance(event, RunEnded):
                        final = event  # told once the stream has ended: the record is written by then
                    else:
                        yield event
                    self._check_wanted()
            except ServiceGoneError:
                if tries >= len(_PAUSES_S):
                    raise
            if final is None:
                tries = self._pause(tries)
        self.report = RunReport.read(self._wire.get(write_path("runs", self.run_id)))
        self._ended.set()
        yield replace(final, report=self.report)

    def _stream(self, seen: int) -> Iterator[RunEvent]:
        for record in self._wire.stream(write_path("runs", self.run_id, "events"), seen, self._breaker):
            event = read_event(record)
            if isinstance(event, QuestionAsked) and event.question.question_id:
                _answer(self._wire, event.question, self._terms.answer)
            yield event

    def _pause(self, tries: int) -> int:
        """Wait a little before the stream is asked for again, and return how often that was done."""
        if tries >= len(_PAUSES_S):
            text = f"The service stopped telling of run {self.run_id}."
            raise ServiceGoneError(Problem("service_gone", text, "Ask again with the same request_id."))
        self._unwanted.wait(_PAUSES_S[tries])
        return tries + 1

    def _check_wanted(self) -> None:
        if self._unwanted.is_set():
            raise HandError(Problem("no_longer_wanted", "Nobody waits for this run any longer."))

    def _start_timer(self) -> None:
        if self._terms.timeout_s is not None and self._timer is None:
            self._timer = threading.Timer(self._terms.timeout_s, self._expire)
            self._timer.daemon = True
            self._timer.start()

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()

    def _expire(self) -> None:
        self._is_late = True
        self.cancel()

    def _stop_unless_ended(self) -> None:
        if not self._ended.is_set() and self.run_id:
            with suppress(HandError):
                self._wire.post(write_path("runs", self.run_id, "stop"))

    def _tell_late(self) -> RunTimeoutError:
        text = f"The run took longer than {self._terms.timeout_s:g} s, and was stopped."
        error = RunTimeoutError(Problem("timed_out", text, "Give it more time by timeout_s.", {"run_id": self.run_id}))
        with suppress(HandError):
            error.report = self._await_end()
        return error

    def _await_end(self) -> RunReport:
        path = write_path("runs", self.run_id, "events")
        breaker = Breaker()
        timer = threading.Timer(_END_S, breaker.break_off)
        timer.start()
        try:
            for _ in self._wire.stream(path, -1, breaker):
                pass
        finally:
            timer.cancel()
        return RunReport.read(self._wire.get(write_path("runs", self.run_id)))


def send_answer(wire: Wire, question: AskedQuestion, given: Answered) -> None:
    """Send an answer; one that comes too late changes nothing and raises nothing.

    Raises:
        HandError: If it may not be given here.
    """
    body = {"digest": question.digest, "answer": given}
    try:
        wire.post(write_path("questions", question.question_id), body)
    except HandError as error:
        if error.code not in _SETTLED:
            raise


def find_choice(wire: Wire, session: str) -> AskedQuestion | None:
    """Return what a session asks in words now that nothing of it runs, if it does."""
    questions = map(AskedQuestion.read, wire.get(write_path("questions", session=session)))
    return next((each for each in questions if each.kind != "confirm"), None)


_LOOK_S = 0.05


def undo_run(wire: Wire, run: RunReport, answer: AnswerMaker, *, dry: bool) -> UndoReport:
    """Undo a run; what has to be approved stands among the open questions of its session meanwhile.

    Raises:
        HandError: What the service refused.
    """
    path = write_path("runs", run.run_id, "undo")
    question = WireQuestion(method="POST", path=path, body={"dry": dry}, timeout_s=None)
    known = set[str]()
    with ThreadPoolExecutor(1, "surehand undo") as thread:
        undoing = thread.submit(wire.ask, question)
        try:
            while not wait([undoing], _LOOK_S).done:
                for each in wire.get(write_path("questions", session=run.session)):
                    asked = AskedQuestion.read(each)
                    if asked.kind == "confirm" and asked.question_id not in known:
                        known.add(asked.question_id)
                        _answer(wire, asked, answer)
            return UndoReport.read(undoing.result())
        finally:
            question.breaker.break_off()


def _answer(wire: Wire, question: AskedQuestion, answer: AnswerMaker) -> None:
    given = answer(question)
    if given is not None:
        send_answer(wire, question, given)
