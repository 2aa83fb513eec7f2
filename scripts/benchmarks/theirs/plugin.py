"""A pytest plugin that has the tests of playwright-python act through our hands.

What a test does to a page (clicks, texts, ticks, choices, files, drags, keys) becomes goals of a session as ``make_session`` puts it together, on the very
page that the test holds; all else, such as opening the page and looking at what has come of it, is the library's own. Only calls that
come from the suite's folder are taken: our own hands use the same classes.
"""

import inspect
import json
import os
import tempfile
from collections.abc import Callable, Coroutine, Generator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, BrowserContext, BrowserType, ElementHandle, Page

from scripts.benchmarks.theirs.acts import ACTS, Act, Doing
from scripts.benchmarks.theirs.dialogs import answer_as
from scripts.benchmarks.theirs.hands import BEGUN_WITH, Hands
from scripts.benchmarks.theirs.openers import WINDOWS, open_by_press

SUITE = os.environ["THEIRS_SUITE"]
REPORT = Path(os.environ["THEIRS_REPORT"])
OWN_WORDS = ("error.message", "exc_info.value", "match=", "Regex pattern did not match", "str(exc")
_ENOUGH = 25

DIFFERENCES = {
    "test_timeout_when_click_opens_alert": "a dialog that nobody answers is dismissed, so that the click ends and says so",
    "test_should_be_able_to_capture_alert": "a dialog that nobody answers is dismissed; the test would answer it later",
    "test_select_option_should_select_only_first_option": "several options of a list that takes one are refused before anything is done",
    "test_select_option_should_return_an_array_of_one_element_when_multiple_is_not_set": "the same",
    "test_select_option_should_deselect_all_options_when_passed_no_values_for_a_select_without_multiple": "the same",
    "test_select_option_should_return_on_no_values": "no option of a list that takes one is refused: it always has one",
    "test_should_inherit_http_credentials_from_browser_context": "a session has no password for servers: its context's is the wall's own",
    "test_click_offscreen_buttons": "receipts of clicks reach us over the page's console, which the test counts",
    "test_should_upload_large_file": "the form leads to a page that is not there (404), which fails the press that sent it",
    "test_update_modifiers_correctly": "a key that the test holds down by the library is none of the goal's",
}
"""Tests that fail because our hands mean something else, and why."""

DIALOGS = ("alert(", "confirm(", "prompt(")
LATER = "setTimeout"
"""In a script that opens something only when whoever began it has gone on."""

_folder = tempfile.TemporaryDirectory(prefix="theirs-", ignore_cleanup_errors=True)
_hands = Hands(Path(_folder.name))
_listeners: dict[Page, Any] = {}
_verdicts: dict[str, tuple[str, str]] = {}

# Their tests use parts of the library's inside that another version may not have; these come from the checkout.
import_module("playwright._impl").__path__.append(str(Path(SUITE, "playwright", "_impl")))

Call = Callable[..., Coroutine[Any, Any, Any]]


def _is_theirs() -> bool:
    """Tell whether the call before the last comes from the suite."""
    here = inspect.currentframe()
    caller = here and here.f_back and here.f_back.f_back
    return bool(caller and caller.f_code.co_filename.startswith(SUITE))


