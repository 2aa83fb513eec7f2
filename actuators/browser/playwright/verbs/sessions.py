"""Dialogs, downloads, stored sessions and emulation, by Playwright.

Downloads go into quarantine first, under a random name, then to their place when they are whole.
"""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from playwright.async_api import CDPSession, Download, Page
from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.acting.answering import DialogPresser, choose_answer, refuse_unanswerable
from actuators.browser.playwright.engine.scripts import SETTLING_MS
from actuators.browser.playwright.finding.batch import PlaywrightPages
from actuators.browser.playwright.finding.settling import await_settled
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.session.dialogs import HeldDialog
from actuators.browser.playwright.session.emulation import Emulation, check_request, read_emulation
from actuators.browser.playwright.session.launching import list_devices
from actuators.browser.playwright.session.navigation_errors import explain_navigation_error
from actuators.browser.playwright.session.storage import apply_state, count_state
from actuators.browser.playwright.session.watches import Watch
from actuators.browser.playwright.verbs.pointer import PlaywrightPointer
from actuators.browser.ports.pages import Done
from actuators.browser.ports.sessions import DialogRequest, EmulationRequest, RoutePlan, Saved
from actuators.browser.saved.files import check_new_file, escape_name, judge_suggested_name, publish_file
from actuators.deadlines import Deadline, finish_within
from core.base.errors import (
    ActionError,
    DeadlineError,
    InputError,
    NavigationError,
    SurehandError,
    TargetError,
    UnsupportedError,
)
from core.rules.browser_choices import DialogAnswer
from core.tools.ports import ActionContext

_INLINE = re.compile(r"^\s*inline", re.IGNORECASE)


async def keep_download(download: Download, path: Path, deadline: Deadline) -> Saved:
    """Wait until a download is whole, and move it to its place. If that fails, the caller throws it away."""
    suggested = download.suggested_filename
    if await asyncio.to_thread(path.is_dir):
        path /= judge_suggested_name(suggested)
        await asyncio.to_thread(check_new_file, path)
    await _wait_until_whole(download, deadline)
    facts = await asyncio.to_thread(publish_file, await download.path(), path)
    await download.delete()
    return Saved(path, escape_name(suggested), download.url, facts, {})


async def start_download(page: Page, url: str, deadline: Deadline) -> Download:
    """Download an address in a page of its own, labelled as an attachment, so that nothing is shown or run."""
    labeller = _Labeller(await page.context.new_cdp_session(page))
    await labeller.attach()
    started: asyncio.Future[Download] = asyncio.get_running_loop().create_future()

    def note_start(download: Download) -> None:  # Playwright takes no built-in as a listener
        started.set_result(download)

    page.once("download", note_start)
    try:
        await page.goto(url, wait_until="commit", timeout=deadline.remaining_ms)
    except PlaywrightError as error:
        if labeller.status >= 400:
            raise NavigationError(
                f"{url} could not be downloaded: the server answered with status {labeller.status}.",
                code="http_status",
                hint="Check the address, and whether you must sign in first.",
                evidence={"url": url, "status": labeller.status},
            ) from error
        if "Download is starting" not in error.message:
            raise
    return await finish_within(started, deadline.remaining_s)


async def _wait_until_whole(download: Download, deadline: Deadline) -> None:
    try:
        failure = await finish_within(download.failure(), deadline.remaining_s)
    except TimeoutError:
        raise DeadlineError(
            f"{download.url} was not downloaded in {deadline.elapsed_s:.1f} s; the partial file was deleted.",
            code="download_timeout",
            hint="Give it more time.",
            evidence={"url": download.url},
        ) from None
    if failure:
        raise ActionError(
            f"The download of {download.url} stopped: {failure}. The partial file was deleted.",
            code="download_failed",
            hint="Try again, or check the server.",
            evidence={"url": download.url, "failure": failure},
        )


