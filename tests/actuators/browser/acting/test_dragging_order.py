"""Putting things in another order by dragging, on a page whose list is sorted by the pointer alone."""

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import ActionError
from core.rules.browser_choices import Side
from core.tools.ports import ActionContext
from tests.actuators.browser.hands import Hands

SORTED = """<div id="list"><p>Ada</p><p>Grace</p><p>Mary</p><p>Zoe</p></div><style>p { height: 30px; margin: 4px; user-select: none }</style><script>
let held = null;
addEventListener('mousedown', (event) => { held = event.target.closest('p'); });
addEventListener('mouseup', (event) => {
  const onto = document.elementFromPoint(event.clientX, event.clientY).closest('p');
  if (!held || !onto || onto === held) return;
  const box = onto.getBoundingClientRect();
  onto[event.clientY < box.top + box.height / 2 ? 'before' : 'after'](held);
});
</script>"""


@pytest.mark.parametrize(
    ("selector", "target", "side", "order"),
    [
        ("Zoe", "Grace", "before", "Ada Zoe Grace Mary"),
        ("Zoe", "Grace", "after", "Ada Grace Zoe Mary"),
        ("Ada", "Mary", "before", "Grace Ada Mary Zoe"),
        ("Ada", "Mary", "after", "Grace Mary Ada Zoe"),
        ("Ada", "Grace", "before", "Ada Grace Mary Zoe"),
    ],
)
async def test_what_is_dragged_comes_on_the_side_that_was_named(
    session: PlaywrightSession, context: ActionContext, selector: str, target: str, side: Side, order: str
):
    page = await session.open_page(context)
    await page.set_content(SORTED)
    outcome = await Hands(session).drag(context, f'control "{selector}"', f'control "{target}"', side=side)
    assert (await page.inner_text("#list")).split() == order.split()
    assert (outcome.effect, outcome.evidence["on_side"]) == ("confirmed", True)


async def test_a_list_that_keeps_its_order_is_a_failure(session: PlaywrightSession, context: ActionContext):
    page = await session.open_page(context)
    await page.set_content(SORTED.replace("'mouseup'", "'never'"))
    with pytest.raises(ActionError, match="does not stand right before") as error:
        await Hands(session).drag(context, 'control "Zoe"', 'control "Ada"', side="before")
    assert (error.value.code, error.value.evidence["on_side"]) == ("state_not_kept", False)
