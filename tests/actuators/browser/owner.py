"""A program that owns browser sessions, for tests that watch it from outside or kill it.

owner.py hang URL    open a page, go to an address that never ends loading, and say when it is under way
owner.py repeat N    open and close N sessions one after the other; say after each what the process holds
"""

import asyncio
import gc
import json
import sys
import tempfile
from pathlib import Path

import psutil

from actuators.browser.playwright.session.browser_session import BrowserSettings, PlaywrightSession
from core.tools.ports import ActionContext
from tests.actuators.browser.hands import Hands

CONTEXT = ActionContext("g0_owner_1", timeout_s=60)


def say(**facts: object) -> None:
    """Write a line of JSON at once."""
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()


def count_descriptors(process: psutil.Process) -> int:
    """Count what the process holds open."""
    return process.num_fds() if sys.platform != "win32" else process.num_handles()


def list_temporary_files() -> list[str]:
    """List what lies in the folder for temporary files."""
    return sorted(entry.name for entry in Path(tempfile.gettempdir()).iterdir())


async def hang(url: str) -> None:
    """Be in the middle of an action for ever."""
    session = PlaywrightSession(BrowserSettings())
    page = await session.open_page(CONTEXT)
    say(started=True)
    page.on("framenavigated", lambda _: say(under_way=True))
    await Hands(session).navigate(CONTEXT, url)


async def repeat(count: int) -> None:
    """Open and close sessions, each with a page that holds some memory."""
    process = psutil.Process()
    for _ in range(count):
        session = PlaywrightSession(BrowserSettings())
        page = await session.open_page(CONTEXT)
        await page.set_content("<title>x</title>" + "<p>text</p>" * 1000)
        await Hands(session).read(CONTEXT, target="title")
        children = len(process.children(recursive=True))
        await session.close()
        gc.collect()
        say(
            children_while_open=children,
            children=len(process.children(recursive=True)),
            descriptors=count_descriptors(process),
            memory=process.memory_info().rss,
            files=list_temporary_files(),
            tasks=len(asyncio.all_tasks()),
        )


if __name__ == "__main__":
    asyncio.run(hang(sys.argv[2]) if sys.argv[1] == "hang" else repeat(int(sys.argv[2])))