class _Labeller:
    """Makes every answer to a page's own request an attachment, and stops those with an error status."""

    def __init__(self, session: CDPSession) -> None:
        self._session = session
        self._tasks: set[asyncio.Task[None]] = set()
        self.status = 0

    async def attach(self) -> None:
        self._session.on("Fetch.requestPaused", self._on_paused)
        pattern = {"urlPattern": "*", "resourceType": "Document", "requestStage": "Response"}
        await self._session.send("Fetch.enable", {"patterns": [pattern]})

    def _on_paused(self, event: dict[str, Any]) -> None:
        task = asyncio.create_task(self._label(event))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _label(self, event: dict[str, Any]) -> None:
        request = {"requestId": event["requestId"]}
        self.status = event.get("responseStatusCode", 0)
        try:
            if self.status >= 400:
                await self._session.send("Fetch.failRequest", {**request, "errorReason": "BlockedByResponse"})
            elif 200 <= self.status < 300:
                answer = {"responseCode": self.status, "responseHeaders": _label_headers(event["responseHeaders"])}
                await self._session.send("Fetch.continueResponse", {**request, **answer})
            else:
                await self._session.send("Fetch.continueResponse", request)
        except PlaywrightError:
            return  # the page was closed meanwhile, and the request with it


def _label_headers(headers: list[dict[str, str]]) -> list[dict[str, str]]:
    name = "content-disposition"
    given = next((header["value"] for header in headers if header["name"].lower() == name), "attachment")
    label = _INLINE.sub("attachment", given)
    return [*(header for header in headers if header["name"].lower() != name), {"name": name, "value": label}]


START_S = 30.0


