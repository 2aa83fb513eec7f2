"""Service: the port that every door speaks to; in this process, or another process's over HTTP."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Protocol

from agent.requests.session_wishes import SessionWishes
from agent.service.callers import Caller
from agent.service.orders import Artifact, EventRecord, OpenQuestion, RunOrder, RunRecord, RunTicket, SessionRecord
from core.planning.planners.ports import BacklogItem, BacklogState, Transition


class RunsPort(Protocol):
    """Runs: begun, followed, stopped, taken back, gone on with."""

    async def begin(self, caller: Caller, order: RunOrder) -> RunTicket:
        """Take a run on and return at once; an order that can't be planned is a run that ends with errors.

        What is only a word to the session ("yes", "stop", "what did you say?") has a ticket, too: its events are one ``say`` and ``final``.
        """
        ...

    async def plan(self, caller: Caller, order: RunOrder) -> Mapping[str, Any]:
        """Return what ``surehand plan --json`` prints of an order; nothing is done.

        Raises:
            SurehandError: The first reason for which it can't be planned; its evidence has all ``errors`` and the ``question``.
        """
        ...

    def follow(self, caller: Caller, run_id: str, after: int = -1) -> AsyncIterator[EventRecord]:
        """Yield a run's events from the one behind ``after`` on, as they occur, and end behind ``final``."""
        ...

    async def result(self, caller: Caller, run_id: str) -> RunRecord:
        """Wait for a run's end, and return what came of it."""
        ...

    async def find_runs(
        self, caller: Caller, *, session: str = "", words: str = "", most: int = 50
    ) -> Sequence[RunRecord]:
        """Return the caller's runs, the latest first, in short."""
        ...

    async def read_run(self, caller: Caller, run_id: str) -> RunRecord:
        """Return what is known of a run now; does not wait."""
        ...

    async def stop(self, caller: Caller, *, run_id: str = "", session: str = "") -> int:
        """Stop one run, a session's runs, or all of the caller's; return how many, as soon as they have ended, else after 200 ms."""
        ...

    async def undo(self, caller: Caller, run_id: str, *, dry: bool = False) -> Mapping[str, Any]:
        """Take back what a run did; an ``UndoResult`` as data, with its ``reply``. Approvals are asked as open questions of the run's session."""
        ...

    async def resume(self, caller: Caller, run_id: str) -> RunTicket:
        """Go on with a run whose process ended; what nobody knows the outcome of is asked as a question with choices."""
        ...


