"""What the console calls things: titles that tell runs apart, and no id that nobody chose."""

import string

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.async_api import Page, expect

from tests.agent.console.conftest import OWNER, Console, Scripts

LONG = "the-weekly-order-of-mugs-and-plates-for-the-northern-shop-4711"
WORDS = st.text(string.ascii_lowercase + string.digits, min_size=1, max_size=16)


def shorten(scripts: Scripts, text: str, most: int) -> str:
    return scripts.call("runs/names.js", "shorten", text, most)


@given(parts=st.lists(WORDS, max_size=9), ends=st.lists(WORDS, min_size=2, max_size=2, unique=True))
def test_pages_of_one_host_and_files_of_one_beginning_are_told_apart(
    scripts: Scripts, parts: list[str], ends: list[str]
) -> None:
    for begin in ("http://shop.example/" + "".join(f"{each}/" for each in parts), "-".join([*parts, "report-"])):
        told = [shorten(scripts, f"go to {begin}{end}.html", 44) for end in ends]
        assert told[0] != told[1]
        assert all(each.endswith(f"{end}.html") and len(each) <= 44 for each, end in zip(told, ends, strict=True))


def test_what_is_short_stays_as_it_was_said(scripts: Scripts) -> None:
    assert shorten(scripts, "open example.com and read the title", 44) == "open example.com and read the title"


@given(most=st.integers(20, 60), name=st.text(string.ascii_lowercase + ".-", min_size=1, max_size=90))
def test_the_host_of_a_page_is_never_cut(scripts: Scripts, most: int, name: str) -> None:
    told = scripts.call(
        "runs/names.js", "tellAddress", f"https://{name}/a/long/path/that/goes/on/and/on/to/its/end", most
    )
    assert told.startswith(f"{name}/")
    assert told.endswith("/end")


@pytest.mark.parametrize(
    "made_up", ["r6f1378e19413804c", "mcp-1a2b3c4d", "client-0a1b2c3d4e5f", "voice-01JKABCDEFGHJKMNPQRSTVWXYZ"]
)
def test_an_id_is_no_name(scripts: Scripts, made_up: str) -> None:
    assert not scripts.call("runs/names.js", "isNamed", made_up)
    assert made_up not in scripts.call("runs/names.js", "callSession", made_up, [])


@pytest.mark.parametrize("chosen", ["shop", "facade", "backup-20261129", "mcp-claude", LONG])
def test_a_name_that_somebody_chose_is_shown(scripts: Scripts, chosen: str) -> None:
    assert scripts.call("runs/names.js", "callSession", chosen, []) == chosen


async def test_a_run_that_loads_says_so_and_offers_no_stop(console: Console, page: Page) -> None:
    run_id = await console.begin(text="find files named a.txt", session="one", wait=True)
    await page.context.route(f"**/v1/runs/{run_id}", lambda _: None)  # never answered
    await page.context.route("**/v1/runs?*", lambda route: route.fulfill(json=[]))
    await console.open(page, f"/runs/{run_id}")
    await expect(page.locator(".run-facts .mark")).to_have_text("Loading…")
    await expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    await page.context.unroute_all()
    await page.reload()
    await expect(page.locator(".run-facts .mark")).to_have_text("Done")


async def test_a_finished_run_that_loads_is_not_told_as_running(console: Console, page: Page) -> None:
    run_id = await console.begin(text="find files named a.txt", session="one", wait=True)
    await page.context.route(f"**/v1/runs/{run_id}", lambda _: None)  # never answered
    await console.open(page)
    await page.locator(f'a[href="#/runs/{run_id}"]').click()
    await expect(page.get_by_role("heading", name="find files named a.txt")).to_be_visible()
    await expect(page.locator(".run-facts .mark")).to_have_text("Done")
    await expect(page.get_by_role("button", name="Stop")).to_have_count(0)


@pytest.mark.parametrize("width", [390, 1280])
async def test_a_long_session_name_leaves_the_title_its_room(console: Console, page: Page, width: int) -> None:
    asked = f"go to {console.site}/shop/catalogue/everyday/mugs/large/and/blue/item-"
    for number in (1, 2):
        await console.begin(text=f"{asked}{number} and read the title", session=LONG[:64], wait=True)
    await page.set_viewport_size({"width": width, "height": 844})
    await console.open(page)
    titles = page.locator(".row-title")
    await expect(titles).to_have_count(2)
    assert len(set(await titles.all_inner_texts())) == 2
    for title in await titles.all():
        assert await title.evaluate(
            "each => each.scrollWidth <= each.clientWidth && each.scrollHeight <= each.clientHeight"
        )
        assert await title.evaluate("each => each.clientWidth") >= 230


async def test_ids_that_nobody_chose_stand_in_the_details_alone_and_are_copied(console: Console, page: Page) -> None:
    run_id = await console.begin(text="find files named a.txt", session="mcp-1a2b3c4d", wait=True)
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await console.open(page)
    for place in ("/", "/sessions", "/watch/mcp-1a2b3c4d", f"/runs/{run_id}"):
        await page.evaluate("place => { location.hash = place }", place)
        await page.get_by_text("find files named a.txt").filter(visible=True).first.wait_for()
        seen = await page.locator("body").inner_text()
        assert not [each for each in (run_id, "1a2b3c4d") if each in seen], place
    await page.get_by_text("Details").click()
    await expect(page.get_by_text("mcp-1a2b3c4d")).to_be_visible()
    await page.get_by_role("button", name="Copy: Run id").click()
    await expect(page.locator(".notice")).to_contain_text("copied")
    assert await page.evaluate("navigator.clipboard.readText()") == run_id


async def test_of_many_sessions_only_those_with_something_going_on_are_open(console: Console, page: Page) -> None:
    async with httpx.AsyncClient(base_url=console.address, trust_env=False, timeout=60) as client:
        for number in range(46):
            order = {"text": "list files", "session": f"order-{number}", "wait": True}
            await client.post("/v1/runs", json=order, headers={"Authorization": f"Bearer {OWNER}"})
    params = {"path": "workspace:/a.txt", "content": "a\n"}
    await console.begin(goals=[{"domain": "file", "verb": "write", "params": params}], session="files")
    await console.open(page)
    await expect(page.locator(".session")).to_have_count(1)
    await page.get_by_role("link", name="46 idle sessions").click()
    await expect(page.locator(".session")).to_contain_text("1 question")
    await expect(page.locator(".session-row").filter(visible=True)).to_have_count(0)
    await page.get_by_label("Find a session").fill("order-7")
    await expect(page.locator(".session-row").filter(visible=True)).to_have_count(1)
    await page.get_by_label("Find a session").fill("")
    await expect(page.locator(".session-row").filter(visible=True)).to_have_count(0)
