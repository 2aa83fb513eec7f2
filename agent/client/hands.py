"""Surehand: a hand for programs. What it is told to do is done by a service: one of this process alone, or one at an address."""

import os
from collections.abc import Generator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self, Unpack

from .calls import send_answer, undo_run
from .conversing import begin_call, begin_resuming, finish_call
from .events import RunEvent
from .hand_parts import HandOptions, HandParts
from .questions import Answered, AnswerMaker, AskedQuestion, say_no
from .records import RunFile, SeenOutline, SessionState, UndoReport
from .reports import HandError, RunReport
from .wire import WireQuestion, write_path
from .wishes import OpeningWishes, PlanWishes, RunWishes, StreamWishes, write_order


class HandRecords:
    """What can be asked about runs, sessions, questions and files."""

    def __init__(self, parts: HandParts) -> None:
        self.parts = parts

    @property
    def session(self) -> str:
        """Name of the session that calls are for where they name none."""
        return self.parts.session

    def find_runs(self, words: str = "", *, session: str = "", most: int = 50) -> Sequence[RunReport]:
        """Return your runs in short, the latest first.

        Args:
            words: That their request or reply must have.
            session: That they must be of; empty for all.
        """
        path = write_path("runs", words=words, session=session, most=most)
        return tuple(map(RunReport.read, self.parts.wire.get(path)))

    def read_run(self, run_id: str) -> RunReport:
        """Return what is known of a run now.

        Raises:
            NotThereError: If there is none of that id.
        """
        return RunReport.read(self.parts.wire.get(write_path("runs", run_id)))

    def list_planners(self) -> Sequence[Mapping[str, Any]]:
        """Return all planners: what they can do, what they take, and their settings. ``run(planner=…)`` carries one out."""
        return tuple(self.parts.wire.get(write_path("planners")))

    def list_backlog(self, *, state: str = "") -> Sequence[Mapping[str, Any]]:
        """Return what planners have to do, the oldest first.

        Args:
            state: ``pending``, ``active``, ``blocked``, ``done`` or ``failed``; empty for all.
        """
        return tuple(self.parts.wire.get(write_path("backlog", state=state)))

    def add_to_backlog(self, item_id: str, capability: str, data: Mapping[str, Any], *, priority: int = 0) -> None:
        """Add something for a planner to do; a service works it off as soon as one is free."""
        body = {"item_id": item_id, "capability": capability, "data": dict(data), "priority": priority}
        self.parts.wire.post(write_path("backlog"), body)

    def work(self, capability: str = "", *, most: int | None = None) -> Sequence[Mapping[str, Any]]:
        """Work the backlog off, and return what came of each item.

        Args:
            capability: Only what is for this one.
            most: Items at most.
        """
        body = {"capability": capability, "most": most}
        return tuple(self.parts.wire.post(write_path("backlog", "work"), body))

    def list_sessions(self) -> Sequence[SessionState]:
        """Return your sessions."""
        return tuple(map(SessionState.read, self.parts.wire.get(write_path("sessions"))))

    def open_session(self, session: str = "", **wishes: Unpack[OpeningWishes]) -> SessionState:
        """Open a session that is to be like this; without it, a session opens at the first call.

        Args:
            session: Its name; empty for the hand's own.
            **wishes: As of `OpeningWishes`.

        Raises:
            HandError: If it is open already, or can't be like that.
        """
        question = WireQuestion(method="PUT", path=write_path("sessions", session or self.session), body=wishes)
        return SessionState.read(self.parts.wire.ask(question))

    def close_session(self, session: str) -> None:
        """Stop what runs in a session and close its pages."""
        self.parts.wire.ask(WireQuestion(method="DELETE", path=write_path("sessions", session)))

    def list_questions(self, *, session: str = "") -> Sequence[AskedQuestion]:
        """Return what waits for your answer, in one session of yours or whoever's run asks."""
        return tuple(map(AskedQuestion.read, self.parts.wire.get(write_path("questions", session=session))))

    def answer(self, question: AskedQuestion, answer: Answered) -> None:
        """Answer a question; one that was answered or has expired meanwhile stays as it is.

        Args:
            answer: True or False for an approval, words for the rest.

        Raises:
            NotAllowedError: If your token may not say yes.
        """
        send_answer(self.parts.wire, question, answer)

    def list_files(self, run: RunReport | str) -> Sequence[RunFile]:
        """Return the files that a run made."""
        path = write_path("runs", run if isinstance(run, str) else run.run_id, "artifacts")
        return tuple(map(RunFile.read, self.parts.wire.get(path)))

    def read_file(self, file: RunFile) -> bytes:
        """Return the bytes of a file, as they were made.

        Raises:
            HandError: If they are others.
        """
        return file.check(self.parts.wire.fetch(write_path("artifacts", file.file_id)))

    def save_file(self, file: RunFile, place: str | os.PathLike[str]) -> Path:
        """Save a file, and return where.

        Args:
            place: Its new path, or a folder that it keeps its name in.

        Raises:
            HandError: If its bytes did not arrive as they were made.
            OSError: If it can't be written.
        """
        path = Path(place)
        # Only the last part of the name counts: a service never chooses the folder.
        target = path / Path(file.name).name if path.is_dir() else path
        target.write_bytes(self.read_file(file))
        return target


