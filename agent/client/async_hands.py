"""AsyncSurehand: the same hand for asyncio; each call waits in a thread of its own, so that none waits for another."""

import asyncio
import os
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Mapping
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from functools import partial, wraps
from inspect import isawaitable
from typing import Any, Concatenate, ParamSpec, Self, TypeVar, Unpack

from .calls import RunCall
from .conversing import Conversing, begin_call, begin_resuming, finish_call
from .events import RunEvent
from .hand_parts import HandOptions
from .hands import Surehand
from .questions import AskedQuestion, AsyncAnswerMaker, GivenAnswer, say_no
from .records import UndoReport
from .reports import RunReport
from .wishes import AsyncRunWishes, AsyncStreamWishes

Value = TypeVar("Value")
Given = ParamSpec("Given")


async def wait_in_thread(work: Callable[[], Value], cancel: Callable[[], None] | None = None) -> Value:
    """Return what some work returns. Each call has a thread of its own: a pool would let one run wait for another.

    Args:
        cancel: Makes it end early, where it can; called when the caller is cancelled, who then waits for the end.
    """
    done = _begin(work)
    try:
        return await asyncio.shield(done)
    except asyncio.CancelledError:
        if cancel and not done.done():
            cancel()
            await asyncio.wait([done])
        if done.done() and not done.cancelled():
            done.exception()  # it was seen: nobody has to be warned of it
        raise


def _begin(work: Callable[[], Value]) -> "asyncio.Future[Value]":
    thread = ThreadPoolExecutor(1, thread_name_prefix="surehand call")
    done = asyncio.wrap_future(thread.submit(work))
    thread.shutdown(wait=False)
    return done


async def iterate_in_thread(items: Iterator[Value], cancel: Callable[[], None]) -> AsyncIterator[Value]:
    """Yield what an iterator yields; whoever stops listening breaks it off."""
    loop = asyncio.get_running_loop()
    ready: asyncio.Queue[Value] = asyncio.Queue()

    def carry() -> None:
        for item in items:
            loop.call_soon_threadsafe(ready.put_nowait, item)

    work = asyncio.ensure_future(wait_in_thread(carry, cancel))
    try:
        while not (work.done() and ready.empty()):
            getting = asyncio.ensure_future(ready.get())
            await asyncio.wait({getting, work}, return_when=asyncio.FIRST_COMPLETED)
            if getting.done():
                yield getting.result()
            else:
                getting.cancel()
        await work
    finally:
        if not work.done():
            work.cancel()
            await asyncio.wait([work])


class AsyncAnswers:
    """Asks a caller on the event loop, for a run that waits in a thread."""

    def __init__(self, answer: AsyncAnswerMaker) -> None:
        self._answer = answer
        self._loop = asyncio.get_running_loop()
        self._asked: Future[GivenAnswer] | None = None
        self._gave_up = False

    def ask(self, question: AskedQuestion) -> GivenAnswer:
        """Return the answer; called in the thread."""
        self._asked = asyncio.run_coroutine_threadsafe(self._reply(question), self._loop)
        if self._gave_up:  # it was given up between the question and its note
            self._asked.cancel()
        try:
            return self._asked.result()
        except CancelledError:
            return None

    def give_up(self) -> None:
        """Wait for no answer any longer."""
        self._gave_up = True
        if self._asked:
            self._asked.cancel()

    async def _reply(self, question: AskedQuestion) -> GivenAnswer:
        given: GivenAnswer | Awaitable[GivenAnswer] = self._answer(question)
        return await given if isawaitable(given) else given


class AsyncSurehand:
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
        self._hand = Surehand(address, **options)

    @staticmethod
    def _in_thread(
        method: Callable[Concatenate[Surehand, Given], Value],
    ) -> Callable[Concatenate["AsyncSurehand", Given], Coroutine[Any, Any, Value]]:
        """Return a method of a hand for asyncio: it does what the same one of the hand behind does."""

        @wraps(method)
        async def wait(self: "AsyncSurehand", *args: Given.args, **kwargs: Given.kwargs) -> Value:
            return await wait_in_thread(partial(getattr(self._hand, method.__name__), *args, **kwargs))

        return wait

    find_runs = _in_thread(Surehand.find_runs)
    read_run = _in_thread(Surehand.read_run)
    list_planners = _in_thread(Surehand.list_planners)
    list_backlog = _in_thread(Surehand.list_backlog)
    add_to_backlog = _in_thread(Surehand.add_to_backlog)
    work = _in_thread(Surehand.work)
    list_sessions = _in_thread(Surehand.list_sessions)
    open_session = _in_thread(Surehand.open_session)
    close_session = _in_thread(Surehand.close_session)
    list_questions = _in_thread(Surehand.list_questions)
    answer = _in_thread(Surehand.answer)
    list_files = _in_thread(Surehand.list_files)
    read_file = _in_thread(Surehand.read_file)
    save_file = _in_thread(Surehand.save_file)
    plan = _in_thread(Surehand.plan)
    look = _in_thread(Surehand.look)
    stop = _in_thread(Surehand.stop)
    close = _in_thread(Surehand.close)

    @property
    def session(self) -> str:
        """Name of the session that calls are for where they name none."""
        return self._hand.session

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

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
