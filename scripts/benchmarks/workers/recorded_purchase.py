"""A robot with the real pointer and keyboard buys two mugs in a browser with a window, while that is recorded: `recorded_purchase.py SITE FLOW`.

Runs on a display of its own (scripts/benchmarks/recorded/purchases.py). Prints how many acts it did and how many steps were recorded, as JSON.
"""

import asyncio
import json
import os
import sys
from pathlib import Path

from playwright.async_api import FrameLocator, Locator, Page

from actuators.browser.playwright.recording.recorder import PlaywrightRecorder
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.session.launching import BrowserSettings
from agent.recording.recording_log import RecordingLog
from agent.settings.settings import load_settings
from core.tools.ports import ActionContext
from fixtures.machine.robot import Robot

SPOKEN = "s3cret: ok?"
ADDRESS = {"Full name": "Ada Lovelace", "Street": "St James's Square 12", "City": "London", "Postcode": "SW1Y 4JH"}
_MEET = """() => {
  const place = { x: 0, y: 0 };
  addEventListener('mousemove', (event) => { place.x = event.clientX; place.y = event.clientY; });
  return place;
}"""


class Buyer:
    """The robot before the page: it looks where things are, and uses hands for all it does."""

    def __init__(self, page: Page, robot: Robot) -> None:
        """Sit before a page."""
        self._page = page
        self._robot = robot
        self._origin = (0.0, 0.0)
        self.acts = 0

    async def find_page(self) -> None:
        """Find out where on the screen the page is, by where the pointer meets it."""
        met = await self._page.evaluate_handle(_MEET)
        x_px, y_px = 600, 520
        for _ in range(20):
            x_px += 1
            await asyncio.to_thread(self._robot.move, x_px, y_px)
            place = await met.json_value()
            if place["x"]:
                break
        await self._page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))")
        place = await met.json_value()
        self._origin = (x_px - place["x"], y_px - place["y"])

    async def click(self, thing: Locator) -> None:
        """Click on the middle of something, scrolled to as a person would have it in sight."""
        await thing.scroll_into_view_if_needed()
        box = await thing.bounding_box()
        if box is None:
            raise RuntimeError("it is not to be seen")
        x_px = self._origin[0] + box["x"] + min(box["width"] / 2, 60)
        y_px = self._origin[1] + box["y"] + box["height"] / 2
        await asyncio.to_thread(self._robot.click, round(x_px), round(y_px))
        self.acts += 1

    async def write(self, field: Locator, text: str) -> None:
        """Click into a field and write over what it holds."""
        await self.click(field)
        await asyncio.to_thread(self._robot.press, "a", ctrl=True)
        await asyncio.to_thread(self._robot.write, text)
        self.acts += 1

    async def press(self, *names: str) -> None:
        """Press keys one after the other."""
        for name in names:
            await asyncio.to_thread(self._robot.press, name)


async def buy(buyer: Buyer, page: Page) -> None:
    """Sign in, fill the basket, check out."""
    await buyer.write(page.get_by_label("Email"), "ada@example.com")
    await buyer.write(page.get_by_label("Password"), SPOKEN)
    await buyer.click(page.get_by_role("button", name="Sign in"))
    await buyer.click(page.get_by_role("link", name="Catalogue"))
    await buyer.click(page.get_by_role("link", name="Blue mug"))
    await buyer.write(page.get_by_label("Quantity"), "2")
    await buyer.click(page.get_by_label("Gift wrap"))
    await buyer.click(page.get_by_label("Gift wrap"))  # and thinks better of it
    await buyer.click(page.get_by_role("button", name="Add to basket"))
    await buyer.click(page.get_by_role("link", name="Basket"))
    await buyer.click(page.get_by_role("link", name="Checkout"))
    for label, text in ADDRESS.items():
        await buyer.write(page.get_by_label(label, exact=True), text)
    await buyer.click(page.get_by_label("Express"))
    pay: FrameLocator = page.frame_locator("iframe")
    await buyer.write(pay.get_by_label("Name on card"), "A Lovelace")
    await buyer.write(pay.frame_locator("iframe").get_by_label("Card number"), "4242 4242 4242 4242")
    await buyer.click(page.get_by_label("I accept the terms"))
    await buyer.click(page.get_by_role("button", name="Place order"))
    await page.get_by_role("heading", name="Thank you").wait_for()
    await page.wait_for_timeout(600)  # a person looks at what came


async def main(site: str, flow: Path) -> None:
    """Buy, and write the flow."""
    settings = load_settings(Path.cwd())
    log = RecordingLog(Path.cwd(), wish="all")
    browser = BrowserSettings(
        headed=True,
        executable=settings.browser_path,
        artifacts_dir=Path.cwd() / "artifacts",
        named_hosts=("127.0.0.1",),
    )
    session, robot = PlaywrightSession(browser), Robot(os.environ["DISPLAY"])
    recorder = PlaywrightRecorder(session, log.take)
    try:
        await recorder.open(f"{site}/shop/signin")
        page = await session.open_page(ActionContext("purchase", timeout_s=30))
        buyer = Buyer(page, robot)
        await buyer.find_page()
        await buy(buyer, page)
        await asyncio.to_thread(robot.press, "w", ctrl=True)  # closing the window ends a recording
        async with asyncio.timeout(10):
            await recorder.wait_until_over()
        await recorder.settle()
    finally:
        await recorder.close()
        await session.close()
        robot.close()
    await asyncio.to_thread(flow.write_text, log.write("a purchase"), encoding="utf-8")
    print(json.dumps({"acts": buyer.acts, "steps": len(log.steps), "remarks": list(log.list_remarks())}))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2])))
