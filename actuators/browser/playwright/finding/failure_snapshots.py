"""What was to be seen of a page around a step: pictures before and after an act, and what there was when a step failed."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Any, Literal

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Locator, Page, Request

from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.finding.causes import answer_or
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.failure_files import write_failure_picture, write_run_picture
from core.base.phrases import cut_text
from core.goals.secret_values import Vault
from core.results.failure_snapshots import FailureSnapshot
from core.tools.ports import ActionContext

MASK_COLOR = "#202020"


def list_masks(page: Page, vault: Vault) -> list[Locator]:
    """Return what no picture may show, in any frame: password fields, fields with a secret, what else shows one."""
    part = engine_selector("secrets", values=list(vault.list_revealed()))
    return [frame.locator(part) for frame in page.frames]


async def take_masked(page: Page, vault: Vault, **how: Any) -> bytes:
    """Return a picture of a page with what must not be seen painted over, taken as ``Page.screenshot`` is told beside."""
    return await page.screenshot(mask=list_masks(page, vault), mask_color=MASK_COLOR, **how)


async def _cover(frame: Frame, values: list[str]) -> int:
    try:
        return await probe(frame, "cover", values=values)
    except PlaywrightError:
        if not frame.is_detached():
            raise
        return 0  # it went away, and shows nothing any more


@asynccontextmanager
async def cover_secrets(page: Page, vault: Vault) -> AsyncGenerator[int]:
    """Hide in the page itself what must not be printed, for as long as this is open; give how many elements that are."""
    values = list(vault.list_revealed())
    if not values:
        yield 0
        return
    frames = list(page.frames)
    try:
        yield sum([await _cover(frame, values) for frame in frames])
    finally:
        for frame in frames:
            with suppress(PlaywrightError):  # a frame that went away shows nothing any more
                await probe(frame, "uncover")


PICTURE_S = 1.0
QUALITY = 60


async def keep_picture(session: PlaywrightSession, context: ActionContext, when: Literal["before", "after"]) -> str:
    """Return the path of a picture without secrets; empty where the page is empty, asks something or doesn't answer."""
    tab = session.tabs.current(context.lane)
    if tab is None or tab.crashed or tab.page.url == "about:blank" or session.dialogs.held(context.lane):
        return ""
    content = await answer_or(take_masked(tab.page, context.vault, type="jpeg", quality=QUALITY), None, PICTURE_S)
    if content is None:
        return ""
    folder, name = session.settings.artifacts_dir, f"{context.action_id}.{when}.jpg"
    return str(await asyncio.to_thread(write_run_picture, folder, context.run_id, name, content))


_PICTURE_S = 1.6
_ANSWER_S = 0.5
_MOST_ENTRIES = 10
_LONGEST = 300
_COMPLAINTS = frozenset(["error", "warning", "assert"])


async def show_snapshot(session: PlaywrightSession, context: ActionContext) -> FailureSnapshot | None:
    """Return what there is to see of the lane's page; None where it has none."""
    session.traces.note_failure()
    tab = session.tabs.current(context.lane)
    if tab is None:
        return None
    facts: dict[str, Any] = {"url": cut_redacted(tab.page.url, context.vault)}
    if tab.crashed:
        return FailureSnapshot(facts | {"page": "crashed"})
    if held := session.dialogs.held(context.lane):  # while one is open, the page answers nothing
        return FailureSnapshot(facts | {"dialog": held.detail})
    told, picture = await asyncio.gather(_ask_page(tab.page, context.vault), _take_picture(session, tab.page, context))
    artifacts = (picture,) if picture else ()
    return FailureSnapshot(facts | told | ({"screenshot": picture} if picture else {}), artifacts)


async def _take_picture(session: PlaywrightSession, page: Page, context: ActionContext) -> str:
    settings = session.settings
    if not settings.failure_pictures or not context.run_id:
        return ""
    shot = take_masked(page, context.vault, type="png", timeout=_PICTURE_S * 1000)
    content = await answer_or(shot, None, _PICTURE_S)
    if not content:
        return ""
    return str(await asyncio.to_thread(write_failure_picture, settings.artifacts_dir, context, content))


async def _ask_page(page: Page, vault: Vault) -> dict[str, Any]:
    title, requests, console, errors = await asyncio.gather(
        answer_or(probe(page, "title"), None, _ANSWER_S),
        answer_or(page.requests(), None, _ANSWER_S),
        answer_or(page.console_messages(), None, _ANSWER_S),
        answer_or(page.page_errors(), None, _ANSWER_S),
    )
    complaints = [f"{each.type}: {each.text}" for each in console or () if each.type in _COMPLAINTS]
    complaints += [f"uncaught: {each.message}" for each in errors or ()]
    found = {
        "title": cut_redacted(title or "", vault),
        "requests": [_describe_request(each, vault) for each in (requests or ())[-_MOST_ENTRIES:]],
        "console": [cut_redacted(each, vault) for each in complaints[-_MOST_ENTRIES:]],
    }
    return {name: value for name, value in found.items() if value}


def _describe_request(request: Request, vault: Vault) -> str:
    response = request.existing_response
    outcome = str(response.status) if response else request.failure or "no answer yet"
    return f"{request.method} {cut_redacted(request.url, vault)}: {outcome}"


def cut_redacted(text: str, vault: Vault, most: int = _LONGEST) -> str:
    """Return the beginning of a text; secrets go first, since part of one would not be known for one any more."""
    return cut_text(vault.redact(text), most)
