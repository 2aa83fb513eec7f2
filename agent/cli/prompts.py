"""Approval prompts on the terminal."""

import asyncio
import sys
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager, nullcontext

from core.approvals import ApprovalRequest, ClassGate
from core.phrases import split_lines
from core.rule_types import ApprovalClass

if sys.platform != "win32":
    import termios


class TerminalGate:
    """Asks the person at the terminal for what was not approved beforehand."""

    def __init__(
        self, classes: Collection[ApprovalClass], hold: Callable[[], AbstractContextManager[None]] = nullcontext
    ) -> None:
        """Approve these classes without asking.

        Args:
            classes: What was approved beforehand.
            hold: Keeps the terminal free of everything else while a question is open.
        """
        self._given = ClassGate(classes)
        self._hold = hold
        self._turn = asyncio.Lock()

    async def decide(self, request: ApprovalRequest) -> bool:
        """Ask, one question at a time; anything but yes is no."""
        if await self._given.decide(request):
            return True
        async with self._turn:
            with self._hold():
                return await _ask(f"? {request.kind}: {request.text}\n{_show_diff(request)}  Do it? [y/N] ")


def _show_diff(request: ApprovalRequest) -> str:
    diff = request.preview.diff if request.preview else ""
    return "".join(f"    {line}\n" for line in split_lines(diff))


async def _ask(question: str) -> bool:
    _forget_typed()
    sys.stderr.write(question)
    sys.stderr.flush()
    answer = await _read_line()
    if not answer.endswith("\n"):
        sys.stderr.write("\n")
    return answer.strip().lower() in {"y", "yes"}


def _forget_typed() -> None:
    """Drop what was typed before the question was there: it can't be the answer to it."""
    if sys.platform != "win32":
        termios.tcflush(sys.stdin, termios.TCIFLUSH)


async def _read_line() -> str:
    """Read a line without keeping the program from stopping while nobody answers."""
    loop = asyncio.get_running_loop()
    if sys.platform == "win32":
        return await loop.run_in_executor(None, sys.stdin.readline)
    answered: asyncio.Future[str] = loop.create_future()
    loop.add_reader(sys.stdin, lambda: answered.done() or answered.set_result(sys.stdin.readline()))
    try:
        return await answered
    finally:
        loop.remove_reader(sys.stdin)
