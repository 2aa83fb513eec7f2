"""Takes pictures of the console at work: `python3 scripts/console_pictures.py [--into FOLDER]`, and prints what axe finds on each.

Starts a service as `surehand serve` does and the fixture sites, drives real runs, and looks at them in a browser as a person would, each place
in light and dark colours and on a phone: a run in progress, a plan to look at first, a diff to approve, a failure and its pictures, a page taken
over, many sessions. Ends with 1 if axe finds anything, or a place is wider than its screen.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the scripts import each other from the root

from scripts.setup import bootstrap, chromium

if TYPE_CHECKING:
    from collections.abc import Generator

    from playwright.async_api import Browser, Page, ViewportSize

ROOT = Path(__file__).resolve().parents[1]
LARGE: ViewportSize = {"width": 1360, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
LOOKS: dict[str, tuple[ViewportSize, Literal["dark", "light"]]] = {
    "light": (LARGE, "light"),
    "dark": (LARGE, "dark"),
    "phone": (PHONE, "light"),
}
AXE = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice", "experimental"],
}
"""All rules, those as well that axe leaves out where nobody names them."""

SESSIONS = 40
NOTES = "Shopping list\n\n- milk\n- bread\n- apples\n"
WANTED = "Shopping list\n\n- milk\n- bread, two loaves\n- apples\n- a blue mug\n"


@dataclass(frozen=True, slots=True)
class Place:
    """A service to look at.

    Attributes:
        address: Where it answers.
        token: Lets us in.
        site: Address of the fixture sites.
        socket: Where it answers whoever has this machine, and tells codes.
    """

    address: str
    token: str
    site: str
    socket: str

    def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """Return what the service answers."""
        import httpx

        headers = {"Authorization": f"Bearer {self.token}"}
        method = "GET" if body is None else "POST"
        answer = httpx.request(
            method, f"{self.address}/{path}", json=body, headers=headers, timeout=60, trust_env=False
        )
        return answer.raise_for_status().json()

    def make_code(self) -> str:
        """Return a one-time code for the console."""
        import httpx

        with httpx.Client(transport=httpx.HTTPTransport(uds=self.socket)) as client:
            headers = {"Authorization": f"Bearer {self.token}"}
            told = client.post(f"{self.address}/v1/console/code", json={}, headers=headers)
        return str(told.raise_for_status().json()["code"])

    def begin(self, **order: Any) -> str:
        """Begin a run and return its id."""
        return str(self.ask("v1/runs", order)["run_id"])


async def show_progress(place: Place, page: Page) -> None:
    """A run with two branches, halfway through."""
    flow = (ROOT / "fixtures" / "flows" / "order.yaml").read_text(encoding="utf-8")
    flow = flow.replace("http://127.0.0.1:8123", place.site).replace("ms=600", "ms=9000")
    sessions = len(place.ask("v1/sessions"))
    run_id = place.begin(flow=flow, session=f"shop-{sessions + 1}")
    await go(page, f"/runs/{run_id}")
    await page.locator(".receipt.look-confirmed").nth(4).wait_for()
    await page.locator('.screen-frame[src^="data:"]').wait_for()


async def show_now(place: Place, page: Page) -> None:
    """What runs, what waits, what ran."""
    del place
    await go(page, "/")
    await page.locator(".row").first.wait_for()


async def show_plan(place: Place, page: Page) -> None:
    """What a sentence would do."""
    await go(page, "/")
    goal = f'open {place.site}/shop/catalogue, read the title, and write "a blue mug" to order.txt'
    await page.get_by_label("What shall be done?", exact=True).fill(goal)
    await page.get_by_role("button", name="Plan first").click()
    await page.locator(".diff").wait_for()


async def show_diff(place: Place, page: Page) -> None:
    """Two changes that wait for a person."""
    goals = [
        {"domain": "file", "verb": "write", "params": {"path": "workspace:/notes.txt", "content": WANTED}},
        {"domain": "file", "verb": "write", "params": {"path": "workspace:/todo.txt", "content": "Buy the mug.\n"}},
    ]
    goals[1]["scope"] = "root"
    waiting = place.ask("v1/questions?session=files")
    run_id = waiting[0]["run_id"] if waiting else place.begin(goals=goals, session="files")
    await go(page, f"/runs/{run_id}")
    await page.locator(".question").nth(1).wait_for()


async def show_failure(place: Place, page: Page) -> None:
    """A button that is not there."""
    goals = [
        {"domain": "browser", "verb": "navigate", "params": {"url": f"{place.site}/shop/catalogue"}},
        {"domain": "browser", "verb": "click", "params": {"selector": 'button "Buy now"'}, "scope": "after:g0"},
        {"domain": "browser", "verb": "read", "params": {"target": "title"}, "scope": "after:g1"},
    ]
    run_id = place.begin(goals=goals, session="trial")
    await go(page, f"/runs/{run_id}")
    await page.locator(".picture img[src^=blob]").first.wait_for(timeout=60_000)
    await page.locator(".reply").wait_for()


async def show_takeover(place: Place, page: Page) -> None:
    """A page that a person has."""
    del place
    await go(page, "/watch/shop-1")
    await page.locator('.screen-frame[src^="data:"]').wait_for()
    take = page.get_by_role("button", name="Take over")
    await take.or_(page.get_by_role("button", name="Hand back")).wait_for()
    if await take.is_visible():  # else it is held since the picture before
        await take.click()
    await page.locator(".screen-note").wait_for(timeout=60_000)


async def show_pictures(place: Place, page: Page) -> None:
    """An act's page before and after it, large."""
    goals = [
        {"domain": "browser", "verb": "navigate", "params": {"url": f"{place.site}/shop/signin"}},
        {
            "domain": "browser",
            "verb": "type",
            "params": {"selector": 'field "Email"', "text": "ada@example.com"},
            "scope": "after:g0",
        },
    ]
    run_id = place.begin(goals=goals, session="pictures", wait=True)
    await go(page, f"/runs/{run_id}")
    await page.locator("#step-g1_type_1").get_by_role("button", name="Before").click()
    await page.locator("dialog img[src^=blob]").nth(1).wait_for()


