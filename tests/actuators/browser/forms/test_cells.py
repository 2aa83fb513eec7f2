"""Editing cells of tables in their place."""

from urllib.parse import quote

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import ActionError, TargetError
from core.tools.ports import ActionContext
from tests.actuators.browser.hands import Hands

TABLE = """<table><tr><th>Name</th><th>Age</th><th>Town</th></tr><tr><td>Ada</td><td>36</td><td>Rome</td></tr></table><script>
const edit = (cell, editor) => {{
  const before = cell.textContent;
  editor.value = before;
  cell.replaceChildren(editor);
  editor.focus();
  editor.onkeydown = (event) => {{ if (event.key === 'Enter') cell.textContent = {kept}; if (event.key === 'Escape') cell.textContent = before; }};
}};
const makeList = () => Object.assign(document.createElement('select'), {{ innerHTML: '<option>Oslo<option>Rome' }});
document.querySelectorAll('td').forEach((cell, at) => {{
  cell.{way} = () => {{ if (at && !cell.firstElementChild) edit(cell, at === 1 ? Object.assign(document.createElement('input'), {{ type: 'number' }}) : makeList()); }};
}});
</script>"""


async def set_cell(session: PlaywrightSession, context: ActionContext, cell: tuple[str, str], page: str):
    await (await session.open_page(context)).goto("data:text/html," + quote(page))
    return await Hands(session).set(context, selector=f'cell "{cell[0]}" in row "Ada"', value=cell[1])


@pytest.mark.parametrize("way", ["ondblclick", "onclick"])
@pytest.mark.parametrize("cell", [("Age", "37"), ("Town", "Oslo")])
async def test_a_cell_is_edited_in_its_place_and_kept(
    session: PlaywrightSession, context: ActionContext, way: str, cell: tuple[str, str]
) -> None:
    outcome = await set_cell(session, context, cell, TABLE.format(way=way, kept="editor.value"))
    assert (outcome.effect, outcome.output["value"], outcome.evidence["edited_by"]) == (
        "confirmed",
        cell[1],
        {"ondblclick": "double click", "onclick": "click"}[way],
    )
    assert cell[1] in await session.current_page(context).inner_text("table")


async def test_a_cell_that_keeps_its_value_is_a_failure(session: PlaywrightSession, context: ActionContext) -> None:
    with pytest.raises(ActionError, match="The cell shows '36', not '37'"):
        await set_cell(session, context, ("Age", "37"), TABLE.format(way="ondblclick", kept="before"))


async def test_a_cell_that_nothing_edits_takes_no_value(session: PlaywrightSession, context: ActionContext) -> None:
    with pytest.raises(TargetError, match="takes no value"):
        await set_cell(session, context, ("Name", "Eva"), TABLE.format(way="ondblclick", kept="before"))


NAMING = """<table><tr><th>Name</th><th>Age</th></tr><tr><td>Ada</td><td>36</td></tr></table><script>
const cell = document.querySelector('td');
cell.onclick = () => { if (!cell.querySelector('button')) cell.insertAdjacentHTML('beforeend', '<button>&vellip;</button>'); };
cell.ondblclick = () => {
  const editor = Object.assign(document.createElement('textarea'), { value: 'Ada' });
  cell.replaceChildren(editor);
  editor.focus();
  editor.onblur = () => { document.title = editor.value; cell.textContent = editor.value; cell.onclick(); };
};
</script>"""


async def test_the_cell_by_which_its_row_is_called_is_kept_and_read_back_without_the_button_that_comes_up_in_it(
    session: PlaywrightSession, context: ActionContext
) -> None:
    outcome = await set_cell(session, context, ("Name", "Eva"), NAMING)
    page = session.current_page(context)
    assert (outcome.effect, outcome.output["value"], await page.title()) == ("confirmed", "Eva", "Eva")


LEAVING = """<table><tr><th>Name</th><th>Value</th></tr><tr><td>Ada</td><td>{before}</td></tr></table><script>
const cell = document.querySelector('tr:last-child td:last-child');
cell.onclick = () => {{
  if (cell.firstElementChild) return;
  const editor = Object.assign(document.createElement('input'), {{ type: '{kind}', value: cell.textContent }});
  cell.replaceChildren(editor);
  editor.focus();
  editor.onblur = () => {{ cell.textContent = editor.value; }};
}};
</script>"""


@pytest.mark.parametrize(
    ("kind", "before", "value"), [("number", "20", "21"), ("text", "tea", "milk"), ("date", "2027-03-01", "2027-03-09")]
)
async def test_an_editor_that_goes_away_when_it_is_left_has_given_its_cell_the_value(
    session: PlaywrightSession, context: ActionContext, kind: str, before: str, value: str
) -> None:
    outcome = await set_cell(session, context, ("Value", value), LEAVING.format(kind=kind, before=before))
    assert (outcome.effect, outcome.output["value"]) == ("confirmed", value)
