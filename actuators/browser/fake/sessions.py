"""Dialogs, downloads, stored sessions and emulation, simulated."""

import asyncio
import difflib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal
from zoneinfo import available_timezones

from actuators.browser.dialog_buttons import (
    DialogAnswer,
    choose_answer,
    put_in_dialog,
    refuse_missing,
    refuse_unanswerable,
)
from actuators.browser.fake.aiming import describe_target
from actuators.browser.fake.browser import FakeBrowser, FakeMemory, FakeRoute
from actuators.browser.fake.effects import answer_dialog, note_download, press_mouse
from actuators.browser.fake.pages import FakeFile, FakeRequest
from actuators.browser.fake.pointer import FakePointer
from actuators.browser.fake.turns import Turn
from actuators.browser.file_names import escape_name, judge_suggested_name
from actuators.browser.files import check_new_file, record_new_file, write_private_file
from actuators.browser.stored_sessions import read_state, write_state
from actuators.browser.tools.sessions import SessionTools
from actuators.browser.tools.toolset import RouteAction, opens_address
from core.errors import ActionError, InputError, NavigationError, TargetError
from core.ports import ActionContext
from core.results import ToolOutcome
from core.urls import judge_address

DEVICES: dict[str, dict[str, Any]] = {
    "Desktop Chrome": {"width": 1280, "height": 720, "device_scale": 1, "touch": False},
    "iPhone 15": {"width": 393, "height": 659, "device_scale": 3, "touch": True},
    "Pixel 7": {"width": 412, "height": 839, "device_scale": 2.625, "touch": True},
}
_LOCALES = ["en-US", "en-GB", "de-DE", "fr-FR", "es-ES", "it-IT", "pl-PL", "ja-JP", "zh-CN"]
_LOCALE = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?")