class SessionsPort(Protocol):
    """Sessions, and what is asked in them."""

    async def list_questions(self, caller: Caller, *, session: str = "") -> Sequence[OpenQuestion]:
        """Return what waits for an answer of a caller; where no session is named, also what is theirs to answer of others."""
        ...

    async def answer(self, caller: Caller, question_id: str, digest: str, *, answer: bool | str) -> RunTicket | None:
        """Answer a question.

        An approval takes ``True`` or ``False``, from callers that ``may_approve`` only; a no counts from everybody. Slots and choices
        take text.

        Returns:
            The run that the answer began, where a sentence was completed by it; None otherwise.

        Raises:
            RefusedError: ``approval_needs_a_person`` where a yes came through a door that may not say it.
            ApprovalError: As ``PendingApprovals.answer`` says.
        """
        ...

    async def list_sessions(self, caller: Caller) -> Sequence[SessionRecord]:
        """Return the caller's sessions."""
        ...

    async def open_session(self, caller: Caller, session: str, wishes: SessionWishes) -> SessionRecord:
        """Open a session that is to be like this; whoever names one in an order has a usual one.

        Raises:
            RefusedError: ``session_open`` if it is open, and ``attach_refused`` if the caller may not attach, or not there.
        """
        ...

    async def close_session(self, caller: Caller, session: str) -> None:
        """Stop what runs in a session and close its pages."""
        ...

    async def look(self, caller: Caller, session: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the outline of a session's page, or of a window: the output of ``browser.snapshot`` or ``desktop.snapshot`` by the same params.

        ``window`` among the params makes it the desktop's. The session is opened where it isn't.
        """
        ...


class ScreensPort(Protocol):
    """The pages of sessions as a person sees them, and acts on them."""

    def watch_screen(self, caller: Caller, session: str) -> AsyncIterator[Mapping[str, Any]]:
        """Yield what is to be seen of a session's page, as it changes; never ends by itself.

        A frame has ``data`` (a JPEG in base64; empty where no page is open), ``width_px``, ``height_px``, ``url``, ``title`` and
        ``held``: whether a person has the pages.
        """
        ...

    async def hold_screen(self, caller: Caller, session: str, *, held: bool) -> Sequence[str]:
        """Give a session's pages to a person, or back to its runs; return in words what the person did.

        Raises:
            RefusedError: ``approval_needs_a_person`` where the caller isn't one, or may not approve.
        """
        ...

    async def touch_screen(self, caller: Caller, session: str, events: Sequence[Mapping[str, Any]]) -> None:
        """Do what a person does on the pages that they have, in order, as ``actuators.browser.ports.touches.Touch`` describes it.

        Raises:
            RefusedError: ``screen_not_held``, and as ``hold_screen`` says.
        """
        ...


class PlannersPort(Protocol):
    """Planners, and what they have to do. A planner is carried out as a run: by an order that names what it can do."""

    async def list_planners(self, caller: Caller) -> Sequence[Mapping[str, Any]]:
        """Return all planners: ``name``, ``description``, ``capabilities``, ``can_be_asked``, ``inputs`` and ``settings``."""
        ...

    async def list_backlog(self, caller: Caller, *, state: BacklogState | None = None) -> Sequence[BacklogItem]:
        """Return the caller's items, the oldest first; those of one state where one is named."""
        ...

    async def add_to_backlog(self, caller: Caller, item: BacklogItem) -> None:
        """Add an item; a service works it off as soon as a planner of its capability is free.

        Raises:
            GoalError: If there is one of that id, or nothing can be done with it.
        """
        ...

    async def set_backlog(self, caller: Caller, item_id: str, state: BacklogState, because: str) -> Transition:
        """Set where an item stands.

        Raises:
            GoalError: If there is no such item, or it may not go there from where it is.
        """
        ...

    async def work(
        self, caller: Caller, *, capability: str = "", most: int | None = None
    ) -> Sequence[Mapping[str, Any]]:
        """Work the caller's backlog off, and return ``item``, ``capability``, ``outcome``, ``why`` and ``run_id`` of each item.

        Args:
            capability: Only what is for this one; empty for all.
        """
        ...


class FilesPort(Protocol):
    """What runs made."""

    async def list_artifacts(self, caller: Caller, run_id: str) -> Sequence[Artifact]:
        """Return the files that a run made."""
        ...

    async def read_artifact(self, caller: Caller, artifact_id: str) -> tuple[Artifact, bytes]:
        """Return a file whole; its digest was checked."""
        ...


class Service(RunsPort, SessionsPort, ScreensPort, PlannersPort, FilesPort, Protocol):
    """Runs, sessions, questions and answers of one workspace.

    Everything raises errors of ours and nothing else: ``scope_missing``, ``over_quota``, ``draining``, ``unknown_run``,
    ``unknown_session``, ``unknown_question``, ``unknown_artifact`` and those of the inputs. What belongs to another principal is unknown.
    """

    async def measure(self, caller: Caller) -> Mapping[str, Any]:
        """Return ``status`` (``ok``, ``draining``), ``sessions``, ``running``, ``questions`` and ``uptime_s``, in short.

        They are the caller's own; the person at this machine is told those of the whole service.
        """
        ...

    async def close(self, drain_s: float = 10.0) -> None:
        """Take nothing on, let runs end within the time, stop the rest and close every session."""
        ...
