"""What opens by a script: another suite evaluates it, and here it is what a button does that our hands press."""

from typing import Any

from playwright.async_api import Page

from core.goals.meta_goals import Goal
from scripts.benchmarks.theirs.hands import Hands

WINDOWS = ("window.open(",)
"""What a script has in it that opens a page of its own."""

PRESS = Goal("browser", "click", {"selector": "css=#theirs-opener"})
"""The press on the button."""

_BUTTON = """({ script, arg }) => {
  document.querySelector('#theirs-opener')?.remove();
  const button = document.createElement('button');
  button.id = 'theirs-opener';
  button.textContent = 'open';
  button.onclick = () => { const told = eval(script); window.theirsAnswer = typeof told === 'function' ? told(arg) : told; };
  document.body.append(button);
}"""


async def give_button(page: Page, script: str, arg: Any = None) -> None:
    """Give a page the button.

    Args:
        page: The page.
        script: What it does: an expression, or a function.
        arg: What the function gets.
    """
    await page.evaluate(_BUTTON, {"script": script, "arg": arg})


async def read_answer(page: Page) -> Any:
    """Return what the script came to, once it has ended."""
    return await page.evaluate("window.theirsAnswer")


async def open_by_press(hands: Hands, page: Page, script: str, arg: Any = None) -> Any:
    """Run a script by a press, and return what it came to.

    Args:
        hands: Who presses.
        page: Where.
        script: The script.
        arg: What it gets, where it is a function.
    """
    await give_button(page, script, arg)
    await hands.act(page, PRESS)
    return await read_answer(page)