class PlaywrightSessions(PlaywrightPages):
    """Acts on a session as a whole: its dialogs, files and what it pretends to be."""

    def __init__(self, session: PlaywrightSession) -> None:
        super().__init__(session)
        self._pointer = PlaywrightPointer(session)
        self._presser = DialogPresser(session, self._pointer.click)

    async def answer_dialog(self, context: ActionContext, request: DialogRequest) -> Done:
        """Answer the open dialog and let the act behind it end; press a button in it; or be ready to answer the next one."""
        deadline = Deadline(context.timeout_s)
        if request.press is not None and self._session.dialogs.held(context.lane) is None:
            done = await self._presser.press(context, request.press, deadline)
            if done is not None:
                return done
        shown: list[dict[str, Any]] = []
        if self._session.dialogs.held(context.lane) is None:
            shown = await self._presser.find_answerable(context)
        held = self._session.dialogs.held(context.lane)
        if held is not None:
            action = request.action if request.press is None else choose_answer(request.press, held.detail)
            return await self._answer(context, held, (action or "dismiss", request.text), deadline)
        if request.action is None:
            raise InputError("A dialog needs an answer.", hint='For example action: accept, or press: button "OK".')
        return self._arm(context, (request.action, request.text), shown)

    def _arm(
        self, context: ActionContext, answer: tuple[DialogAnswer, str | None], shown: list[dict[str, Any]]
    ) -> Done:
        dialogs, (action, text) = self._session.dialogs, answer
        self._session.current_page(context)
        if shown and (dialogs.expects(context.lane) or not context.followers):
            raise refuse_unanswerable(action, shown)
        dialogs.arm(context.lane, action, text)
        return Done({"armed": action}, is_sure=False, output={"kind": None, "message": None, "armed": True})

    async def _answer(
        self, context: ActionContext, held: HeldDialog, answer: tuple[DialogAnswer, str | None], deadline: Deadline
    ) -> Done:
        dialogs, lane, (action, text) = self._session.dialogs, context.lane, answer
        if text is not None and held.detail["kind"] != "prompt":
            raise ActionError(
                f'The open dialog is a {held.detail["kind"]}, which accepts no text: "{held.detail["message"]}".',
                code="no_prompt",
                hint="Answer it without text.",
            )
        async with self._session.watch(context) as watch:
            await dialogs.answer(lane, action, text)
            ending = await _end_act(held.act, watch, deadline)
            if held.dialog.page and not watch.held_dialog:
                await await_settled(held.dialog.page, min(SETTLING_MS / 1000, deadline.remaining_s))  # it may ask again
            output = {"kind": held.detail["kind"], "message": held.detail["message"], "armed": False}
            facts = {**watch.evidence(), **held.detail, **ending}
            return Done(facts, output=output, dismissed=watch.dismissed)

    async def download_from_element(self, context: ActionContext, path: Path, selector: str) -> Saved:
        """Click an element and keep the file that this downloads."""
        deadline = Deadline(context.timeout_s)
        session, before = self._session, self._session.log.count
        async with session.watch(context) as watch:
            with session.listener.taking_downloads(context.lane):
                await self._pointer.click(context, selector)
                limit_s = min(START_S, deadline.remaining_s)
                happening = await session.log.wait_for("download", before, context.lane, limit_s)
                download = session.listener.downloads.get(happening) if happening else None
                if happening is None or download is None:
                    raise TargetError(
                        f"The click on {selector} did not start a download.",
                        code="target_unsuitable",
                        hint="Check that the element downloads a file, or give its URL.",
                        evidence=watch.evidence(),
                    )
                saved = await keep_download(download, path, deadline)
                session.listener.claim(download)
            rest = {name: value for name, value in watch.evidence().items() if name != "downloads"}
            others = [detail for detail in watch.happenings("download") if detail is not happening.detail]
            return replace(saved, meanwhile={**rest, **({"downloads": others} if others else {})})

    async def download_address(self, context: ActionContext, path: Path, url: str) -> Saved:
        """Download an address in a page that is nobody's tab."""
        deadline = Deadline(context.timeout_s)
        async with self._session.open_aside(context) as page, self._session.watch(context) as watch:
            with self._session.listener.taking_downloads(page):
                try:
                    with self._session.wall.heading(context, page, url):
                        download = await start_download(page, url, deadline)
                except PlaywrightError as error:
                    raise explain_navigation_error(error, url, page, watch) from error
                saved = await keep_download(download, path, deadline)
                self._session.listener.claim(download)
                return saved

    async def read_storage(self, context: ActionContext) -> Any:
        """Return cookies, local storage and IndexedDB."""
        return await self._session.current_page(context).context.storage_state(indexed_db=True)

    async def replace_storage(self, context: ActionContext, state: dict[str, Any], source: Path) -> dict[str, int]:
        """Replace cookies and storage in place; pages that are open see it when they load again."""
        await self._session.open_page(context)
        browser_context = await self._session.open_context()
        await apply_state(browser_context, state, source)
        return await count_state(browser_context)

    async def emulate(self, context: ActionContext, request: EmulationRequest) -> Done:
        """Change what the browser pretends to be; a device or locale reopens the pages in a new context."""
        page = await self._session.open_page(context)
        devices = list_devices() if request.device is not None else {}
        if request.device is not None and not devices:
            raise UnsupportedError("Another program started this browser, so its devices are unknown.")
        await check_request(page, request, devices)
        async with self._session.watch(context) as watch:
            renewed = await self._apply_emulation(context, request, devices)
            seen, as_wanted = await read_emulation(self._session.current_page(context), request)
            meanwhile = {name: value for name, value in watch.evidence().items() if name != "navigated_to"}
            return Done({**renewed, **seen}, as_wanted, seen, meanwhile)

    async def route(self, context: ActionContext, plan: RoutePlan) -> Sequence[str]:
        """Set or remove a route for all pages of the session."""
        page = await self._session.open_page(context)
        routes = self._session.routes
        if plan.action == "remove":
            await routes.remove_route(page.context, plan.url)
        else:
            await routes.set_route(page.context, plan)
        return routes.list_urls()

    async def _apply_emulation(self, context: ActionContext, request: EmulationRequest, devices: Any) -> dict[str, Any]:
        session, emulation = self._session, self._session.emulation
        renew = emulation.needs_context(request)
        if renew and session.tabs.lanes_beside(context.lane):
            raise _make_beside_error(request)
        emulation.note(request, devices)
        evidence: dict[str, Any] = {}
        if renew:
            evidence = {"new_context": True, "kept": "cookies and storage", "reopened": await session.renew_context()}
        else:
            for tab in session.tabs:
                await emulation.apply_to(tab.page)
        await Emulation.apply_to_context(await session.open_context(), request)
        return evidence


def _make_beside_error(request: EmulationRequest) -> ActionError:
    asked = ", ".join(request.list_changes())
    return ActionError(
        f"Another branch has a page open, and this ({asked}) would reload all pages of the session.",
        code="session_shared",
        hint="Emulate it before the branches part, or in a run without other branches.",
        evidence={"asked": request.list_changes()},
    )


async def _end_act(act: "asyncio.Future[Any] | None", watch: Watch, deadline: Deadline) -> dict[str, Any]:
    if act is None:
        return {}
    try:
        await finish_within(watch.run(act), deadline.remaining_s)
    except TimeoutError:
        return {"act": "was still under way when the time ran out, and was given up"}
    except (PlaywrightError, SurehandError) as error:
        return {"act": f"ended with an error: {error}"}
    return {"act": "another dialog is open" if watch.held_dialog else "done"}
