"""Conversing: what is asked for, with the answers that its questions get, from the order to the last report."""

from collections.abc import Generator, Mapping
from typing import Any

from .calls import CallTerms, RunCall, find_choice
from .events import RunEvent
from .hand_parts import HandParts
from .reports import RunReport
from .wire import Wire, write_path
from .wishes import list_own, make_request_id, write_order

_ASKED = ("text", "goals", "flow", "variables")


class Conversing:
    """An order, and the words that are asked for once a run has ended: what is missing, or which of several is meant.

    Each answer in words is said in the session, and begins a run; what is told and reported is that of the last one.
    """

    def __init__(self, wire: Wire, order: Mapping[str, Any], terms: CallTerms) -> None:
        self._wire = wire
        self._order = order
        self._terms = terms
        self._call = self._make_call(order)

    def cancel(self) -> None:
        """Let whoever follows stop the run and raise; may be called from any thread."""
        self._call.cancel()

    def follow(self) -> Generator[RunEvent]:
        """Yield the events of all runs; whoever stops listening stops what goes on."""
        yield from self._call.follow()
        while words := self._ask():
            self._say(words)
            yield from self._call.follow()

    def wait(self) -> RunReport:
        """Return what came of it in the end."""
        report = self._call.wait()
        while words := self._ask():
            self._say(words)
            report = self._call.wait()
        return report

    def _say(self, words: str) -> None:
        given = {name: value for name, value in self._order.items() if name not in _ASKED}
        self._call = self._make_call({**given, "text": words, "said": True, "request_id": make_request_id()})

    def _make_call(self, order: Mapping[str, Any]) -> RunCall:
        return RunCall(self._wire, write_path("runs"), order, self._terms)

    def _ask(self) -> str:
        """Return the words that answer what is open now; nothing where nothing is, or nobody answers."""
        report = self._call.report
        if report is None or not report.expects_reply or not self._terms.is_attended:
            return ""
        question = find_choice(self._wire, report.session)
        given = self._terms.answer(question) if question else None
        return given if isinstance(given, str) else ""


def begin_call(parts: HandParts, text: str | None, wishes: Mapping[str, Any], *, said: bool = False) -> Conversing:
    """Return what carries out what is asked for; nothing is sent yet.

    Raises:
        BadOrderError: If it is not exactly one of sentence, goals and flow.
    """
    order, terms = write_order(text, wishes, parts.session), CallTerms(**list_own(wishes))
    order["request_id"] = wishes.get("request_id") or make_request_id()
    # What is said can be answered in words afterwards; somebody has to be there who does.
    order["said"] = said or (text is not None and terms.is_attended)
    return Conversing(parts.wire, order, terms)


def begin_resuming(parts: HandParts, run_id: str, wishes: Mapping[str, Any]) -> RunCall:
    """Return what goes on with a run whose process ended; nothing is sent yet."""
    return RunCall(parts.wire, write_path("runs", run_id, "resume"), None, CallTerms(**list_own(wishes)))


def finish_call(report: RunReport, wishes: Mapping[str, Any]) -> RunReport:
    """Return a report; of a run that did not succeed only where that is wished."""
    return report.check() if wishes.get("check", True) else report
