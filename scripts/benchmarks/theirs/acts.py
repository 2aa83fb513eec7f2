"""What another suite's tests do, in the words of our goals."""

import os
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import ElementHandle, FileChooser, Frame, Locator, Page
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from core.goals.meta_goals import Goal
from scripts.benchmarks.theirs.hands import Hands, NotDoneError
from scripts.benchmarks.theirs.naming import name_handle, name_in, name_locator

Given = Mapping[str, Any]
Act = Callable[["Doing"], Awaitable[Any]]

WITHOUT_COUNTERPART = (
    "position",
    "force",
    "trial",
    "steps",
    "source_position",
    "target_position",
    "noWaitAfter",
)
"""What a test may ask of an act that none of our goals can say."""

_MS = 1000


class Doing:
    """One call of a test: on what, and with what."""

    def __init__(self, hands: Hands, on: Any, given: Given) -> None:
        """Take the call.

        Args:
            hands: Who does it.
            on: The page, frame, locator, handle or file chooser that was called.
            given: The arguments by their names.
        """
        self.hands = hands
        self.on = on
        self.given = {name: value for name, value in given.items() if value is not None}

    @property
    def page(self) -> Page:
        """The page that it is on."""
        return self.on if isinstance(self.on, Page) else self.on.page

    async def do(self, verb: str, **params: Any) -> Any:
        """Carry out one goal on the element that is meant.

        Raises:
            PlaywrightTimeoutError: If the hands did not do it, in their own words.
        """
        for name in WITHOUT_COUNTERPART:
            if self.given.get(name):
                pytest.skip(f"no goal says “{name}”")
        page, selector = await self.find()
        goal = Goal("browser", verb, {"selector": selector, **params})
        try:
            return await self.hands.act(page, goal, timeout_s=read_seconds(self.given.get("timeout")))
        except NotDoneError as error:
            raise PlaywrightTimeoutError(str(error)) from None

    async def find(self) -> tuple[Page, str]:
        """Return the page and a selector of the element that is meant."""
        if isinstance(self.on, ElementHandle):
            return await name_handle(self.on)
        if isinstance(self.on, FileChooser):
            return await name_handle(self.on.element)
        if isinstance(self.on, Locator):
            return self.on.page, await name_locator(self.on)
        selector = self.given.get("selector", self.given.get("source"))
        assert isinstance(selector, str)
        return self.page, await name_in(self.on, selector, strict=bool(self.given.get("strict")))

    async def read(self, script: str) -> Any:
        """Return what a script says of the element, by the library itself."""
        if isinstance(self.on, (Page, Frame)):
            return await self.on.eval_on_selector(self.given["selector"], script)
        return await self.on.evaluate(script)


def read_seconds(timeout: Any) -> float:
    """Return a time limit of the library's, in milliseconds or as a time, in seconds."""
    return timeout.total_seconds() if isinstance(timeout, timedelta) else (timeout or 0) / _MS


async def click(doing: Doing) -> None:
    """Click, with whichever button and keys."""
    told = {"button": doing.given.get("button"), "count": doing.given.get("click_count")}
    if "modifiers" in doing.given:
        told["modifiers"] = list(doing.given["modifiers"])
    await doing.do("click", **{name: value for name, value in told.items() if value is not None})


async def double_click(doing: Doing) -> None:
    """Click twice."""
    await doing.do("click", count=2)


async def check(doing: Doing) -> None:
    """Tick."""
    await doing.do("check", checked=True)


async def uncheck(doing: Doing) -> None:
    """Clear a box."""
    await doing.do("check", checked=False)


async def set_checked(doing: Doing) -> None:
    """Tick or clear a box."""
    await doing.do("check", checked=doing.given["checked"])


async def fill(doing: Doing) -> None:
    """Put a text into a field."""
    await doing.do("type", text=doing.given["value"])


async def clear(doing: Doing) -> None:
    """Empty a field."""
    await doing.do("type", text="")


async def type_keys(doing: Doing) -> None:
    """Type a text key by key."""
    await doing.do("type", text=doing.given["text"], mode="keys")


async def press(doing: Doing) -> None:
    """Press a key."""
    await doing.do("press", key=doing.given["key"])


async def hover(doing: Doing) -> None:
    """Point at something."""
    await doing.do("hover")


async def focus(doing: Doing) -> None:
    """Give something the focus."""
    await doing.do("focus")


async def select_option(doing: Doing) -> list[str]:
    """Choose options, and return their values, as the library does."""
    named = [doing.given[name] for name in ("value", "label", "index") if name in doing.given]
    wanted: list[Any] = [part for each in named for part in (each if isinstance(each, (list, tuple)) else [each])]
    elements = doing.given.get("element", ())
    listed: list[ElementHandle] = list(elements) if isinstance(elements, (list, tuple)) else [elements]
    wanted += [await each.evaluate("option => option.label") for each in listed]
    await doing.do("select", value=wanted[0] if len(wanted) == 1 else wanted)
    try:
        return await doing.read("select => Array.from(select.selectedOptions || [], option => option.value)")
    except PlaywrightError:
        return []  # choosing has led to another page


async def set_files(doing: Doing) -> None:
    """Give a file field files."""
    files = doing.given["files"]
    listed = list(files) if isinstance(files, (list, tuple)) else [files]
    if any(not isinstance(each, (str, os.PathLike)) for each in listed):
        pytest.skip("a goal names files by their paths, not by what is in them")
    paths = _name_paths(listed)
    await doing.do("upload", path=paths[0] if len(paths) == 1 else paths)


def _name_paths(files: list[Any]) -> list[str]:
    return [str(Path(each).resolve()) for each in files]


async def drag(doing: Doing) -> None:
    """Drag something onto something else."""
    target = doing.given["target"]
    named = await name_locator(target) if isinstance(target, Locator) else await name_in(doing.on, target, strict=False)
    await doing.do("drag", target=named)


_EVERYWHERE: Mapping[str, Act] = {
    "click": click,
    "dblclick": double_click,
    "check": check,
    "uncheck": uncheck,
    "set_checked": set_checked,
    "fill": fill,
    "type": type_keys,
    "press": press,
    "hover": hover,
    "focus": focus,
    "select_option": select_option,
    "set_input_files": set_files,
}

ACTS: Mapping[type, Mapping[str, Act]] = {
    Page: {**_EVERYWHERE, "drag_and_drop": drag},
    Frame: {**_EVERYWHERE, "drag_and_drop": drag},
    Locator: {**_EVERYWHERE, "press_sequentially": type_keys, "drag_to": drag, "clear": clear},
    ElementHandle: _EVERYWHERE,
    FileChooser: {"set_files": set_files},
}
"""Which calls go through the hands, by what is called."""