def _reroute(kind: type, name: str, act: Act) -> None:
    """Have a call of the suite go through the hands."""
    own: Call = getattr(kind, name)
    signature = inspect.signature(own)

    async def pass_on(self: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if not _hands.knows((await _find_page(self)).context):
            return await own(self, *args, **kwargs)
        given = dict(signature.bind(self, *args, **kwargs).arguments)
        given.pop("self")
        return await act(Doing(_hands, self, given))

    def call(self: Any, *args: Any, **kwargs: Any) -> Coroutine[Any, Any, Any]:
        return pass_on(self, args, kwargs) if _is_theirs() else own(self, *args, **kwargs)

    setattr(kind, name, call)


async def _find_page(on: Any) -> Page:
    """Return the page of what was called; a handle's may be gone."""
    if isinstance(on, ElementHandle):
        frame = await on.owner_frame()
        assert frame
        return frame.page
    return on if isinstance(on, Page) else on.page


def _reroute_openings() -> None:
    """Have the suite's browsers, contexts and pages be those of sessions."""
    launch, new_context, new_page = BrowserType.launch, Browser.new_context, BrowserContext.new_page
    close_context, close_browser = BrowserContext.close, Browser.close

    def launched(self: BrowserType, **wishes: Any) -> Coroutine[Any, Any, Browser]:
        return _hands.open_browser() if _is_theirs() else launch(self, **wishes)

    def opened(self: Browser, **wishes: Any) -> Coroutine[Any, Any, BrowserContext]:
        if _is_theirs():
            return _hands.open_context(wishes)
        return new_context(self, **{**wishes, **BEGUN_WITH.get({})})

    def paged(self: BrowserContext) -> Coroutine[Any, Any, Page]:
        return _hands.open_page(self) if _is_theirs() and _hands.knows(self) else new_page(self)

    def closed(self: BrowserContext, **given: Any) -> Coroutine[Any, Any, None]:
        return _hands.close_context(self) if _is_theirs() else close_context(self, **given)

    def ended(self: Browser, **given: Any) -> Coroutine[Any, Any, None]:
        return _hands.close() if _is_theirs() else close_browser(self, **given)

    for kind, name, call in (
        (BrowserType, "launch", launched),
        (Browser, "new_context", opened),
        (BrowserContext, "new_page", paged),
        (BrowserContext, "close", closed),
        (Browser, "close", ended),
    ):
        setattr(kind, name, call)


def _reroute_scripts() -> None:
    """Have a press run the suite's scripts that open dialogs and windows, and its listeners to dialogs say what a goal answers."""
    listen, evaluate = Page.on, Page.evaluate

    def on(self: Page, event: Any, f: Any) -> None:
        if event == "dialog" and _is_theirs() and _hands.knows(self.context):
            _listeners[self] = f
        else:
            listen(self, event, f)

    def evaluated(self: Page, expression: str, arg: Any = None, **given: Any) -> Coroutine[Any, Any, Any]:
        is_ours = _is_theirs() and _hands.knows(self.context) and LATER not in expression
        if is_ours and any(each in expression for each in WINDOWS):
            return open_by_press(_hands, self, expression, arg)
        if is_ours and any(each in expression for each in DIALOGS):
            return answer_as(_hands, self, expression, _listeners.get(self))
        return evaluate(self, expression, arg, **given)

    for name, call in (("on", on), ("evaluate", evaluated)):
        setattr(Page, name, call)


def pytest_configure() -> None:
    """Take the calls over."""
    for kind, acts in ACTS.items():
        for name, act in acts.items():
            if hasattr(kind, name):
                _reroute(kind, name, act)
    _reroute_openings()
    _reroute_scripts()


def pytest_runtest_setup() -> None:
    """Count anew."""
    _hands.acts, _hands.told = 0, ""
    _listeners.clear()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any]:
    """Judge a test once it has ended."""
    outcome = yield
    report: pytest.TestReport = outcome.get_result()
    if report.when == "call" or report.outcome != "passed":
        _verdicts.setdefault(item.nodeid, _judge(report, item.name.partition("[")[0]))


def _judge(report: pytest.TestReport, name: str) -> tuple[str, str]:
    if report.skipped:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        return "not applicable", reason.removeprefix("Skipped: ")
    if report.passed:
        return (
            ("passed", "")
            if _hands.acts
            else ("not applicable", "nothing in it acts on an element or answers a dialog")
        )
    if name in DIFFERENCES:
        return "not applicable", DIFFERENCES[name]
    text = str(report.longrepr)
    crash = getattr(getattr(report.longrepr, "reprcrash", None), "message", text)
    if _hands.told and _compares_words(text):
        return "not applicable", f"it asks for the library's own words; ours: {_hands.told}"
    return "failed", f"{crash.splitlines()[0]} {_hands.told}".strip()


def _compares_words(text: str) -> bool:
    """Tell whether a test failed because it expects an error in other words than ours."""
    lines = [line for line in text.splitlines() if line.startswith((">", "E"))]
    compared = [line for line in lines if "assert " in line and _hands.told[:_ENOUGH] in line]
    return bool(compared) or any(each in line for line in lines for each in OWN_WORDS)


def pytest_sessionfinish() -> None:
    """Write down what came of each test."""
    REPORT.write_text(json.dumps(_verdicts), encoding="utf-8")
    _folder.cleanup()
