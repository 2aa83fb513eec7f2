"""The fake back end of the browser tools: the real tools, on a small browser in memory.

It is for dry runs, simulation and fault injection. Nothing is started and no time passes: looking for an element takes simulated
seconds only. What it does not know it refuses as ``not_simulated``. A typical use::

    web = FakeWeb({"http://shop.test/": FakePage(title="Shop", elements=(FakeElement(role="button", name="Buy", id="buy"),))})
    browser = FakeBrowser(web, faults=[Fault("click", Dies(done=True))])
    tools = make_fake_toolsets(browser)
"""

import inspect
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, TypeVar, cast

from actuators.browser.fake.acting import FakeForms, FakePointer
from actuators.browser.fake.browser import FakeBrowser
from actuators.browser.fake.documents import FIELD_ROLES, LiveElement, explain_ambiguous, find_matches, names_value
from actuators.browser.fake.navigation import FakeNavigation, FakeTabActs
from actuators.browser.fake.pages import refuse, resolve_address
from actuators.browser.fake.turns import FakePart, Turn
from actuators.browser.ports.expectations import (
    ONE,
    Expectation,
    Seen,
    add_alike,
    compare,
    explain_unmet,
    parse_expected,
    tell_compared,
)
from actuators.browser.ports.reading import ReadRequest, ReadResult
from actuators.browser.tools.forms import FormPort, FormTools
from actuators.browser.tools.navigation import NavigationPort, NavigationTools
from actuators.browser.tools.pointer import PointerPort, PointerTools
from actuators.browser.tools.reading import ReadingPort, ReadingTools
from actuators.browser.tools.sessions import SessionPort, SessionTools
from actuators.browser.tools.tabs import TabPort, TabTools
from actuators.clipboard.ports import PictureClipboard
from core.selectors.selectors import parse_selector
from core.tools.ports import ActionContext, Toolset

Port = TypeVar("Port")


class FakeReading(FakePart):
    """Reads texts and values of declared elements; it draws nothing and writes no files."""

    @property
    def artifacts_dir(self) -> Path:
        """Folder for files that no goal gave a path."""
        return self._browser.artifacts_dir

    @property
    def clipboard(self) -> PictureClipboard | None:
        """None: there are no pictures."""
        return None

    async def read(self, context: ActionContext, request: ReadRequest) -> ReadResult:
        """Read one thing from the page."""
        async with Turn(self._browser, context, "read") as turn:
            return ReadResult(_read(turn, request), turn.view.url, turn.meanwhile())

    async def expect(self, context: ActionContext, wanted: Expectation, timeout_s: float | None) -> Mapping[str, Any]:
        """Look until everything holds; the time that this takes is simulated."""
        spec = parse_expected(wanted)
        async with Turn(self._browser, context, "expect") as turn:
            while True:
                found = find_matches(spec, turn.document) if spec else []
                seen = _look(turn, found)
                differences = list(compare(wanted, seen))
                if not differences:
                    return {"compared": tell_compared(wanted, seen), "waited_s": turn.waited_s, **turn.meanwhile()}
                if turn.look(timeout_s):
                    continue
                if spec and any(each.expected == ONE for each in differences):
                    raise explain_ambiguous(spec, found, turn.waited_s)
                differences = add_alike(spec, differences, seen["page_text"])
                raise explain_unmet(wanted, differences, turn.view.url, turn.waited_s)


def _look(turn: Turn, found: list[LiveElement]) -> Seen:
    elements: list[Seen] = [
        {
            "visible": each.is_visible,
            "enabled": each.is_enabled,
            "tickable": each.checked is not None,
            "checked": each.checked,
            "text": each.read_text(),
            "content": each.read_text(),
            "value": each.value,
            "secret": each.is_secret,
        }
        for each in found
    ]
    page_text = turn.document.root.read_text()
    return {"url": turn.view.url, "title": turn.view.title, "page_text": page_text, "elements": elements}


def _read(turn: Turn, request: ReadRequest) -> Any:
    place, most = request.selector, request.most_chars
    match request.target:
        case "title":
            return turn.view.title
        case "url":
            return turn.view.url
        case "count":
            return len(find_matches(parse_selector(place or ""), turn.document))
        case "text":
            element = turn.find(place) if place else turn.document.root
            is_held = bool(place) and names_value(place or "") and element.role in FIELD_ROLES
            return _read_value(element, most) if is_held else _cut(element.read_text(), most)
        case "value":
            return _read_value(turn.find(place or ""), most)
        case "attribute":
            element, name = turn.find(place or ""), (request.attribute or "").lower()
            return None if name == "value" and element.is_secret else element.attribute(name)
        case "links":
            element = turn.find(place) if place else turn.document.root
            links = [each for each in element.descend() if each.declared.href and each.role == "link"]
            return [
                {"text": each.read_text(), "url": resolve_address(each.declared.href, turn.view.url)} for each in links
            ]
        case _:
            raise refuse(f"read the {request.target}")


def _cut(text: str, most: int) -> dict[str, Any]:
    return {"text": text[:most], "truncated": len(text) > most}


def _read_value(element: LiveElement, most: int) -> dict[str, Any]:
    if element.is_secret:
        return {"text": "", "value": None, "truncated": False}
    value = element.read_value()
    text = value if isinstance(value, str) else "\n".join(value) if isinstance(value, list) else str(value).lower()
    return {**_cut(text, most), "value": value}


def make_fake_toolsets(browser: FakeBrowser) -> dict[type[Toolset], Toolset]:
    """Return the browser tools, all on one fake browser."""
    return {
        NavigationTools: NavigationTools(refuse_the_rest(FakeNavigation(browser), NavigationPort)),
        PointerTools: PointerTools(refuse_the_rest(FakePointer(browser), PointerPort)),
        FormTools: FormTools(refuse_the_rest(FakeForms(browser), FormPort)),
        ReadingTools: ReadingTools(refuse_the_rest(FakeReading(browser), ReadingPort)),
        TabTools: TabTools(refuse_the_rest(FakeTabActs(browser), TabPort)),
        SessionTools: SessionTools(refuse_the_rest(FakePart(browser), SessionPort)),
    }


def refuse_the_rest(part: object, port: type[Port]) -> Port:
    """Return a back end that does what a part of the fake writes, and raises ``not_simulated`` for what else its port has."""
    for name, _ in inspect.getmembers(port, inspect.iscoroutinefunction):
        if not hasattr(part, name):
            setattr(part, name, partial(_refuse_it, name.replace("_", " ")))
    return cast("Port", part)


async def _refuse_it(what: str, *_: object, **__: object) -> NoReturn:
    raise refuse(what)
