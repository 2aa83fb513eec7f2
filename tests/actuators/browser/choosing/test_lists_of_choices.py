"""Several options at once, none of them, and numbers, which are names before they are places."""

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import ActionError, TargetError
from core.results.tool_results import ToolOutcome
from core.tools.ports import ActionContext
from tests.actuators.browser.hands import Hands

COLOURS = "<option selected>Red</option><option>Green</option><option>Blue</option>"
ROOMS = "".join(f'<option value="{number}0">{number}</option>' for number in (3, 2, 1, 0))
CHIPS = """<div><label>Tags <input role="combobox" aria-expanded="false" aria-controls="list"></label><span class="chip">One <button
aria-label="Remove One" onclick="this.parentElement.remove()">x</button></span><ul role="listbox" id="list" aria-multiselectable="true" hidden><li
role="option">One</li></ul></div>"""

Value = str | int | tuple[str | int, ...]


async def choose(session: PlaywrightSession, context: ActionContext, body: str, value: Value) -> ToolOutcome:
    page = await session.open_page(context)
    await page.set_content(body)
    return await Hands(session).select(context, 'field "List"', value)


@pytest.mark.parametrize(
    ("options", "value", "chosen"),
    [
        (COLOURS, ("Green", 2), ["Green", "Blue"]),
        (COLOURS, (), []),
        (ROOMS, (0, "2"), ["2", "0"]),
    ],
)
async def test_several_options_are_exactly_those_that_are_named_by_texts_and_numbers(
    session: PlaywrightSession, context: ActionContext, options: str, value: Value, chosen: list[str]
) -> None:
    outcome = await choose(session, context, f'<select multiple aria-label="List">{options}</select>', value)
    assert (outcome.effect, outcome.output["selected"]) == ("confirmed", chosen)


@pytest.mark.parametrize(("value", "chosen"), [(3, "3"), (10, "1"), ("2", "2"), (0, "0")])
async def test_a_number_is_a_place_only_where_no_option_is_called_so(
    session: PlaywrightSession, context: ActionContext, value: Value, chosen: str
) -> None:
    outcome = await choose(session, context, f'<select aria-label="List">{ROOMS}</select>', value)
    assert outcome.output["selected"] == [chosen]


@pytest.mark.parametrize("value", [(), ("Green", "Blue")])
async def test_a_list_for_one_takes_one_and_is_left_as_it_was(
    session: PlaywrightSession, context: ActionContext, value: Value
) -> None:
    body = f'<select aria-label="List" onchange="document.title = \'changed\'">{COLOURS}</select>'
    with pytest.raises(TargetError) as refused:
        await choose(session, context, body, value)
    assert refused.value.code == "target_unsuitable"
    page = session.current_page(context)
    assert (await page.locator("select").input_value(), await page.title()) == ("Red", "")


async def test_no_option_clears_what_a_page_has_made_of_its_own(
    session: PlaywrightSession, context: ActionContext
) -> None:
    outcome = await choose(session, context, CHIPS.replace("Tags", "List"), ())
    assert (outcome.effect, outcome.output["selected"]) == ("confirmed", [])
    assert await session.current_page(context).locator(".chip").count() == 0


async def test_a_made_list_for_one_is_not_cleared_by_naming_none(
    session: PlaywrightSession, context: ActionContext
) -> None:
    body = """<button role="combobox" aria-label="List" aria-expanded="false" aria-controls="l">Red</button><ul role="listbox"
    id="l"><li role="option" aria-selected="true">Red</li></ul>"""
    with pytest.raises(TargetError) as refused:
        await choose(session, context, body, ())
    assert refused.value.code == "target_unsuitable"


AROUND = """<label for="model">List</label><div id="box" role="combobox" aria-haspopup="true" aria-expanded="false" tabindex="0" style="width: 12em">
<div><select id="model" hidden tabindex="-1"><option>Red<option>Green</select><span id="shown">Red</span></div>
<div id="list" role="listbox" hidden><div role="option">Red</div><div role="option">Green</div></div></div><script>
const find = (id) => document.getElementById(id);
find('box').onclick = ({ target }) => {
  const isChoice = target.matches('[role=option]');
  if (isChoice) { find('model').value = target.textContent; find('shown').textContent = target.textContent; }
  find('list').hidden = isChoice;
  find('box').setAttribute('aria-expanded', String(!isChoice));
};
</script>"""


async def test_what_opens_may_be_around_the_hidden_list_that_it_stands_for(
    session: PlaywrightSession, context: ActionContext
) -> None:
    outcome = await choose(session, context, AROUND, "Green")
    assert (outcome.effect, outcome.output["selected"]) == ("confirmed", ["Green"])
    assert await session.current_page(context).locator("select").input_value() == "Green"


BEHIND = """<div><label for="model">List</label><select id="model" style="display: none"><option>Red<option>Green</select><div id="box" style="width: 12em">
<a id="shown" style="cursor: pointer">Red</a><div id="drop" style="position: absolute; clip-path: inset(100%)"><ul><li>Red</li><li>Green</li></ul></div></div></div><script>
const find = (id) => document.getElementById(id);
find('shown').onclick = () => {{ find('drop').style.clipPath = 'none'; }};
find('drop').onclick = ({{ target }}) => {{
  find('shown').textContent = target.textContent;
  find('drop').style.clipPath = 'inset(100%)';
  {keep}
}};
</script>"""
KEEP = "find('model').value = target.textContent;"


async def test_what_is_drawn_behind_a_hidden_list_stands_for_it_though_it_says_nothing_of_itself(
    session: PlaywrightSession, context: ActionContext
) -> None:
    outcome = await choose(session, context, BEHIND.format(keep=KEEP), "Green")
    assert (outcome.effect, outcome.output["selected"]) == ("confirmed", ["Green"])
    assert await session.current_page(context).locator("select").input_value() == "Green"


async def test_what_a_drawn_list_shows_counts_only_where_the_hidden_one_holds_it(
    session: PlaywrightSession, context: ActionContext
) -> None:
    with pytest.raises(ActionError, match="did not keep the choice"):
        await choose(session, context, BEHIND.format(keep=""), "Green")
