"""Tools for dialogs, downloads, stored sessions and emulation."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Protocol

from actuators.browser.ports.pages import Done, PagePort
from actuators.browser.ports.sessions import DialogRequest, EmulationRequest, RoutePlan, Saved
from actuators.browser.saved.files import check_new_file, read_state, record_new_file, write_state
from actuators.browser.tools.toolset import CLICK_UNDO, BrowserToolset, tell
from actuators.links import refuse_links_out
from core.addresses.urls import judge_address
from core.base.errors import InputError
from core.results.tool_results import ToolOutcome
from core.rules.browser_choices import ColorScheme, DialogAnswer, RouteAction
from core.rules.param_types import (
    GEOLOCATION,
    SELECTOR,
    VIEWPORT,
    AddressPattern,
    FilePath,
    HttpAddress,
    NameText,
    NewFilePath,
    PlainText,
    Selector,
)
from core.rules.type_makers import beside, integer, number
from core.tools.ports import ActionContext


class SessionPort(PagePort, Protocol):
    """Acts on a session as a whole."""

    async def answer_dialog(self, context: ActionContext, request: DialogRequest) -> Done:
        """Answer the dialog, or the next (output ``armed``), or press a button; output ``kind`` and ``message``."""
        ...

    async def download_from_element(self, context: ActionContext, path: Path, selector: str) -> Saved:
        """Click an element and keep the file that this downloads."""
        ...

    async def download_address(self, context: ActionContext, path: Path, url: str) -> Saved:
        """Download an address that policy allows."""
        ...

    async def read_storage(self, context: ActionContext) -> Any:
        """Return cookies and storage of the lane's browser, JSON-compatible."""
        ...

    async def replace_storage(self, context: ActionContext, state: dict[str, Any], source: Path) -> dict[str, int]:
        """Replace cookies and storage; return how many cookies and origins there are then."""
        ...

    async def emulate(self, context: ActionContext, request: EmulationRequest) -> Done:
        """Change what the pages see; output what they see now."""
        ...

    async def route(self, context: ActionContext, plan: RoutePlan) -> Sequence[str]:
        """Follow a plan for matching requests; return the globs of all plans, oldest first."""
        ...


