"""A question is answered only where it asks about the thing that was chosen for it."""

from typing import Any

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import TargetError
from core.tools.ports import ActionContext
from tests.actuators.browser.hands import Hands

PAGE = """<!doctype html><body><script>
var chosen = '', deleted = [];
function ask(name) {
  const question = document.getElementById('question');
  question.querySelector('p').textContent = QUESTION.replace('%', name);
  question.hidden = false;
}
</script>
<table><tr><th>Name</th><th>State</th></tr>
<tr onclick="chosen = 'notes.txt'"><td>notes.txt</td><td>new</td></tr>
<tr onclick="chosen = 'sums.ipynb'"><td>sums.ipynb</td><td>old</td></tr>
<tr onclick="chosen = 'prices.csv'"><td>prices.csv</td><td>new</td></tr></table>
<button onclick="ask(chosen)">Delete</button><button onclick="ask('sums.ipynb')">Remove</button>
<button onclick="ask('sums.ipynb')">Remove sums.ipynb</button>
<div id="question" role="alertdialog" hidden><p></p><button onclick="deleted.push(chosen)">Yes</button></div></body>"""
NAMES_IT = "Do you want to delete %?"


async def show(session: PlaywrightSession, context: ActionContext, question: str = NAMES_IT) -> Hands:
    page = await session.open_page(context)
    await page.set_content(PAGE.replace("QUESTION", repr(question)))
    return Hands(session)


async def read_deleted(session: PlaywrightSession, context: ActionContext) -> Any:
    return await session.current_page(context).evaluate("deleted")


async def test_a_question_about_another_thing_than_was_chosen_is_not_answered(
    session: PlaywrightSession, context: ActionContext
):
    hands = await show(session, context)
    await hands.click(context, 'cell "notes.txt"')
    await hands.click(context, 'button "Remove"')
    with pytest.raises(TargetError) as caught:
        await hands.click(context, 'button "Yes"')
    assert caught.value.code == "question_differs"
    assert (caught.value.evidence["asked"], caught.value.evidence["chosen"]) == ("sums.ipynb", "notes.txt")
    assert await read_deleted(session, context) == []


async def test_whoever_answers_it_again_means_it(session: PlaywrightSession, context: ActionContext):
    hands = await show(session, context)
    await hands.click(context, 'cell "notes.txt"')
    await hands.click(context, 'button "Remove"')
    with pytest.raises(TargetError):
        await hands.click(context, 'button "Yes"')
    await hands.click(context, 'button "Yes"')
    assert await read_deleted(session, context) == ["notes.txt"]


@pytest.mark.parametrize(
    ("question", "button"),
    [
        (NAMES_IT, "Delete"),  # it names what was chosen
        ("Are you sure?", "Remove"),  # it names nothing
        ("Delete one that is new, not prices.csvx or asums.ipynb?", "Remove"),  # parts of words, and what several have
        (NAMES_IT, "Remove sums.ipynb"),  # what was pressed since has named it
        ("Delete % and notes.txt?", "Remove"),  # both
    ],
)
async def test_every_other_question_is_answered(
    session: PlaywrightSession, context: ActionContext, question: str, button: str
):
    hands = await show(session, context, question)
    await hands.click(context, 'cell "notes.txt"')
    await hands.click(context, f'button "{button}"')
    await hands.click(context, 'button "Yes"')
    assert await read_deleted(session, context) == ["notes.txt"]


async def test_a_question_with_a_field_may_name_what_it_likes(session: PlaywrightSession, context: ActionContext):
    hands = await show(session, context)
    await session.current_page(context).evaluate(
        "document.querySelector('#question p').after(document.createElement('select'))"
    )
    await hands.click(context, 'cell "notes.txt"')
    await hands.click(context, 'button "Remove"')
    await hands.click(context, 'button "Yes"')
    assert await read_deleted(session, context) == ["notes.txt"]
