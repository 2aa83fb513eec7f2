"""What the console asks a person: changes approved whole or in part, plans looked at first, words chosen."""

from playwright.async_api import Page, expect

from agent.service.callers import Caller
from agent.service.orders import RunOrder
from tests.agent.console.conftest import GUEST, Console

TWO_FILES = [
    {"domain": "file", "verb": "write", "params": {"path": "workspace:/notes.txt", "content": "milk\nbread\n"}},
    {"domain": "file", "verb": "write", "params": {"path": "workspace:/todo.txt", "content": "buy\n"}, "scope": "root"},
]


async def test_a_change_is_shown_line_by_line_and_made_once_it_is_approved(console: Console, page: Page) -> None:
    (console.folder / "notes.txt").write_text("milk\n", encoding="utf-8")
    await console.open(page)
    run_id = await console.begin(goals=TWO_FILES[:1], session="files")
    question = page.get_by_role("article", name="notes.txt")
    await expect(question.locator(".diff-add .diff-text")).to_have_text("bread")
    await expect(question.locator(".diff-same .diff-text")).to_have_text("milk")
    assert (console.folder / "notes.txt").read_text() == "milk\n"
    await question.get_by_role("button", name="Approve").click()
    await page.locator(f'.row a[href="#/runs/{run_id}"]').click()
    await expect(page.locator(".run-facts .mark")).to_have_text("Done")
    assert (console.folder / "notes.txt").read_text() == "milk\nbread\n"


async def test_of_several_changes_only_the_marked_ones_are_made(console: Console, page: Page) -> None:
    run_id = await console.begin(goals=TWO_FILES, session="files")
    await console.open(page, f"/runs/{run_id}")
    await expect(page.locator(".run-facts .mark")).to_have_text("Waits for you")
    await page.get_by_role("checkbox", name="todo.txt").uncheck()
    await page.get_by_role("button", name="Approve 1, decline 1").click()
    await expect(page.locator(".run-facts .mark")).to_have_text("Partly done")
    assert [each.name for each in console.folder.glob("*.txt")] == ["notes.txt"]


async def test_a_plan_is_looked_at_and_done_with_some_of_its_changes(console: Console, page: Page) -> None:
    await console.open(page)
    await page.get_by_label("What shall be done?", exact=True).fill('write "one" to a.txt and write "two" to b.txt')
    await page.get_by_role("button", name="Plan first").click()
    await expect(page.locator(".plan-step.look-planned")).to_have_count(2)
    await expect(page.get_by_text("Nothing was done yet.")).to_be_visible()
    await page.get_by_role("checkbox").first.uncheck()
    await expect(page.get_by_text("Left out, since it follows what is left out.")).to_be_visible()
    await page.get_by_role("checkbox").first.check()
    await page.get_by_role("checkbox").last.uncheck()
    await page.get_by_role("button", name="Do it with 1 of 2 changes").click()
    await page.get_by_role("button", name="Approve").click()
    await expect(page.locator(".receipt.look-confirmed")).to_have_count(1)
    assert [each.name for each in console.folder.glob("*.txt")] == ["a.txt"]


async def test_no_keeps_everything_as_it_is(console: Console, page: Page) -> None:
    await console.open(page)
    await console.begin(goals=TWO_FILES[:1], session="files")
    await page.get_by_role("button", name="Decline").click()
    await expect(page.get_by_role("heading", name="What shall be done?")).to_be_visible()
    assert list(console.folder.glob("*.txt")) == []


async def test_what_is_missing_is_asked_for_and_said(console: Console, page: Page) -> None:
    await console.open(page)
    await page.get_by_label("What shall be done?", exact=True).fill("set the volume")
    await page.keyboard.press("Enter")
    question = page.get_by_role("article")
    await question.get_by_label("Your answer").fill("never mind")
    await question.get_by_role("button", name="Answer").click()
    await expect(question).to_have_count(0)


async def test_what_was_done_is_undone_after_a_look_at_it(console: Console, page: Page) -> None:
    (console.folder / "notes.txt").write_text("milk\n", encoding="utf-8")
    run_id = await console.begin(goals=TWO_FILES[:1], session="files", approvals=["apply_diff"], wait=True)
    await console.open(page, f"/runs/{run_id}")
    await page.get_by_role("button", name="Undo…").click()
    await expect(page.get_by_role("heading", name="1 of 1 step can be undone")).to_be_visible()
    await page.get_by_role("button", name="Undo now").click()
    await page.get_by_role("button", name="Approve").click()
    await expect(page.locator(".notice")).to_contain_text("Undid 1 of 1 step")
    assert (console.folder / "notes.txt").read_text() == "milk\n"


async def test_a_token_that_may_not_approve_is_offered_no_yes(console: Console, page: Page) -> None:
    await console.begin(token=GUEST, goals=TWO_FILES, session="files")
    await console.open(page, token=GUEST)
    question = page.get_by_role("article", name="todo.txt")
    await expect(question).to_contain_text("Somebody who may approve has to say yes.")
    await expect(page.get_by_role("button", name="Approve")).to_have_count(0)
    await question.get_by_role("button", name="Decline").click()
    await expect(question).to_have_count(0)


async def test_the_title_of_the_tab_counts_what_waits(console: Console, page: Page) -> None:
    await console.begin(goals=TWO_FILES, session="files")
    await console.open(page)
    await expect(page).to_have_title("(2) Now – Surehand")


async def test_a_guest_who_may_not_approve_is_let_by_the_person_at_this_machine(console: Console, page: Page) -> None:
    guest = Caller(principal="guest", scopes=frozenset({"read", "run"}), door="http")
    ticket = await console.service.begin(guest, RunOrder(goals=tuple(TWO_FILES[:1]), session="files"))
    await console.begin(text="list the files here", session="files", wait=True)
    await console.open(page)
    await expect(page.get_by_role("article", name="notes.txt")).to_have_count(1)
    await page.evaluate("() => { location.hash = '/watch/files' }")
    await expect(page.get_by_role("heading", name="Session “files”")).to_be_visible()
    await expect(page.get_by_role("article", name="notes.txt")).to_have_count(0)
    await page.evaluate("() => { location.hash = '/' }")
    question = page.get_by_role("article", name="notes.txt")
    await expect(question).to_contain_text("guest asks")
    await expect(question.get_by_role("link", name="Show the run")).to_have_count(0)  # it is theirs to see
    await question.get_by_role("button", name="Approve").click()
    assert (await console.service.result(guest, ticket.run_id))["outcome"] == "success"
    assert (console.folder / "notes.txt").read_text() == "milk\nbread\n"
