"""Takes pictures of the console at work: `python3 scripts/console_pictures.py [--into FOLDER]`, and prints what axe finds on each.

Starts a service as `surehand serve` does and the fixture sites, drives real runs, and looks at them in a browser as a person would: a run in
progress, a plan to look at first, a diff to approve, a failure, a page taken over, a phone, dark colours. Ends with 1 if axe finds anything.
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
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the scripts import each other from the root

from scripts.setup import bootstrap, chromium

if TYPE_CHECKING:
    from collections.abc import Generator

    from playwright.async_api import Browser, Page, ViewportSize

ROOT = Path(__file__).resolve().parents[1]
LARGE: ViewportSize = {"width": 1360, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
NOTES = "Shopping list\n\n- milk\n- bread\n- apples\n"
WANTED = "Shopping list\n\n- milk\n- bread, two loaves\n- apples\n- a blue mug\n"


@dataclass(frozen=True, slots=True)
class Place:
    """A service to look at.

    Attributes:
        address: Where it answers.
        token: Lets us in.
        site: Address of the fixture sites.
    """

    address: str
    token: str
    site: str

    def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """Return what the service answers."""
        import httpx

        headers = {"Authorization": f"Bearer {self.token}"}
        method = "GET" if body is None else "POST"
        answer = httpx.request(
            method, f"{self.address}/{path}", json=body, headers=headers, timeout=60, trust_env=False
        )
        return answer.raise_for_status().json()

    def begin(self, **order: Any) -> str:
        """Begin a run and return its id."""
        return str(self.ask("v1/runs", order)["run_id"])


@dataclass(frozen=True, slots=True)
class Scene:
    """What a picture is taken of.

    Attributes:
        name: Of its file.
        play: Brings the page there.
        size: Of the window.
        is_dark: Whether in dark colours.
    """

    name: str
    play: Callable[[Place, Page], Awaitable[None]]
    size: ViewportSize
    is_dark: bool = False


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
    await page.get_by_role("button", name="Take over").click()
    await page.locator(".screen-note").wait_for(timeout=60_000)


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


SCENES = (
    Scene("run-in-progress", show_progress, LARGE),
    Scene("take-over", show_takeover, LARGE),
    Scene("plan-first", show_plan, LARGE),
    Scene("diff-to-approve", show_diff, LARGE),
    Scene("failure", show_failure, LARGE),
    Scene("now", show_now, LARGE),
    Scene("rules", show_rules, LARGE),
    Scene("health", show_health, LARGE),
    Scene("dark-run", show_progress, LARGE, is_dark=True),
    Scene("dark-diff", show_diff, LARGE, is_dark=True),
    Scene("phone-run", show_progress, PHONE),
    Scene("phone-diff", show_diff, PHONE),
    Scene("phone-dark", show_now, PHONE, is_dark=True),
)


async def go(page: Page, path: str) -> None:
    """Go to a place of the console."""
    await page.get_by_text("Connected").wait_for(state="attached")
    await page.evaluate("path => { location.hash = path }", path)


async def take_picture(scene: Scene, place: Place, browser: Browser, folder: Path) -> list[str]:
    """Play a scene, keep its picture, and return what axe finds."""
    from axe_playwright_python.async_playwright import Axe

    scheme = "dark" if scene.is_dark else "light"
    context = await browser.new_context(
        viewport=scene.size, color_scheme=scheme, device_scale_factor=2, bypass_csp=True
    )
    page = await context.new_page()
    await page.goto(f"{place.address}/console/#token={place.token}")
    await scene.play(place, page)
    await page.screenshot(path=folder / f"{scene.name}.png")
    found = (await Axe().run(page)).response["violations"]
    await context.close()
    return [f"{each['id']} ({each['impact']}): {node['target']}" for each in found for node in each["nodes"]]


async def take_pictures(place: Place, folder: Path) -> int:
    """Take all pictures; return how many faults axe found."""
    from playwright.async_api import async_playwright

    from actuators.browser.playwright.session.discovery import find_browser
    from actuators.browser.playwright.session.programs import inspect_machine

    faults = 0
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=find_browser(None, headed=False).require().executable,
            chromium_sandbox=not inspect_machine().is_root,
        )
        for scene in SCENES:
            found = await take_picture(scene, place, browser, folder)
            print(f"{folder / scene.name}.png  axe: {len(found)}", *found, sep="\n    ", flush=True)
            faults += len(found)
        await browser.close()
    return faults


@contextmanager
def serve(workspace: Path) -> Generator[Place]:
    """Serve a workspace and the fixture sites."""
    from fixtures.site_server import SiteServer

    (workspace / "notes.txt").write_text(NOTES, encoding="utf-8")
    command = [str(bootstrap.BIN / "surehand"), "serve", "--private", "--workspace", str(workspace)]
    with SiteServer() as site, subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as service:
        assert service.stdout
        told = json.loads(service.stdout.readline())
        yield Place(told["address"], told["token"], site.url)
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
    print(f"axe found {faults or 'nothing'} on {len(SCENES)} pictures")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
