"""AsyncSurehand: the same hand for asyncio; each call waits in a thread of its own, so that none waits for another."""

import os
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Self, Unpack

from .calls import RunCall
from .conversing import Conversing, begin_call, begin_resuming, finish_call
from .events import RunEvent
from .hand_parts import HandOptions
from .hands import Surehand
from .questions import Answered, AskedQuestion, AsyncAnswerMaker, say_no
from .records import RunFile, SeenOutline, SessionState, UndoReport
from .reports import RunReport
from .threads import AsyncAnswers, iterate_in_thread, wait_in_thread
from .wishes import AsyncRunWishes, AsyncStreamWishes, OpeningWishes, PlanWishes


class AsyncHandRecords:
    """What can be asked about runs, sessions, questions and files."""

    def __init__(self, hand: Surehand) -> None:
        self._hand = hand

    @property
    def session(self) -> str:
        """Name of the session that calls are for where they name none."""
        return self._hand.session

    async def find_runs(self, words: str = "", *, session: str = "", most: int = 50) -> Sequence[RunReport]:
        """Return your runs in short, as `Surehand.find_runs` does."""
        return await wait_in_thread(partial(self._hand.find_runs, words, session=session, most=most))

    async def read_run(self, run_id: str) -> RunReport:
        """Return what is known of a run now."""
        return await wait_in_thread(partial(self._hand.read_run, run_id))

    async def list_planners(self) -> Sequence[Mapping[str, Any]]:
        """Return all planners, as `Surehand.list_planners` does."""
        return await wait_in_thread(self._hand.list_planners)

    async def list_backlog(self, *, state: str = "") -> Sequence[Mapping[str, Any]]:
        """Return what planners have to do, as `Surehand.list_backlog` does."""
        return await wait_in_thread(partial(self._hand.list_backlog, state=state))

    async def add_to_backlog(
        self, item_id: str, capability: str, data: Mapping[str, Any], *, priority: int = 0
    ) -> None:
        """Add something for a planner to do, as `Surehand.add_to_backlog` does."""
        await wait_in_thread(partial(self._hand.add_to_backlog, item_id, capability, data, priority=priority))

    async def work(self, capability: str = "", *, most: int | None = None) -> Sequence[Mapping[str, Any]]:
        """Work the backlog off, as `Surehand.work` does."""
        return await wait_in_thread(partial(self._hand.work, capability, most=most))

    async def list_sessions(self) -> Sequence[SessionState]:
        """Return your sessions."""
        return await wait_in_thread(self._hand.list_sessions)

    async def open_session(self, session: str = "", **wishes: Unpack[OpeningWishes]) -> SessionState:
        """Open a session that is to be like this, as `Surehand.open_session` does."""
        return await wait_in_thread(partial(self._hand.open_session, session, **wishes))

    async def close_session(self, session: str) -> None:
        """Stop what runs in a session and close its pages."""
        await wait_in_thread(partial(self._hand.close_session, session))

    async def list_questions(self, *, session: str = "") -> Sequence[AskedQuestion]:
        """Return what waits for an answer, in one session or in all of yours."""
        return await wait_in_thread(partial(self._hand.list_questions, session=session))

    async def answer(self, question: AskedQuestion, answer: Answered) -> None:
        """Answer a question, as `Surehand.answer` does."""
        await wait_in_thread(partial(self._hand.answer, question, answer))

    async def list_files(self, run: RunReport | str) -> Sequence[RunFile]:
        """Return the files that a run made."""
        return await wait_in_thread(partial(self._hand.list_files, run))

    async def read_file(self, file: RunFile) -> bytes:
        """Return the bytes of a file, as they were made."""
        return await wait_in_thread(partial(self._hand.read_file, file))

    async def save_file(self, file: RunFile, place: str | os.PathLike[str]) -> Path:
        """Save a file, and return where."""
        return await wait_in_thread(partial(self._hand.save_file, file, place))