class SessionTools(BrowserToolset[SessionPort]):
    """Dialogs, downloads, stored sessions and what the browser pretends to be."""

    async def dialog(
        self,
        context: ActionContext,
        action: DialogAnswer | None = None,
        text: PlainText | None = None,
        press: Annotated[str, beside(SELECTOR)] | None = None,
    ) -> ToolOutcome:
        """Answer JavaScript's open dialog, or its next one if none is open yet; or press a button in whatever dialog is open.

        Args:
            action: Whether to accept or to dismiss it.
            text: Answer to a prompt.
            press: Instead of an action, the button to press: in JavaScript's dialog where one is open, else in the dialog
                that the page shows of its own, or in its pop-up window.

        Returns:
            Output ``kind`` and ``message`` of the dialog that was answered, or ``armed`` for the next one; of a dialog of
            the page, the same as of a click.

        Raises:
            ActionError: ``dialog_of_page`` if the dialog to be accepted or dismissed is a part of the page,
                ``no_such_button`` if the open dialog has no such button, ``no_dialog`` if there is none,
                ``dialog_ambiguous`` if there are two.
        """
        done = await self._port.answer_dialog(context, DialogRequest(action, text, press))
        is_armed = done.output.get("armed")
        if is_armed is None:
            return tell(done, CLICK_UNDO)
        return tell(done, "Nothing was answered yet." if is_armed else "An answer can't be undone.")

    async def download(
        self,
        context: ActionContext,
        path: NewFilePath,
        selector: Selector | None = None,
        url: HttpAddress | None = None,
    ) -> ToolOutcome:
        """Download a file: into quarantine first, then, when complete, to the path.

        Args:
            path: Absolute path of the new file; an existing folder takes the server's name if that is safe.
            selector: Element whose click starts the download.
            url: Address to download, instead of a selector.

        Returns:
            Output ``path``, ``suggested_name``; evidence size and sha256, read back from the file.

        Raises:
            TargetError: If the element is missing or starts no download.
            ActionError: If the download failed or the file exists already.
        """
        if selector is None and url is None:
            raise InputError("Nothing to download.", hint="Give a selector or a url.")
        target = Path(path)
        await asyncio.to_thread(refuse_links_out, path, context.policy)
        if not await asyncio.to_thread(target.is_dir):
            await asyncio.to_thread(check_new_file, target)
        if selector is not None:
            return _tell_saved(await self._port.download_from_element(context, target, selector))
        address = url or ""
        context.policy.check_address(judge_address(address))
        return _tell_saved(await self._port.download_address(context, target, address))

    async def save_session(self, context: ActionContext, path: NewFilePath) -> ToolOutcome:
        """Save cookies and storage to a file that only its owner may read.

        Args:
            path: Absolute path of the new file.

        Returns:
            Output ``path``; evidence how many cookies and origins it holds, never their values.

        Raises:
            ActionError: If the file exists already or can't be written.
        """
        await asyncio.to_thread(refuse_links_out, path, context.policy)
        state = await self._port.read_storage(context)
        kept = context.vault.redact(state)
        facts = await asyncio.to_thread(write_state, Path(path), kept)
        saved = await asyncio.to_thread(read_state, Path(path))
        counts = {name: len(saved[name]) for name in ("cookies", "origins")}
        evidence = {"path": path, "size": facts.size, "sha256": facts.sha256, **counts}
        if kept != state:
            evidence["left_out"] = "secrets that the page had stored"
        record = record_new_file(Path(path), facts)
        return ToolOutcome({"path": path}, "confirmed", evidence, f"Delete {path}.", (path,), record)

    async def load_session(self, context: ActionContext, path: FilePath) -> ToolOutcome:
        """Replace cookies and storage by those of a file that ``save_session`` wrote.

        Args:
            path: Absolute path of the file.

        Returns:
            Evidence how many cookies and origins were loaded.

        Raises:
            ActionError: If the file doesn't exist or isn't a saved session.
        """
        await asyncio.to_thread(refuse_links_out, path, context.policy)
        state = await asyncio.to_thread(read_state, Path(path))
        counts = await self._port.replace_storage(context, state, Path(path))
        return ToolOutcome(counts, "confirmed", {"path": path, **counts}, "The earlier content is gone.")

    async def emulate(
        self,
        context: ActionContext,
        device: NameText | None = None,
        viewport: Annotated[dict[str, int], VIEWPORT] | None = None,
        locale: str | None = None,
        timezone: str | None = None,
        geolocation: Annotated[dict[str, float], GEOLOCATION] | None = None,
        color_scheme: ColorScheme | None = None,
        offline: bool | None = None,
    ) -> ToolOutcome:
        """Pretend to be another device, place, or kind of connection.

        Args:
            device: A device name that Playwright knows, such as ``iPhone 15``.
            viewport: ``{width, height}`` in CSS pixels.
            locale: Such as ``de-DE``.
            timezone: Such as ``Europe/Berlin``.
            geolocation: ``{latitude, longitude}`` in degrees, and ``accuracy`` in metres.
            color_scheme: Preferred colours.
            offline: Whether the network shall be cut off.

        Returns:
            Evidence: what the page now sees of it.

        Raises:
            ActionError: If the device, locale or timezone is unknown; names the nearest.
        """
        request = EmulationRequest(device, viewport, locale, timezone, geolocation, color_scheme, offline)
        return tell(await self._port.emulate(context, request), "browser.emulate sets it back.")

    async def route(
        self,
        context: ActionContext,
        url: AddressPattern,
        action: RouteAction = "fulfil",
        body: PlainText = "",
        status: Annotated[int, integer(100, 599)] = 200,
        delay_s: Annotated[float, number(0, 60)] = 1.0,
    ) -> ToolOutcome:
        """Answer, abort or delay matching requests; for tests against fixture sites.

        Args:
            url: Glob of the addresses, such as ``**/api/*``.
            action: ``fulfil`` with body and status, ``abort``, ``delay``, or ``remove`` an earlier route.
            body: Body of the answer.
            status: Status of the answer, 100 to 599.
            delay_s: Seconds for ``delay``, 0 to 60.

        Returns:
            Output ``routes``: how many routes are set now.
        """
        urls = await self._port.route(context, RoutePlan(url, action, body, status, delay_s))
        # That a route is set shows only when a request comes, so nothing was read back.
        undo = 'browser.route with action "remove".'
        return ToolOutcome({"routes": len(urls)}, "unverified", {"urls": list(urls)}, undo)


def _tell_saved(saved: Saved) -> ToolOutcome:
    path = str(saved.path)
    output = {"path": path, "suggested_name": saved.suggested_name}
    facts = {"url": saved.url, "size": saved.facts.size, "sha256": saved.facts.sha256}
    record = record_new_file(saved.path, saved.facts)
    return ToolOutcome(output, "confirmed", {**saved.meanwhile, **output, **facts}, f"Delete {path}.", (path,), record)
