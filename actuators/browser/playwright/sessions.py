"""Dialogs, downloads, stored sessions and emulation, by Playwright."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from playwright.async_api import Error as PlaywrightError

from actuators.browser.dialog_buttons import DialogAnswer, choose_answer, refuse_unanswerable
from actuators.browser.files import record_new_file
from actuators.browser.playwright.aiming import describe_target
from actuators.browser.playwright.answering import DialogPresser
from actuators.browser.playwright.browser_session import PlaywrightSession
from actuators.browser.playwright.dialogs import HeldDialog
from actuators.browser.playwright.downloads import check_destination, keep_download, start_download
from actuators.browser.playwright.emulation import Emulation, EmulationRequest, check_request, read_emulation
from actuators.browser.playwright.launching import list_devices
from actuators.browser.playwright.navigation_errors import explain_navigation_error
from actuators.browser.playwright.pointer import PlaywrightPointer
from actuators.browser.playwright.routes import RoutePlan
from actuators.browser.playwright.scenes import SceneShowing
from actuators.browser.playwright.storage import apply_state, count_state
from actuators.browser.playwright.watches import Watch
from actuators.browser.stored_sessions import read_state, write_state
from actuators.browser.tools.sessions import SessionTools
from actuators.browser.tools.toolset import RouteAction, opens_address
from actuators.deadlines import Deadline
from actuators.links import refuse_links_out
from core.errors import ActionError, InputError, SurehandError, TargetError, UnsupportedError
from core.ports import ActionContext
from core.results import ToolOutcome
from core.urls import judge_address

START_S = 30.0


class PlaywrightSessions(SceneShowing, SessionTools):
    """Acts on a session as a whole: its dialogs, files and what it pretends to be."""

    def __init__(self, session: PlaywrightSession) -> None:
        self._session = session
        self._pointer = PlaywrightPointer(session)
        self._presser = DialogPresser(session, self._pointer)

    async def identify(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Say which page, and which element of it, is acted on."""
        return {} if opens_address(verb, args) else await describe_target(self._session, context, args)

    async def dialog(
        self,
        context: ActionContext,
        action: DialogAnswer | None = None,
        text: str | None = None,
        press: str | None = None,
    ) -> ToolOutcome:
        """Answer the open dialog and let the act behind it end; press a button in it; or be ready to answer the next one."""
        deadline = Deadline(context.timeout_s)
        if press is not None and self._session.dialogs.held(context.lane) is None:
            outcome = await self._presser.press(context, press, deadline)
            if outcome is not None:
                return outcome
        shown: list[dict[str, Any]] = []
        if self._session.dialogs.held(context.lane) is None:
            shown = await self._presser.find_answerable(context)
        held = self._session.dialogs.held(context.lane)
        if held is not None:
            answer = action if press is None else choose_answer(press, held.detail)
            return await self._answer(context, held, (answer or "dismiss", text), deadline)
        if action is None:
            raise InputError("A dialog needs an answer.", hint='For example action: accept, or press: button "OK".')
        return self._arm(context, (action, text), shown)

    def _arm(
        self, context: ActionContext, answer: tuple[DialogAnswer, str | None], shown: list[dict[str, Any]]
    ) -> ToolOutcome:
        """Be ready to answer the next dialog, unless the one that is meant is a part of the page."""
        dialogs, (action, text) = self._session.dialogs, answer
        self._session.current_page(context)
        if shown and (dialogs.expects(context.lane) or not context.followers):
            raise refuse_unanswerable(action, shown)
        dialogs.arm(context.lane, action, text)
        output = {"kind": None, "message": None, "armed": True}
        return ToolOutcome(output, "unverified", {"armed": action}, "Nothing was answered yet.")

    async def _answer(
        self, context: ActionContext, held: HeldDialog, answer: tuple[DialogAnswer, str | None], deadline: Deadline
    ) -> ToolOutcome:
        dialogs, lane, (action, text) = self._session.dialogs, context.lane, answer
        if text is not None and held.detail["kind"] != "prompt":
            raise ActionError(
                f'The open dialog is a {held.detail["kind"]}, which takes no text: "{held.detail["message"]}".',
                code="no_prompt",
                hint="Answer it without text.",
            )
        async with self._session.watch(context) as watch:
            await dialogs.answer(lane, action, text)
            ending = await _end_act(held.act, watch, deadline)
            output = {"kind": held.detail["kind"], "message": held.detail["message"], "armed": False}
            evidence = {**watch.evidence(), **held.detail, **ending}
            return ToolOutcome(output, "confirmed", evidence, "An answer can't be taken back.")

    async def download(
        self, context: ActionContext, path: str, selector: str | None = None, url: str | None = None
    ) -> ToolOutcome:
        """Download by a click or by an address."""
        deadline = Deadline(context.timeout_s)
        target = Path(path)
        await asyncio.to_thread(refuse_links_out, path, context.policy)
        await check_destination(target)
        if selector is not None:
            return await self._download_by_click(context, target, selector, deadline)
        if url is None:
            raise InputError("There is nothing to download.", hint="Give a selector or a url.")
        return await self._download_by_address(context, target, url, deadline)

    async def save_session(self, context: ActionContext, path: str) -> ToolOutcome:
        """Save cookies, local storage and IndexedDB."""
        page = self._session.current_page(context)
        await asyncio.to_thread(refuse_links_out, path, context.policy)
        state = await page.context.storage_state(indexed_db=True)
        kept = context.vault.redact(state)
        facts = await asyncio.to_thread(write_state, Path(path), kept)
        saved = await asyncio.to_thread(read_state, Path(path))
        counts = {name: len(saved[name]) for name in ("cookies", "origins")}
        evidence = {"path": path, "size": facts.size, "sha256": facts.sha256, **counts}
        if kept != state:
            evidence["left_out"] = "secrets that the page had kept in its storage"
        record = record_new_file(Path(path), facts)
        return ToolOutcome({"path": path}, "confirmed", evidence, f"Delete {path}.", (path,), record)

    async def load_session(self, context: ActionContext, path: str) -> ToolOutcome:
        """Replace cookies and storage in place; pages that are open see it when they load again."""
        await asyncio.to_thread(refuse_links_out, path, context.policy)
        state = await asyncio.to_thread(read_state, Path(path))
        await self._session.open_page(context)
        browser_context = await self._session.open_context()
        await apply_state(browser_context, state, Path(path))
        counts = await count_state(browser_context)
        return ToolOutcome(counts, "confirmed", {"path": path, **counts}, "What was there before is gone.")

    async def emulate(
        self,
        context: ActionContext,
        device: str | None = None,
        viewport: dict[str, int] | None = None,
        locale: str | None = None,
        timezone: str | None = None,
        geolocation: dict[str, float] | None = None,
        color_scheme: Literal["light", "dark", "no-preference"] | None = None,
        offline: bool | None = None,
    ) -> ToolOutcome:
        """Change what the browser pretends to be; a device or locale reopens the pages in a new context."""
        request = EmulationRequest(device, viewport, locale, timezone, geolocation, color_scheme, offline)
        page = await self._session.open_page(context)
        devices = list_devices() if device is not None else {}
        if device is not None and not devices:
            raise UnsupportedError("This browser was started by another program, so its devices aren't known.")
        await check_request(page, request, devices)
        async with self._session.watch(context) as watch:
            evidence = await self._apply_emulation(context, request, devices)
            seen, as_wanted = await read_emulation(self._session.current_page(context), request)
            evidence |= {**seen, **{name: value for name, value in watch.evidence().items() if name != "navigated_to"}}
            return ToolOutcome(
                seen, "confirmed" if as_wanted else "unverified", evidence, "browser.emulate sets it back."
            )

    async def route(
        self,
        context: ActionContext,
        url: str,
        action: RouteAction = "fulfil",
        body: str = "",
        status: int = 200,
        delay_s: float = 1.0,
    ) -> ToolOutcome:
        """Set or remove a route for all pages of the session."""
        page = await self._session.open_page(context)
        routes = self._session.routes
        if action == "remove":
            await routes.remove_route(page.context, url)
        else:
            await routes.set_route(page.context, RoutePlan(url, action, body, status, delay_s))
        evidence = {"urls": routes.list_urls()}
        # That a route is set shows only when a request comes, so nothing was read back.
        return ToolOutcome({"routes": len(routes)}, "unverified", evidence, 'browser.route with action "remove".')

    async def _download_by_click(
        self, context: ActionContext, path: Path, selector: str, deadline: Deadline
    ) -> ToolOutcome:
        session, before = self._session, self._session.log.count
        async with session.watch(context) as watch:
            with session.listener.taking_downloads(context.lane):
                await self._pointer.click(context, selector)
                limit_s = min(START_S, deadline.remaining_s)
                happening = await session.log.wait_for("download", before, context.lane, limit_s)
                download = session.listener.downloads.get(happening) if happening else None
                if happening is None or download is None:
                    raise TargetError(
                        f"The click on {selector} started no download.",
                        code="target_unsuitable",
                        hint="Check that the element downloads a file, or give its url.",
                        evidence=watch.evidence(),
                    )
                outcome = await keep_download(download, path, deadline)
                session.listener.claim(download)
            rest = {name: value for name, value in watch.evidence().items() if name != "downloads"}
            others = [detail for detail in watch.happenings("download") if detail is not happening.detail]
            evidence = {**rest, **({"downloads": others} if others else {}), **outcome.evidence}
            return ToolOutcome(outcome.output, outcome.effect, evidence, outcome.undo, outcome.artifacts)

    async def _download_by_address(
        self, context: ActionContext, path: Path, url: str, deadline: Deadline
    ) -> ToolOutcome:
        context.policy.check_address(judge_address(url))
        async with self._session.open_aside(context) as page, self._session.watch(context) as watch:
            with self._session.listener.taking_downloads(page):
                try:
                    with self._session.wall.heading(context, page, url):
                        download = await start_download(page, url, deadline)
                except PlaywrightError as error:
                    raise explain_navigation_error(error, url, page, watch) from error
                outcome = await keep_download(download, path, deadline)
                self._session.listener.claim(download)
                return outcome

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
        f"Another branch has a page open, and this ({asked}) would load all pages of the session anew.",
        code="session_shared",
        hint="Emulate it before the branches part, or in a run without other branches.",
        evidence={"asked": request.list_changes()},
    )


async def _end_act(act: "asyncio.Future[Any] | None", watch: Watch, deadline: Deadline) -> dict[str, Any]:
    """Let the act that opened a dialog end, unless it opens another one that is answered later; say how it ended."""
    if act is None:
        return {}
    try:
        async with asyncio.timeout(deadline.remaining_s):
            await watch.run(act)
    except TimeoutError:
        return {"act": "was still under way when the time ran out, and was given up"}
    except (PlaywrightError, SurehandError) as error:
        return {"act": f"ended with an error: {error}"}
    return {"act": "another dialog is open" if watch.held_dialog else "done"}
