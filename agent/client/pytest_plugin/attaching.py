"""One page in both hands: the debugging port of pytest-playwright's browser, and the page's name there."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

_PORT = "--remote-debugging-port"
_PORT_FILE = "DevToolsActivePort"
_PROFILE = re.compile(r"--user-data-dir=(.*?)(?= --|$)")


@dataclass(frozen=True, slots=True)
class SharedPage:
    """A page of pytest-playwright's that Surehand acts on, too."""

    address: str
    target: str
    page: Any

    def catch_up(self) -> None:
        """Let the other hand take note of what happened meanwhile, so that its ``page.url`` is true at once."""
        if not self.page.is_closed():
            self.page.title()


def ask_for_port(launching: object) -> None:
    """Have a browser open a debugging port of the system's choice on this machine alone.

    Args:
        launching: What pytest-playwright launches it with; a port that is named already stays.
    """
    if isinstance(launching, dict):
        args = [str(each) for each in launching.get("args") or ()]
        if not any(each.startswith(_PORT) for each in args):
            launching["args"] = [*args, f"{_PORT}=0", "--remote-debugging-address=127.0.0.1"]


def find_page(page: Any) -> SharedPage:
    """Return where a page of pytest-playwright's is found."""
    browser = page.context.browser
    if browser is None or browser.browser_type.name != "chromium":
        pytest.fail("surehand_attached acts on Chromium's pages only: run with --browser chromium.", pytrace=False)
    session = browser.new_browser_cdp_session()
    command: str = session.send("SystemInfo.getInfo")["commandLine"]
    session.detach()
    profile = _PROFILE.search(command)
    place = Path(profile[1].strip("\"'")) / _PORT_FILE if profile else None
    if place is None or not place.is_file():
        pytest.fail(
            "The browser has no debugging port, so Surehand can't act on its page. Let pytest-playwright launch it "
            "(its fixture browser_type_launch_args), in the same run that asks for surehand_attached.",
            pytrace=False,
        )
    own = page.context.new_cdp_session(page)
    target: str = own.send("Target.getTargetInfo")["targetInfo"]["targetId"]
    own.detach()
    return SharedPage(f"http://127.0.0.1:{place.read_text().split()[0]}", target, page)