class FakeSessions(SessionTools):
    """Acts on the fake browser as a whole."""

    def __init__(self, browser: FakeBrowser) -> None:
        """Use this browser."""
        self._browser = browser
        self._pointer = FakePointer(browser)

    async def identify(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Say which page, and which element of it, is acted on."""
        return {} if opens_address(verb, args) else describe_target(self._browser, context, args)

    async def dialog(
        self,
        context: ActionContext,
        action: DialogAnswer | None = None,
        text: str | None = None,
        press: str | None = None,
    ) -> ToolOutcome:
        """Answer the open dialog, press a button in it, or be ready to answer the next one."""
        open_tab = self._browser.tabs.current(context.lane)
        if press is not None and (open_tab is None or open_tab.dialog is None):
            return await self._press(context, press)
        async with Turn(self._browser, context, "dialog", {"action": action, "text": text, "press": press}) as turn:
            tab = self._browser.tabs.current(context.lane)
            held = tab.dialog if tab else None
            if press is not None and held is not None:
                action = choose_answer(press, held.detail)
            if action is None:
                raise InputError("A dialog needs an answer.", hint="For example action: accept.")
            if tab is None or held is None:
                shown = [each for each in _list_shown(turn) if each["buttons"]]
                if shown and not context.followers:
                    raise refuse_unanswerable(action, shown)
                self._browser.armed[context.lane] = (action, text)
                output = {"kind": None, "message": None, "armed": True}
                return ToolOutcome(output, "unverified", {"armed": action}, "Nothing was answered yet.")
            detail = held.detail
            if text is not None and held.ask.kind != "prompt":
                raise ActionError(
                    f'The open dialog is a {held.ask.kind}, which takes no text: "{held.ask.message}".',
                    code="no_prompt",
                    hint="Answer it without text.",
                )
            answer_dialog(turn, tab, held, action, text)
            output = {"kind": held.ask.kind, "message": held.ask.message, "armed": False}
            ending = {"act": "another dialog is open" if tab.dialog else "done"}
            evidence = {**turn.evidence(), **detail, **ending}
            return ToolOutcome(output, "confirmed", evidence, "An answer can't be taken back.")

    async def _press(self, context: ActionContext, press: str) -> ToolOutcome:
        """Press a button in a dialog of the page."""
        inside = put_in_dialog(press)
        async with Turn(self._browser, context, "dialog", {"press": press}) as turn:
            shown = _list_shown(turn)
        for selector in inside:
            try:
                return await self._pointer.click(context, selector)
            except TargetError as error:
                if error.code != "target_missing":
                    raise
        raise refuse_missing(press, shown, {})

    async def download(
        self, context: ActionContext, path: str, selector: str | None = None, url: str | None = None
    ) -> ToolOutcome:
        """Download by a click or by an address; the bytes that were declared are really written."""
        if selector is None and url is None:
            raise InputError("There is nothing to download.", hint="Give a selector or a url.")
        target = Path(path)
        args = {"path": path, "selector": selector, "url": url}
        async with Turn(self._browser, context, "download", args) as turn:
            is_folder = await asyncio.to_thread(target.is_dir)
            if not is_folder:
                await asyncio.to_thread(check_new_file, target)
            source, file = _download_by_click(turn, selector) if selector else _download_by_address(turn, url or "")
            if is_folder:
                target /= judge_suggested_name(file.name)
            facts = await asyncio.to_thread(write_private_file, target, file.content)
            output = {"path": str(target), "suggested_name": escape_name(file.name)}
            evidence = {**output, "url": source, "size": facts.size, "sha256": facts.sha256}
            record = record_new_file(target, facts)
            return ToolOutcome(output, "confirmed", evidence, f"Delete {target}.", (str(target),), record)

    async def save_session(self, context: ActionContext, path: str) -> ToolOutcome:
        """Save cookies and local storage in the form that the real browser uses."""
        async with Turn(self._browser, context, "save_session", {"path": path}) as turn:
            _ = turn.tab
            state = _write_memory(self._browser.memory)
            facts = await asyncio.to_thread(write_state, Path(path), state)
            counts = {name: len(state[name]) for name in ("cookies", "origins")}
            evidence = {"path": path, "size": facts.size, "sha256": facts.sha256, **counts}
            record = record_new_file(Path(path), facts)
            return ToolOutcome({"path": path}, "confirmed", evidence, f"Delete {path}.", (path,), record)

    async def load_session(self, context: ActionContext, path: str) -> ToolOutcome:
        """Replace cookies and storage."""
        async with Turn(self._browser, context, "load_session", {"path": path}) as turn:
            state = await asyncio.to_thread(read_state, Path(path))
            turn.open_tab()
            self._browser.memory = _read_memory(state)
            counts = {name: len(state[name]) for name in ("cookies", "origins")}
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
        """Change what pages see."""
        seen = {
            **(viewport or {}),
            "language": locale,
            "timezone": timezone,
            "geolocation": geolocation and {"accuracy": 0, **geolocation},
            "color_scheme": "light" if color_scheme == "no-preference" else color_scheme,
            "online": None if offline is None else not offline,
        }
        async with Turn(self._browser, context, "emulate", {"device": device, **seen}) as turn:
            await asyncio.to_thread(_check_names, device, locale, timezone)
            turn.open_tab()
            changes = {name: value for name, value in seen.items() if value is not None}
            self._browser.seen |= DEVICES.get(device or "", {}) | changes
            output = dict(self._browser.seen)
            return ToolOutcome(output, "confirmed", {**output, **turn.evidence()}, "browser.emulate sets it back.")

    async def route(
        self,
        context: ActionContext,
        url: str,
        action: RouteAction = "fulfil",
        body: str = "",
        status: int = 200,
        delay_s: float = 1.0,
    ) -> ToolOutcome:
        """Set or remove a route."""
        routes = self._browser.routes
        args = {"url": url, "action": action, "body": body, "status": status, "delay_s": delay_s}
        async with Turn(self._browser, context, "route", args) as turn:
            turn.open_tab()
            if action == "remove" and url not in routes:
                hint = f"Set are: {', '.join(routes) or 'none'}."
                raise ActionError(f"There is no route for {url}.", code="no_route", hint=hint)
            routes.pop(url, None)
            if action != "remove":
                routes[url] = FakeRoute(url, action, body, status)
            undo = 'browser.route with action "remove".'
            return ToolOutcome({"routes": len(routes)}, "unverified", {"urls": list(routes)}, undo)


def _download_by_click(turn: Turn, selector: str) -> tuple[str, FakeFile]:
    press_mouse(turn, turn.reach(selector), "left", 1, ())
    if not turn.downloaded:
        raise TargetError(
            f"The click on {selector} started no download.",
            code="target_unsuitable",
            hint="Check that the element downloads a file, or give its url.",
            evidence=turn.evidence(),
        )
    return turn.downloaded[-1]


def _download_by_address(turn: Turn, url: str) -> tuple[str, FakeFile]:
    turn.context.policy.check_address(judge_address(url))
    arrival = turn.browser.fetch(FakeRequest("GET", url), turn.context.policy)
    if arrival.file is None and arrival.document and (arrival.status or 0) < 400:
        name = url.partition("?")[0].rpartition("/")[2] or "download"
        return url, FakeFile(name, arrival.document.page.title.encode())
    if arrival.file is None:
        raise arrival.trouble or NavigationError(f"{url} could not be downloaded.")
    note_download(turn, url, arrival.file)
    return url, arrival.file


def _write_memory(memory: FakeMemory) -> dict[str, Any]:
    cookies = [
        {"name": name, "value": value, "domain": host, "path": "/", "expires": -1, "httpOnly": False, "secure": False,
         "sameSite": "Lax"}
        for host, named in memory.cookies.items()
        for name, value in named.items()
    ]  # fmt: skip
    origins = [
        {"origin": origin, "localStorage": [{"name": name, "value": value} for name, value in named.items()]}
        for origin, named in memory.storage.items()
    ]
    return {"cookies": cookies, "origins": origins}


def _read_memory(state: dict[str, Any]) -> FakeMemory:
    memory = FakeMemory()
    for cookie in state["cookies"]:
        memory.cookies.setdefault(cookie["domain"], {})[cookie["name"]] = cookie["value"]
    for origin in state["origins"]:
        named = {each["name"]: each["value"] for each in origin.get("localStorage", [])}
        memory.storage[origin["origin"]] = named
    return memory


def _check_names(device: str | None, locale: str | None, timezone: str | None) -> None:
    if device is not None and device not in DEVICES:
        raise _unknown("device", device, list(DEVICES))
    if locale is not None and not _LOCALE.fullmatch(locale):
        raise _unknown("locale", locale, _LOCALES)
    if timezone is not None and timezone not in available_timezones():
        raise _unknown("timezone", timezone, sorted(available_timezones()))


def _unknown(what: str, name: str, known: list[str]) -> ActionError:
    near = difflib.get_close_matches(name, known, 3, 0.4)
    hint = f"Did you mean {', '.join(near)}?" if near else "Use a name such as " + ", ".join(known[:3]) + "."
    return ActionError(f'There is no {what} "{name}".', code=f"unknown_{what}", hint=hint, evidence={"nearest": near})


def _list_shown(turn: Turn) -> list[dict[str, Any]]:
    """Return the dialogs that the page shows of its own, with their buttons."""
    shown = [each for each in turn.document.elements if each.role == "dialog" and each.is_visible]
    buttons = {id(each): [one.name for one in each.descend() if one.role == "button"] for each in shown}
    return [{"name": each.name, "buttons": buttons[id(each)]} for each in shown]