class Surehand(HandRecords):
    """Does what it is told in sentences, flows and goals, and reports what came of it.

    Without an address it starts a service of its own at the first call; that needs no server, and ends with this process. Use it as a
    context manager, so that browsers are gone when you are done. It may be used from many threads.

    ``Surehand("http://127.0.0.1:8137", token=…)`` and ``Surehand("/path/of/a.sock", token=…)`` ask a service that runs already, and
    ``Surehand(Path("folder"))`` the one that serves a folder.
    """

    def __init__(self, address: str | os.PathLike[str] | None = None, **options: Unpack[HandOptions]) -> None:
        """Get ready; nothing is started or asked.

        Args:
            address: Where a service answers; None for one of this process alone.
            **options: As of `HandOptions`.

        Raises:
            BadOrderError: If they do not fit together.
            ServiceGoneError: If no service serves the folder.
        """
        super().__init__(HandParts(address, options))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop what goes on in its own session and close that; a private service ends. Calling it again does nothing."""
        parts = self.parts
        if parts.owns_session and parts.private is None and parts.was_used:
            with suppress(HandError):  # it was never opened, or the service is gone: there is nothing to close
                self.close_session(parts.session)
        parts.close()

    def run(self, text: str | None = None, **wishes: Unpack[RunWishes]) -> RunReport:
        """Do something, and return what came of it.

        The page of the session goes on; a sentence stands alone. One that refers to what was said before ("open it") is for `say`.

        Args:
            text: What to do, as a sentence; or give ``goals`` or ``flow``.
            **wishes: As of `RunWishes`.

        Raises:
            BadOrderError: If it makes no sense; nothing was executed.
            RunFailedError: If it did not succeed, unless ``check`` is False.
            HandError: What else the service refused.
        """
        return finish_call(begin_call(self.parts, text, wishes).wait(), wishes)

    def stream(self, text: str | None = None, **wishes: Unpack[StreamWishes]) -> Generator[RunEvent]:
        """Do something, and yield its events as they occur; the last one is `RunEnded` with the report.

        A run that does not succeed raises nothing. Leaving the loop stops the run.

        Args:
            text: What to do, as a sentence; or give ``goals`` or ``flow``.
            **wishes: As of `StreamWishes`.

        Raises:
            RunTimeoutError: If its time was over.
            HandError: What the service refused.
        """
        return begin_call(self.parts, text, wishes).follow()

    def say(self, text: str, **wishes: Unpack[RunWishes]) -> RunReport:
        """Say something in the session's conversation: a wish, an answer, a word to what runs, or about what was done before.

        Args:
            **wishes: As of `RunWishes`; goals and flows can't be said.

        Raises:
            HandError: As `run` does.
        """
        return finish_call(begin_call(self.parts, text, wishes, said=True).wait(), wishes)

    def plan(self, text: str | None = None, **wishes: Unpack[PlanWishes]) -> Mapping[str, Any]:
        """Return how something would be done, as ``surehand plan --json`` prints it; nothing is done.

        Args:
            text: What to plan, as a sentence; or give ``goals`` or ``flow``.
            **wishes: As of `PlanWishes`.

        Raises:
            BadOrderError: If it can't be planned.
        """
        return self.parts.wire.post(write_path("plan"), write_order(text, wishes, self.session))

    def look(self, *, session: str = "", **params: Any) -> SeenOutline:
        """Return what is on the session's page; with ``window`` what is in a window.

        Args:
            **params: Those of ``browser.snapshot``, such as ``find``, ``max_tokens`` and ``scope``; or of ``desktop.snapshot``.

        Raises:
            HandError: If nothing could be seen.
        """
        found = self.parts.wire.post(write_path("sessions", session or self.session, "look"), params)
        return SeenOutline.read(found)

    def stop(self, run_id: str = "") -> int:
        """Stop a run, or all that go on in the hand's session; return how many were stopped."""
        path = write_path("runs", run_id, "stop") if run_id else write_path("sessions", self.session, "stop")
        return int(self.parts.wire.post(path)["stopped"])

    def undo(self, run: RunReport | str, *, dry: bool = False, answer: AnswerMaker = say_no) -> UndoReport:
        """Undo what a run did, the last act first, where there is a way back and nothing was changed since.

        Args:
            dry: Whether only to tell what would be undone.

        Raises:
            HandError: What the service refused.
        """
        found = run if isinstance(run, RunReport) else self.read_run(run)
        return undo_run(self.parts.wire, found, answer, dry=dry)

    def resume(self, run_id: str, **wishes: Unpack[RunWishes]) -> RunReport:
        """Go on with a run whose process ended; nothing that was done is done again.

        Args:
            **wishes: ``answer``, ``timeout_s`` and ``check``, as of `RunWishes`.

        Raises:
            HandError: As `run` does.
        """
        return finish_call(begin_resuming(self.parts, run_id, wishes).wait(), wishes)
