"""A process that is asked by lines of JSON, and answers each with one."""

import asyncio
import contextlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

MOST_BYTES = 64 * 1024 * 1024
END_LIMIT_S = 15.0


class LineProcess:
    """Speaks JSON, a value a line, with a process; what it says on standard error is dropped."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        """Speak with a process; `start` makes one."""
        self._process = process

    @classmethod
    async def start(cls, command: Sequence[str], folder: Path, variables: Mapping[str, str]) -> "LineProcess":
        """Start a process.

        Args:
            command: Program and arguments.
            folder: Its working folder.
            variables: Its environment.
        """
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=folder,
            env=dict(variables),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=MOST_BYTES,
        )
        return cls(process)

    async def say(self, value: object) -> None:
        """Send a value."""
        assert self._process.stdin
        self._process.stdin.write(json.dumps(value).encode() + b"\n")
        await self._process.stdin.drain()

    async def hear(self) -> Any:
        """Return the next value that it says; lines that are none are passed over.

        Raises:
            EOFError: If it has ended.
        """
        assert self._process.stdout
        while line := await self._process.stdout.readline():
            with contextlib.suppress(ValueError):
                return json.loads(line)
        raise EOFError("the process ended before it answered")

    async def close(self) -> None:
        """Let it end; one that doesn't is killed."""
        assert self._process.stdin
        self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), END_LIMIT_S)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