class AsyncSurehand(AsyncHandRecords):
    """Does what `Surehand` does, for asyncio: cancelling a task stops its run. Each method is told of there."""

    def __init__(self, address: str | os.PathLike[str] | None = None, **options: Unpack[HandOptions]) -> None:
        """Get ready; nothing is started or asked.

        Args:
            address: Where a service answers; None for one of this process alone.
            **options: As of `HandOptions`.

        Raises:
            BadOrderError: If they do not fit together.
            ServiceGoneError: If no service serves the folder.
        """
        super().__init__(Surehand(address, **options))

    async def __aenter__(self) -> Self:
        """Return the hand."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close it."""
        await self.close()

    async def close(self) -> None:
        """Stop what goes on in its own session and close that; a private service ends."""
        await wait_in_thread(self._hand.close)

    async def run(self, text: str | None = None, **wishes: Unpack[AsyncRunWishes]) -> RunReport:
        """Do something, and return what came of it, as `Surehand.run` does."""
        return await self._carry_out(partial(begin_call, self._hand.parts, text), wishes)

    async def stream(self, text: str | None = None, **wishes: Unpack[AsyncStreamWishes]) -> AsyncGenerator[RunEvent]:
        """Do something, and yield its events as they occur, as `Surehand.stream` does."""
        answers, plain = _translate(wishes)
        call = begin_call(self._hand.parts, text, plain)
        async for event in iterate_in_thread(call.follow(), partial(_cancel, call, answers)):
            yield event

    async def say(self, text: str, **wishes: Unpack[AsyncRunWishes]) -> RunReport:
        """Say something in the session's conversation, as `Surehand.say` does."""
        return await self._carry_out(partial(begin_call, self._hand.parts, text, said=True), wishes)

    async def plan(self, text: str | None = None, **wishes: Unpack[PlanWishes]) -> Mapping[str, Any]:
        """Return how something would be done, as `Surehand.plan` does."""
        return await wait_in_thread(partial(self._hand.plan, text, **wishes))

    async def look(self, *, session: str = "", **params: Any) -> SeenOutline:
        """Return what is on the session's page, as `Surehand.look` does."""
        return await wait_in_thread(partial(self._hand.look, session=session, **params))

    async def stop(self, run_id: str = "") -> int:
        """Stop a run, or all that go on in the hand's session; return how many were stopped."""
        return await wait_in_thread(partial(self._hand.stop, run_id))

    async def undo(self, run: RunReport | str, *, dry: bool = False, answer: AsyncAnswerMaker = say_no) -> UndoReport:
        """Undo what a run did, as `Surehand.undo` does."""
        answers = AsyncAnswers(answer)
        return await wait_in_thread(partial(self._hand.undo, run, dry=dry, answer=answers.ask), answers.give_up)

    async def resume(self, run_id: str, **wishes: Unpack[AsyncRunWishes]) -> RunReport:
        """Go on with a run whose process ended, as `Surehand.resume` does."""
        return await self._carry_out(partial(begin_resuming, self._hand.parts, run_id), wishes)

    async def _carry_out(
        self, begin: Callable[[Mapping[str, Any]], Conversing | RunCall], wishes: Mapping[str, Any]
    ) -> RunReport:
        answers, plain = _translate(wishes)
        call = begin(plain)
        return finish_call(await wait_in_thread(call.wait, partial(_cancel, call, answers)), plain)


def _translate(wishes: Mapping[str, Any]) -> tuple[AsyncAnswers | None, Mapping[str, Any]]:
    """Return who is asked on the loop, and the wishes with one who can be asked in a thread."""
    if not (answer := wishes.get("answer")):
        return None, wishes
    answers = AsyncAnswers(answer)
    return answers, {**wishes, "answer": answers.ask}


def _cancel(call: Conversing | RunCall, answers: AsyncAnswers | None) -> None:
    call.cancel()
    if answers:
        answers.give_up()
