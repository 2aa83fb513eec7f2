"""A person at a page whose acts are recorded: Playwright's own pointer and keyboard, whose events are as trusted as a person's."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page

from actuators.browser.playwright.recording.recorder import PlaywrightRecorder
from actuators.browser.playwright.recording.tab_watch import CAUSED_S
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.session.launching import BrowserSettings
from actuators.browser.ports.recordings import PageEvent
from agent.cli.recording.recordings import ReplayWish, replay_flow
from agent.recording.recording_log import RecordingLog
from agent.settings.settings import Settings
from core.results.tool_results import RunResult
from core.tools.ports import ActionContext
from fixtures.machine.network import DeclaredNetwork

SETTINGS = Settings(inner_hosts=["127.0.0.1"], failure_pictures=False, log_file="off")


class RecordedPerson:
    """What a person does on a page, and what is recorded of it.

    Attributes:
        page: The first tab.
        log: What was recorded.
    """

    def __init__(self, session: PlaywrightSession, workspace: Path) -> None:
        """Open nothing yet."""
        self._session = session
        self.log = RecordingLog(workspace, wish="all")
        self.recorder = PlaywrightRecorder(session, self._take)
        self._unheard: list[PageEvent] = []
        self._heard = asyncio.Event()
        self.page: Page

    async def open(self, url: str) -> Page:
        """Begin at an address; return the tab."""
        await self.recorder.open(url)
        self.page = await self._session.open_page(ActionContext("test", timeout_s=5))
        return self.page

    async def list_steps(self) -> list[tuple[str, dict[str, Any]]]:
        """Return the verbs and params of what was recorded, but for the opening of the first page."""
        await self.recorder.settle()
        steps = [(step.goal.verb, dict(step.goal.params)) for step in self.log.steps if step.goal]
        assert steps[0][0] == "navigate"
        return steps[1:]

    async def hear(self, kind: str, tab: int = 0) -> None:
        """Wait for the next event of a kind that was not waited for yet."""
        async with asyncio.timeout(60):
            while not (found := [each for each in self._unheard if (each.kind, each.tab) == (kind, tab)]):
                self._heard.clear()
                await self._heard.wait()
        self._unheard.remove(found[0])

    async def see_quiet(self) -> None:
        """Wait until what a page does can no longer be the doing of the latest click."""
        await self.page.evaluate("wait_ms => new Promise((done) => setTimeout(done, wait_ms))", CAUSED_S * 1000)

    def _take(self, event: PageEvent) -> None:
        self.log.take(event)
        self._unheard.append(event)
        self._heard.set()

    async def replay(self, **secrets: str) -> RunResult:
        """Carry out what was recorded, in a fresh browser."""
        await self.recorder.settle()
        text = self.log.write("test")
        return await replay_flow(text, ReplayWish(SETTINGS, self.log.workspace, self.log.uploads, secrets))


@asynccontextmanager
async def open_person(browser: Browser, folder: Path) -> AsyncGenerator[RecordedPerson]:
    """Give a person a fresh context."""
    settings = BrowserSettings(
        artifacts_dir=folder / "artifacts", network=DeclaredNetwork(), named_hosts=("127.0.0.1", "localhost")
    )
    session = PlaywrightSession.over(browser, settings)
    person = RecordedPerson(session, folder)
    try:
        yield person
    finally:
        await person.recorder.close()
        await session.close()
