"""Going from field to field."""

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import TargetError
from core.tools.ports import ActionContext
from tests.actuators.browser.hands import Hands

PAGE = """
<a href="#">Link</a> <input id="a" aria-label="A"> <input type="hidden"> <input aria-label="Off" disabled>
<input aria-label="Unseen" style="display: none"> <input type="checkbox" aria-label="Tick">
<iframe srcdoc="<input id=b aria-label=B><input id=c aria-label=C>"></iframe>
<textarea id="d" aria-label="D"></textarea> <div id="e" role="textbox" aria-label="E" tabindex="0"></div>
<div id="host"></div><script>
  host.attachShadow({mode: 'open'}).innerHTML = '<input aria-label="F">';
</script>
"""


@pytest.fixture
async def pointer(session: PlaywrightSession, context: ActionContext) -> Hands:
    page = await session.open_page(context)
    await page.set_content(PAGE)
    await page.frames[1].wait_for_selector("#c")
    return Hands(session)


async def walk(pointer: Hands, context: ActionContext, moves: str) -> list[str]:
    """Move on for each ``n`` and back for each ``p``; return the names of the fields."""
    seen = [await pointer.focus(context, move="next" if each == "n" else "previous") for each in moves]
    return [each.evidence["element"]["name"] for each in seen]


async def test_only_fields_that_can_be_filled_in_are_gone_to(pointer: Hands, context: ActionContext) -> None:
    assert await walk(pointer, context, "nnnnppp") == ["A", "D", "E", "F", "E", "D", "A"]


async def test_inside_a_frame_its_own_fields_are_gone_through(
    pointer: Hands, session: PlaywrightSession, context: ActionContext
) -> None:
    await session.current_page(context).frames[1].focus("#b")
    assert await walk(pointer, context, "np") == ["C", "B"]
    await session.current_page(context).focus("#a")
    assert await walk(pointer, context, "n") == ["D"]


@pytest.mark.parametrize("start", ["#a", "a"])
async def test_before_the_first_field_is_none_and_the_focus_stays(
    pointer: Hands, session: PlaywrightSession, context: ActionContext, start: str
) -> None:
    page = session.current_page(context)
    await page.focus(start)
    with pytest.raises(TargetError) as caught:
        await pointer.focus(context, move="previous")
    assert caught.value.code == "target_missing"
    assert await page.evaluate(f"document.activeElement === document.querySelector('{start}')")
