"""RunTelling: what happens in a run is told in order, and nothing before the rows that it rests on are on the disk."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import replace

from core.execution.run_context import RunHooks
from core.planning.plans import PlannedAction
from core.results.tool_results import StepLog

Say = Callable[[], None]
_Writing = asyncio.Future[StepLog]


class RunTelling:
    """Passes on to hooks what happens; whatever comes after something that waits for its row waits with it."""

    def __init__(self, hooks: RunHooks, on_fault: Say) -> None:
        """Tell nothing yet; when a hook fails that was told late, say so, and let ``check`` raise it."""
        self._hooks = hooks
        self._on_fault = on_fault
        self._waiting: deque[tuple[Say, _Writing | None]] = deque()
        self._late: set[asyncio.Future[None]] = set()
        self._fault: BaseException | None = None

    @property
    def hooks(self) -> RunHooks:
        """What is told by itself, for those who know of hooks only."""
        return RunHooks(
            on_start=self.start,
            on_end=self.end,
            on_question=lambda request, answer: self._tell(lambda: self._hooks.on_question(request, answer)),
            on_extend=lambda graph: self._tell(lambda: self._hooks.on_extend(graph)),
        )

    @property
    def is_waiting(self) -> bool:
        """Whether something is still to be told."""
        return bool(self._waiting)

    def start(self, action: PlannedAction) -> None:
        """Tell that an action started."""
        self._tell(lambda: self._hooks.on_start(action))

    def end(self, log: StepLog, writing: _Writing | None = None) -> None:
        """Tell that an action ended, once its receipt is written down with what has to be said of that, where it must be."""
        self._tell(lambda: self._hooks.on_end(read_written(log, writing)), writing)

    def check(self) -> None:
        """Raise what a hook raised that was told late."""
        fault, self._fault = self._fault, None
        if fault:
            raise fault

    async def settle(self, limit_s: float | None = None) -> None:
        """Return once all is told; what is still being written after so many seconds is told as it is, None for no limit."""
        if writings := {writing for _, writing in self._waiting if writing}:
            await asyncio.wait(writings, timeout=limit_s)
        self._waiting = deque((say, None) for say, _ in self._waiting)
        self._go_on()
        if self._late:
            await asyncio.wait(set(self._late))
            await asyncio.sleep(0)  # what they raised is noted in a turn of the loop of its own
        self.check()

    def _tell(self, say: Say, writing: _Writing | None = None) -> None:
        self._waiting.append((say, writing))
        if writing and not writing.done():
            writing.add_done_callback(self._go_on_late)
        self._go_on()

    def _go_on(self) -> None:
        while self._waiting:
            say, writing = self._waiting[0]
            if writing and not writing.done():
                return
            self._waiting.popleft()
            say()

    def _go_on_late(self, _: _Writing) -> None:
        """Go on, in a task: what a hook raises is for the run, and not for whoever wrote the row."""
        if self._waiting:
            late = asyncio.ensure_future(self._go_on_alone())
            self._late.add(late)
            late.add_done_callback(self._note_fault)

    async def _go_on_alone(self) -> None:
        self._go_on()

    def _note_fault(self, late: asyncio.Future[None]) -> None:
        self._late.discard(late)
        if not late.cancelled() and (fault := late.exception()):
            self._fault = fault
            self._on_fault()


def read_written(log: StepLog, writing: _Writing | None) -> StepLog:
    """Return a receipt with what has to be said of its writing, as far as that is known and it is written at all."""
    if writing is None or not writing.done() or writing.cancelled() or writing.exception():
        return log
    return replace(log, result=replace(log.result, note=writing.result().result.note))  # the rest of it was known later
