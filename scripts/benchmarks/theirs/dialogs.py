"""JavaScript's dialogs: another suite answers them when they open, our goals say beforehand how they are answered.

A test's own listener is asked first what it would answer, with the facts of a first try that dismisses the dialog; then the same is done
with a goal that answers so. What opens the dialog is a press on a button that the page is given for it.
"""

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, cast

from playwright.async_api import Page

from core.goals.meta_goals import Goal
from scripts.benchmarks.theirs.hands import Hands
from scripts.benchmarks.theirs.openers import PRESS, give_button, open_by_press, read_answer


@dataclass(slots=True)
class AskedDialog:
    """A dialog, as a listener sees it; remembers the answer.

    Attributes:
        type: Its kind.
        message: What it says.
        default_value: What a prompt begins with.
    """

    type: str
    message: str
    default_value: str
    answer: str = "dismiss"
    text: str | None = None

    async def accept(self, prompt_text: str | None = None) -> None:
        """Note that it shall be accepted."""
        self.answer, self.text = "accept", prompt_text

    async def dismiss(self) -> None:
        """Note that it shall be dismissed."""
        self.answer, self.text = "dismiss", None


Listener = Callable[[AskedDialog], Awaitable[None] | None]


async def answer_as(hands: Hands, page: Page, script: str, listener: Listener | None) -> Any:
    """Run a script that opens a dialog, answer it as a listener does, and return the script's value.

    Args:
        hands: Who acts.
        page: Where.
        script: The script.
        listener: The test's own; None where nobody answers.
    """
    if listener is None:
        return await open_by_press(hands, page, script)
    await give_button(page, script)
    first = await hands.act(page, PRESS)
    told = cast("dict[str, Any]", first.step_logs[-1].result.evidence["dialogs"][0])
    asked = AskedDialog(told["kind"], told["message"], told.get("default", ""))
    answered = listener(asked)
    if inspect.isawaitable(answered):
        await answered
    said = {"action": asked.answer} | ({"text": asked.text} if asked.text is not None else {})
    await give_button(page, script)
    await hands.act(page, PRESS, Goal("browser", "dialog", said, scope="after:g0"))
    return await read_answer(page)
