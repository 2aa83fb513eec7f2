"""The console of a real service in a real Chromium, over the fixture sites."""

import json
import subprocess
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.async_api import Browser, Page, async_playwright

from actuators.browser.playwright.session.discovery import find_browser
from actuators.browser.playwright.session.programs import inspect_machine
from agent.access.token_gate import Principal, TokenGate
from agent.facts.workspace_facts import WorkspaceFacts
from agent.hosting.local_service import LocalService
from agent.hosting.workspace_sessions import WorkspaceSessions
from agent.http.app import AppParts, make_app
from agent.settings.settings import Settings
from agent.web.server import DoorServer, listen_on
from fixtures.site_server import SiteServer
from scripts.engine import NODE

SCRIPTS = Path(__file__).resolve().parents[3] / "agent" / "console" / "scripts"
READER = "reader"
GUEST = "guest"
OWNER = "owner"
_RUNNER = """
import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) {
  const { file, name, given } = JSON.parse(line);
  const module = await import(file);
  console.log(JSON.stringify(module[name](...given) ?? null));
}
"""


@dataclass(frozen=True, slots=True)
class Console:
    """A served console.

    Attributes:
        port: Where it is.
        folder: The workspace.
        site: Address of the fixture sites.
        service: What it shows.
        gate: Lets in.
        faults: What the page said on its own console.
    """

    port: int
    folder: Path
    site: str
    service: LocalService
    gate: TokenGate
    faults: list[str] = field(default_factory=list[str])

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def open(self, page: Page, place: str = "/", token: str = OWNER) -> None:
        """Sign in by a code for whoever has a token, and go to a place."""
        page.on("console", lambda told: self.faults.append(told.text) if told.type == "error" else None)
        page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        await page.goto(f"{self.address}/console/#code={self.make_code(token)}")
        await page.get_by_text("Connected").wait_for()
        await page.evaluate("place => { location.hash = place }", place)

    def make_code(self, token: str = OWNER) -> str:
        """Return a code as the terminal shows it."""
        return self.gate.consoles.make_code(self.gate.recognise(token, "cli").principal)

    async def begin(self, token: str = OWNER, **order: Any) -> str:
        """Begin a run as another program would, and return its id."""
        async with httpx.AsyncClient(base_url=self.address, trust_env=False, timeout=60) as client:
            told = await client.post("/v1/runs", json=order, headers={"Authorization": f"Bearer {token}"})
            return str(told.raise_for_status().json()["run_id"])


@pytest.fixture
async def console(tmp_path: Path) -> AsyncIterator[Console]:
    sessions = WorkspaceSessions(Settings(), tmp_path)
    service = LocalService(sessions.open, close_rest=sessions.close)
    principals = [
        Principal(name="", token=OWNER),
        Principal(name="watcher", token=READER, scopes=frozenset({"read"})),
        Principal(name="anna", token=GUEST, scopes=frozenset({"read", "run"})),
    ]
    listener = listen_on("127.0.0.1", 0)
    gate = TokenGate(principals)

    async def find_facts() -> WorkspaceFacts:
        return WorkspaceFacts(tmp_path)

    server = DoorServer(make_app(service, gate, AppParts(find_facts=find_facts)), [listener])
    server.start()
    with SiteServer() as site:
        yield Console(listener.getsockname()[1], tmp_path, site.url, service, gate)
        await service.close(0)
        await server.stop()


@pytest.fixture(scope="module")
async def person_browser() -> AsyncIterator[Browser]:
    """A browser as a person has one: no proxy of ours stands around it."""
    found = find_browser(None, headed=False).require()
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(
            executable_path=found.executable, chromium_sandbox=not inspect_machine().is_root
        )
        yield started
        await started.close()


@pytest.fixture
async def page(person_browser: Browser) -> AsyncIterator[Page]:
    context = await person_browser.new_context(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    yield await context.new_page()
    await context.close()


class Scripts:
    """Calls what the console's modules export, in a Node of its own."""

    def __init__(self) -> None:
        command = [str(NODE), "--input-type=module", "-e", _RUNNER]
        self._node = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def call(self, file: str, name: str, *given: Any) -> Any:
        """Return what a function returns for plain data."""
        assert self._node.stdin
        assert self._node.stdout
        asked = {"file": (SCRIPTS / file).as_uri(), "name": name, "given": given}
        self._node.stdin.write(json.dumps(asked) + "\n")
        self._node.stdin.flush()
        return json.loads(self._node.stdout.readline())

    def close(self) -> None:
        """End it."""
        self._node.communicate()


@pytest.fixture(scope="module")
def scripts() -> Iterator[Scripts]:
    made = Scripts()
    yield made
    made.close()
