"""Files of the browser's verbs stay in the allowed folders, whatever links say."""

import os
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.session.launching import BrowserSettings
from actuators.links import refuse_links_out
from core.base.errors import FileError
from core.policy.policy import Policy
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a link that leads out of it."""
    (tmp_path / "out").mkdir()
    (tmp_path / "in").mkdir()
    (tmp_path / "out" / "secret.txt").write_text("secret", encoding="utf-8")
    (tmp_path / "in" / "door").symlink_to(tmp_path / "out")
    (tmp_path / "in" / "window").symlink_to(tmp_path / "in")
    return tmp_path / "in"


@pytest.mark.parametrize(
    ("verb", "args"),
    [
        ("screenshot", {"path": "door/a.png"}),
        ("pdf", {"path": "door/a.pdf"}),
        ("download", {"url": "/shop/receipt", "path": "door/a.txt"}),
        ("save_session", {"path": "door/a.json"}),
        ("load_session", {"path": "door/secret.txt"}),
        ("upload", {"selector": "input", "path": "door/secret.txt"}),
    ],
)
async def test_a_link_out_of_the_roots_is_refused_before_anything_is_read_or_written(
    verb: str, args: dict[str, Any], browser: Browser, folder: Path
) -> None:
    session = PlaywrightSession.over(browser, BrowserSettings(artifacts_dir=folder / "artifacts"))
    hands = Hands(session)
    context = ActionContext("g0", policy=Policy(roots=(str(folder),)))
    with SiteServer() as site:
        await hands.navigate(context, url=f"{site.url}/elements/fields")
        given = {**args, "path": str(folder / args["path"])}
        with pytest.raises(FileError, match="outside the folders") as caught:
            await getattr(hands, verb)(context, **given)
    await session.close()
    assert caught.value.code == "outside_roots"
    assert [path.name for path in (folder.parent / "out").iterdir()] == ["secret.txt"]


def test_a_link_within_the_roots_is_followed(folder: Path) -> None:
    refuse_links_out(str(folder / "window" / "new" / "a.txt"), Policy(roots=(str(folder),)))


def test_a_root_that_is_a_link_is_where_it_leads(folder: Path) -> None:
    refuse_links_out(str(folder / "door" / "secret.txt"), Policy(roots=(str(folder / "door"),)))
