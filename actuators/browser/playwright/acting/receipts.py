"""Proof of a click: which trusted events the element that was aimed at has received.

An element that is swapped for its twin between press and release has been clicked by nobody.
"""

import asyncio
import json
import secrets
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakSet

from playwright.async_api import BrowserContext, ConsoleMessage, Frame, Locator, Page, WebError

from actuators.browser.playwright.direct.world import hear_reports
from actuators.browser.playwright.engine.scripts import RECEIPT_MARK, engine_selector
from actuators.browser.playwright.finding.causes import answer_or
from actuators.browser.playwright.finding.probes import ask_text
from core.rules.browser_choices import MouseButton

READ_MS = 1000.0
SHOWN_ERRORS = 3
COMPLETE = ("click", "auxclick", "contextmenu")


@dataclass(slots=True, eq=False)
class Receipt:
    """What is known of one click.

    Attributes:
        text: What is read on the element, if it was found by that; the press has to come down there.
        token: What the page engine reports under; nobody else knows it.
        reports: What was told so far: ``events`` and ``halves`` (those of pointers) that reached the element, ``strays`` that
            reached something else, ``stray`` (what that was), ``received_by``, ``stopped_by`` (what around the element
            stopped the click on its way there), ``refused`` (fields that kept a form from being sent), ``sends``,
            ``connected``, ``disabled``; at the end also ``changes`` of the document and ``requests`` since the press.
    """

    page: Page
    button: MouseButton
    count: int = 1
    text: str = ""
    token: str = field(default_factory=lambda: secrets.token_hex(8))
    reports: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    page_errors: list[str] = field(default_factory=list[str])

    def aim(self, locator: Locator, limit_ms: float, *, in_picture: bool = False) -> Locator:
        """Return the same element, or the picture that it is an area of, watched and guarded from the moment that Playwright resolves it."""
        return locator.locator(engine_selector("receipt", **self.query(limit_ms), in_picture=in_picture))

    def query(self, limit_ms: float) -> dict[str, Any]:
        """Return what the page engine has to know of it."""
        known = {"token": self.token, "button": self.button, "count": self.count, "text": self.text}
        return known | {"limit_ms": int(limit_ms)}

    @property
    def told(self) -> dict[str, Any] | None:
        """The latest report."""
        return self.reports[-1] if self.reports else None

    @property
    def is_received(self) -> bool:
        """Whether the element got all clicks, or both halves of the last where it vanished upon the second."""
        events = self.events
        down, up = ("mousedown", "mouseup") if "mousedown" in events else ("pointerdown", "pointerup")
        pairs = min(events.count(down), events.count(up))
        return max(pairs, *(events.count(name) for name in COMPLETE)) >= self.count

    @property
    def events(self) -> list[str]:
        """The events that the element got; pointers where the page keeps them from becoming those of a mouse."""
        told: dict[str, Any] = self.told or {}
        events: list[str] = told.get("events", [])
        return events if "mousedown" in events else [*told.get("halves", []), *events]

    @property
    def is_sure(self) -> bool:
        """Whether the element got all clicks, and nothing around it stopped the last on its way there."""
        return self.is_received and not (self.told or {}).get("stopped_by")

    @property
    def was_blocked(self) -> bool:
        """Whether the press would have reached another element and was stopped, so that nothing has happened at all."""
        return self.told is not None and not self.events and not self.told["strays"]

    async def read(self) -> None:
        """End the watch and ask the frames of the page for what has not been reported; needed only after a failure."""
        part = engine_selector("told", token=self.token)
        told = await asyncio.gather(*(_read_told(frame, part) for frame in self.page.frames))
        self.reports.extend(each for each in told if each)

    def abandon(self) -> None:
        """End the watch without waiting for it, because the action was cancelled."""
        task = asyncio.ensure_future(self.read())
        _ABANDONED.add(task)
        task.add_done_callback(_ABANDONED.discard)


# Tasks that nobody waits for have to be kept, or they are collected before they have run.
_ABANDONED: set["asyncio.Future[None]"] = set()


async def _read_told(frame: Frame, query: str) -> dict[str, Any] | None:
    return json.loads(await answer_or(ask_text(frame, query, READ_MS), None) or "null")


class ReceiptDesk:
    """Takes the reports that come in, and hands them to the clicks that wait for them."""

    def __init__(self) -> None:
        self._open: dict[str, Receipt] = {}
        self._contexts: WeakSet[BrowserContext] = WeakSet()

    @contextmanager
    def open(self, page: Page, button: MouseButton, count: int, text: str = "") -> Generator[Receipt]:
        """Wait for the report of one click."""
        if page.context not in self._contexts:
            self._contexts.add(page.context)
            page.context.on("console", self._take_message)
            page.context.on("weberror", self._take_error)
        receipt = Receipt(page, button, count, text)
        self._open[receipt.token] = receipt
        try:
            with hear_reports(receipt.token) as (_, receipt.reports):
                yield receipt
        finally:
            del self._open[receipt.token]

    def _take_message(self, message: ConsoleMessage) -> None:
        mark, _, rest = message.text.partition(RECEIPT_MARK)
        if mark or not rest:
            return
        token, _, report = rest.partition(" ")
        if receipt := self._open.get(token):
            receipt.reports.append(json.loads(report))

    def _take_error(self, error: WebError) -> None:
        for receipt in self._open.values():
            if receipt.page == error.page and len(receipt.page_errors) < SHOWN_ERRORS:
                receipt.page_errors.append(error.error.message.splitlines()[0])
