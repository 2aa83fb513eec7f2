"""Putting things in order, naming places in a grid and drawing, on pages that know only the pointer."""

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import ActionError, InputError, TargetError
from core.tools.ports import ActionContext
from tests.actuators.browser.acting.test_dragging_order import SORTED
from tests.actuators.browser.hands import Hands

NUMBERS = SORTED.replace("<p>Ada</p><p>Grace</p><p>Mary</p><p>Zoe</p>", "<p>7</p><p>-31</p><p>100</p><p>12</p>")
GRID = """<ul style="display:grid;grid-template-columns:repeat(3,60px);list-style:none;padding:0">
<li>a</li><li>b</li><li>c</li><li>d</li><li>e</li><li>f</li><li>g</li><li>h</li><li>i</li></ul>"""
CANVAS = """<style>body { margin: 0 }</style><canvas width="200" height="150"></canvas><script>
const brush = document.querySelector('canvas').getContext('2d');
const points = [];
addEventListener('mousemove', (event) => {
  if (!event.buttons) return;
  points.push([event.clientX, event.clientY]);
  brush.fillRect(event.clientX - 1, event.clientY - 1, 3, 3);
});
</script>"""


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("ascending", "-31 7 12 100"),
        ("descending", "100 12 7 -31"),
        (("12", "100"), "12 100 7 -31"),
    ],
)
async def test_things_are_dragged_until_they_stand_in_order(
    session: PlaywrightSession, context: ActionContext, order: str, expected: str
):
    page = await session.open_page(context)
    await page.set_content(NUMBERS)
    outcome = await Hands(session).arrange(context, "every paragraph", order)
    assert (await page.inner_text("#list")).split() == expected.split()
    assert (outcome.effect, outcome.evidence["after"]) == ("confirmed", expected.split())


async def test_what_is_in_order_is_left_alone(session: PlaywrightSession, context: ActionContext):
    page = await session.open_page(context)
    await page.set_content(SORTED)
    assert (await Hands(session).arrange(context, "every paragraph", "ascending")).evidence["moves"] == 0


async def test_a_list_that_keeps_its_order_is_an_error(session: PlaywrightSession, context: ActionContext):
    page = await session.open_page(context)
    await page.set_content(NUMBERS.replace("'mouseup'", "'never'"))
    with pytest.raises(ActionError) as caught:
        await Hands(session).arrange(context, "every paragraph", "ascending")
    assert caught.value.code == "value_differs"


async def test_an_order_of_what_is_not_there_is_an_error_and_moves_nothing(
    session: PlaywrightSession, context: ActionContext
):
    page = await session.open_page(context)
    await page.set_content(NUMBERS)
    with pytest.raises(TargetError):
        await Hands(session).arrange(context, "every paragraph", ("12", "13"))
    assert (await page.inner_text("#list")).split() == ["7", "-31", "100", "12"]


@pytest.mark.parametrize(
    ("spot", "text"),
    [
        ("top left", "a"),
        ("top center", "b"),
        ("right top", "c"),
        ("center", "e"),
        ("middle right", "f"),
        ("bottom left", "g"),
        ("row 2 column 3", "f"),
        ("row last column last", "i"),
    ],
)
async def test_a_place_in_a_grid_names_what_is_drawn_there(
    session: PlaywrightSession, context: ActionContext, spot: str, text: str
):
    page = await session.open_page(context)
    await page.set_content(GRID)
    outcome = await Hands(session).read(context, "text", f'listitem at "{spot}"')
    assert outcome.output["text"] == text


@pytest.mark.parametrize(
    ("args", "box"),
    [
        ({"shape": "circle", "size": 60.0}, (70, 45, 130, 105)),
        ({"shape": "horizontal line", "size": 80.0}, (60, 75, 140, 75)),
        ({"points": ((10, 10), (50, 10), (50, 90))}, (10, 10, 50, 90)),
    ],
)
async def test_a_line_is_drawn_where_it_was_said(
    session: PlaywrightSession, context: ActionContext, args: dict[str, object], box: tuple[int, ...]
):
    page = await session.open_page(context)
    await page.set_content(CANVAS)
    outcome = await Hands(session).draw(context, "canvas", **args)
    assert outcome.effect == "confirmed"
    points = await page.evaluate("points")
    across, down = [point[0] for point in points], [point[1] for point in points]
    drawn = (min(across), min(down), max(across), max(down))
    assert all(abs(one - other) <= 6 for one, other in zip(drawn, box, strict=True)), drawn


async def test_a_line_that_the_page_does_not_show_is_not_confirmed(session: PlaywrightSession, context: ActionContext):
    page = await session.open_page(context)
    await page.set_content(CANVAS.replace("brush.fillRect", "void 0;(() => 0)"))
    outcome = await Hands(session).draw(context, "canvas", shape="circle", size=60.0)
    assert (outcome.effect, outcome.evidence["changed"]) == ("unverified", False)


NUMBERED = "<p id=said></p>" + "".join(
    f"<button onclick='said.textContent += this.textContent + \" \"'>{number}</button>" for number in (12, 3, 100)
)


@pytest.mark.parametrize(
    ("order", "expected"), [("ascending", "3 12 100"), ("descending", "100 12 3"), (("100", "3"), "100 3 12")]
)
async def test_several_are_clicked_in_the_order_that_was_asked_for(
    session: PlaywrightSession, context: ActionContext, order: str, expected: str
):
    page = await session.open_page(context)
    await page.set_content(NUMBERED)
    outcome = await Hands(session).click(context, "every button", "left", 1, order=order)
    assert (await page.inner_text("#said")).strip() == expected
    assert (outcome.effect, outcome.evidence["count"]) == ("confirmed", 3)


async def test_an_order_needs_several_elements(session: PlaywrightSession, context: ActionContext):
    page = await session.open_page(context)
    await page.set_content(NUMBERED)
    with pytest.raises(InputError, match="several elements"):
        await Hands(session).click(context, 'button "3"', "left", 1, order="ascending")


async def test_entries_that_only_look_movable_are_put_in_order(session: PlaywrightSession, context: ActionContext):
    page = await session.open_page(context)
    await page.set_content(NUMBERS.replace("<p>", "<p style='cursor:grab'>"))
    await Hands(session).arrange(context, "every listitem", "ascending")
    assert (await page.inner_text("#list")).split() == ["-31", "7", "12", "100"]


async def test_the_cells_of_a_drawn_grid_are_cells(session: PlaywrightSession, context: ActionContext):
    page = await session.open_page(context)
    await page.set_content(GRID.replace("<ul", "<div").replace("</ul>", "</div>").replace("li>", "b>"))
    assert (await Hands(session).read(context, "text", 'cell at "row 2 column 3"')).output["text"] == "f"