async def show_sessions(place: Place, page: Page) -> None:
    """Many sessions: some named, most by programs, one with a long name."""
    if len(place.ask("v1/sessions")) < SESSIONS:
        place.begin(text="list files", session="the-weekly-order-of-mugs-and-plates-for-the-northern-shop")
        for number in range(SESSIONS):
            address = f"{place.site}/shop/catalogue/everyday/mugs/large/blue/item-{4711 + number}"
            names = (f"mcp-{0xA1B2C3D4 + number:08x}", f"client-{0xA1B2C3D4E5F6 + number:012x}", f"order-{number}")
            place.begin(
                text=f"find files named quarterly-report-of-the-northern-region-{number}.txt"
                if number % 4
                else f"wait for 0.01 seconds and go to {address}",
                session=names[number % 3],
            )
    await go(page, "/sessions")
    await page.get_by_text("Idle").first.wait_for()


async def show_sign_in(place: Place, page: Page) -> None:
    """Where nobody signed in."""
    del place
    await page.context.clear_cookies()
    await page.evaluate("localStorage.clear()")
    await page.reload()
    await page.get_by_role("heading", name="Sign in").wait_for()


async def show_rules(place: Place, page: Page) -> None:
    """The table of verbs."""
    del place
    await go(page, "/rules")
    await page.locator(".family").first.wait_for()


async def show_health(place: Place, page: Page) -> None:
    """How the machine does."""
    del place
    await go(page, "/health")
    await page.locator(".check").first.wait_for(timeout=60_000)


SCENES: dict[str, Callable[[Place, Page], Awaitable[None]]] = {
    "sign-in": show_sign_in,
    "run-in-progress": show_progress,
    "take-over": show_takeover,
    "plan-first": show_plan,
    "diff-to-approve": show_diff,
    "failure": show_failure,
    "pictures": show_pictures,
    "now": show_now,
    "sessions": show_sessions,
    "rules": show_rules,
    "health": show_health,
}


async def go(page: Page, path: str) -> None:
    """Go to a place of the console."""
    await page.get_by_text("Connected").wait_for(state="attached")
    await page.evaluate("path => { location.hash = path }", path)


async def list_faults(page: Page) -> list[str]:
    """Return what axe finds on a page, and whether it is wider than its screen."""
    from axe_playwright_python.async_playwright import Axe

    found = (await Axe().run(page, options=AXE)).response["violations"]
    faults = [
        f"{each['id']} ({each['impact']}): {node['target']} {node.get('failureSummary', '')}"
        for each in found
        for node in each["nodes"]
    ]
    beyond = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return [*faults, *([f"{beyond} px wider than the screen"] if beyond > 0 else [])]


async def take_picture(name: str, look: str, place: Place, browser: Browser) -> tuple[bytes, list[str]]:
    """Play a scene and return its picture, and what is wrong with it."""
    size, scheme = LOOKS[look]
    context = await browser.new_context(viewport=size, color_scheme=scheme, device_scale_factor=2, bypass_csp=True)
    page = await context.new_page()
    await page.goto(f"{place.address}/console/#code={place.make_code()}")
    await SCENES[name](place, page)
    picture, faults = await page.screenshot(), await list_faults(page)
    await context.close()
    return picture, faults


async def take_pictures(place: Place, folder: Path) -> int:
    """Take all pictures; return how many faults there are."""
    from playwright.async_api import async_playwright

    from actuators.browser.playwright.session.discovery import find_browser
    from actuators.browser.playwright.session.programs import inspect_machine

    count = 0
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=find_browser(None, headed=False).require().executable,
            chromium_sandbox=not inspect_machine().is_root,
        )
        for name, look in product(SCENES, LOOKS):
            picture, faults = await take_picture(name, look, place, browser)
            path = folder / f"{name}-{look}.png"
            path.write_bytes(picture)
            print(f"{path}  faults: {len(faults)}", *faults, sep="\n    ", flush=True)
            count += len(faults)
        await browser.close()
    return count


@contextmanager
def serve(workspace: Path) -> Generator[Place]:
    """Serve a workspace and the fixture sites."""
    from fixtures.site_server import SiteServer

    (workspace / "notes.txt").write_text(NOTES, encoding="utf-8")
    command = [str(bootstrap.BIN / "surehand"), "serve", "--private", "--workspace", str(workspace)]
    with SiteServer() as site, subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as service:
        assert service.stdout
        told = json.loads(service.stdout.readline())
        yield Place(told["address"], told["token"], site.url, told["socket"])
        service.communicate()


def main() -> int:
    """Take the pictures; return 1 if axe found anything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, default=ROOT / "build" / "console", help="where the pictures go")
    asked = parser.parse_args()
    try:
        bootstrap.prepare("dev")
        chromium.ensure(bootstrap.PYTHON)
    except bootstrap.SetupError as error:
        sys.stderr.write(f"setup: {error}\n")
        return 1
    if Path(sys.prefix).resolve() != bootstrap.VENV.resolve():
        return bootstrap.hand_over([str(bootstrap.PYTHON), str(Path(__file__).resolve()), *sys.argv[1:]])
    asked.into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="sh-console-") as folder, serve(Path(folder)) as place:
        faults = asyncio.run(take_pictures(place, asked.into))
    print(f"axe found {faults or 'nothing'} on {len(SCENES) * len(LOOKS)} pictures")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
