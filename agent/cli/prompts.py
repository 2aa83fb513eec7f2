"""Approval prompts on the terminal."""

import asyncio
import sys
from collections.abc import Collection

from core.approvals import ApprovalRequest, ClassGate
from core.rule_types import ApprovalClass


class TerminalGate:
    """Asks the person at the terminal for what was not approved beforehand."""

    def __init__(self, classes: Collection[ApprovalClass]) -> None:
        """Approve these classes without asking."""
        self._given = ClassGate(classes)
        self._turn = asyncio.Lock()

    async def decide(self, request: ApprovalRequest) -> bool:
        """Ask, one question at a time; anything but yes is no."""
        if await self._given.decide(request):
            return True
        async with self._turn:
            sys.stderr.write(f"? {request.kind}: {request.text}\n  Do it? [y/N] ")
            sys.stderr.flush()
            answer = await _read_line()
            return answer.strip().lower() in {"y", "yes"}


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
