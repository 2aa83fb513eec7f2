"""Dialogs: dismissed at once, unless an action of the plan answers them; a page that asks is left, whatever leads away from it."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import Dialog, Page
from playwright.async_api import Error as PlaywrightError

from core.rules.browser_choices import DialogAnswer


@dataclass(slots=True, eq=False)
class HeldDialog:
    """An open dialog, the session's record of it, and the act that opened it and can't end before the answer."""

    dialog: Dialog
    detail: dict[str, Any]
    act: asyncio.Future[Any] | None = None


@dataclass(slots=True)
class _LaneDesk:
    holds: bool = False
    armed: tuple[DialogAnswer, str | None] | None = None
    held: HeldDialog | None = None
    opened: asyncio.Event = field(default_factory=asyncio.Event)


class DialogDesk:
    """Decides what becomes of each dialog, by the lane of its page."""

    def __init__(self) -> None:
        self._lanes: dict[str, _LaneDesk] = {}
        self._answers: set[asyncio.Task[None]] = set()

    def expect(self, lane: str, *, held: bool) -> None:
        """Hold the lane's dialogs or dismiss them, until its next action begins: one may open between two actions."""
        self._lane(lane).holds = held

    def expects(self, lane: str) -> bool:
        """Whether the lane's last action was followed by one that answers a dialog."""
        return self._lane(lane).holds

    def arm(self, lane: str, answer: DialogAnswer, text: str | None) -> None:
        """Answer the next dialog of this lane so."""
        self._lane(lane).armed = (answer, text)

    def is_armed(self, lane: str) -> bool:
        """Whether the next dialog of this lane has an answer already."""
        return self._lane(lane).armed is not None

    def held(self, lane: str) -> HeldDialog | None:
        """Return the open dialog of a lane."""
        return self._lane(lane).held

    async def wait_held(self, lane: str) -> None:
        """Wait until a dialog of the lane is held open."""
        await self._lane(lane).opened.wait()

    def receive(self, dialog: Dialog, lane: str, detail: dict[str, Any]) -> None:
        """Hold a dialog that has just opened, or answer it, and write into ``detail`` what was done."""
        desk = self._lane(lane)
        if desk.armed:
            (answer, text), desk.armed = desk.armed, None
            self._reply(dialog, detail, answer, text)
        elif desk.holds:
            detail["answer"] = "open"
            desk.held = HeldDialog(dialog, detail)
            desk.opened.set()
        else:
            self._reply(dialog, detail, "accept" if dialog.type == "beforeunload" else "dismiss", None)

    async def answer(self, lane: str, answer: DialogAnswer, text: str | None) -> HeldDialog | None:
        """Answer the open dialog of a lane; return it, or None if there is none."""
        desk = self._lane(lane)
        held, desk.held = desk.held, None
        desk.opened.clear()  # whoever waits from now on waits for the next one
        if held:
            held.detail["answer"] = answer
            await answer_dialog(held.dialog, answer, text)
        return held

    def forget_page(self, page: Page) -> None:
        """Drop what belongs to a page that is gone."""
        for desk in self._lanes.values():
            if desk.held and desk.held.dialog.page is page:
                desk.held.detail["answer"] = "gone"
                desk.held = None
                desk.opened.clear()

    async def close(self) -> None:
        """Dismiss what is open and let go of the acts behind it."""
        for lane in tuple(self._lanes):
            held = await self.answer(lane, "dismiss", None)
            if held and held.act:
                held.act.cancel()
                await asyncio.wait({held.act})
        if self._answers:
            await asyncio.wait(self._answers)

    def _lane(self, lane: str) -> _LaneDesk:
        return self._lanes.setdefault(lane, _LaneDesk())

    def _reply(self, dialog: Dialog, detail: dict[str, Any], answer: DialogAnswer, text: str | None) -> None:
        detail["answer"] = answer
        task = asyncio.create_task(answer_dialog(dialog, answer, text))
        self._answers.add(task)
        task.add_done_callback(self._answers.discard)


async def answer_dialog(dialog: Dialog, answer: DialogAnswer, text: str | None) -> None:
    """Accept or dismiss a dialog; one that the browser has closed itself meanwhile is no error."""
    try:
        if answer == "accept":
            # A prompt that is accepted as it stands answers with what stands in it, as for a person.
            await dialog.accept(dialog.default_value if text is None and dialog.type == "prompt" else text)
        else:
            await dialog.dismiss()
    except PlaywrightError as error:
        if "closed" not in error.message and "handled" not in error.message and "No dialog" not in error.message:
            raise
