"""Waiting in a thread of its own: asyncio goes on meanwhile, and what is cancelled there is broken off here."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from inspect import isawaitable
from typing import TypeVar

from .questions import AskedQuestion, AsyncAnswerMaker, GivenAnswer

Value = TypeVar("Value")


async def wait_in_thread(work: Callable[[], Value], cancel: Callable[[], None] | None = None) -> Value:
    """Return what some work returns. Each call has a thread of its own: a pool would let one run wait for another.

    Args:
        cancel: Makes it end early, where it can; called when the caller is cancelled, who then waits for the end.

    Raises:
        BaseException: What the work raises.
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
    """Begin some work in a thread that is there for nothing else, and return what its end is told to."""
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
        """Remember whom to ask, and on which loop.

        Args:
            answer: Returns an answer, or is a coroutine function.
        """
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
