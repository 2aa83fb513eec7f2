"""Dragging in lists that follow the pointer, take their handle only, or wait for a long press."""

from urllib.parse import quote

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import ActionError, TargetError
from core.tools.ports import ActionContext
from tests.actuators.browser.hands import Hands

LIST = """<ul id="list" aria-label="Tunes">{entries}</ul>
<style>li {{ height: 30px; width: 200px; user-select: none; list-style: none }}</style><script>
let held = null, at = 0, timer = 0;
const begin = (entry) => {{ held = entry; entry.style.opacity = 0.5; }};
addEventListener('pointerdown', (event) => {{
  const grip = event.target.closest('{grip}');
  if (grip) timer = setTimeout(begin, {delay_ms}, grip.closest('li'));
}});
addEventListener('pointermove', (event) => {{ at = event.clientY; if (!held) clearTimeout({delay_ms} ? timer : 0); }});
addEventListener('pointerup', () => {{ clearTimeout(timer); if (held) held.style.opacity = 1; held = null; }});
setInterval(() => {{
  const onto = held && document.elementFromPoint(100, at)?.closest('li');
  if (!onto || onto === held) return;
  const box = onto.getBoundingClientRect();
  onto[at < box.top + box.height / 2 ? 'before' : 'after'](held);
}}, 50);
</script>"""
PLAIN = "".join(f"<li>{name}</li>" for name in ("Aria", "Ballad", "Carol", "Dirge"))
HANDLED = "".join(
    f'<li><span style="cursor: grab">=</span> {name}</li>' for name in ("Aria", "Ballad", "Carol", "Dirge")
)


@pytest.mark.parametrize("how", [(PLAIN, "li", 0), (HANDLED, "span", 0), (PLAIN, "li", 300)])
@pytest.mark.parametrize(
    "wish", ["Dirge before Ballad: Aria Dirge Ballad Carol", "Aria after Carol: Ballad Carol Aria Dirge"]
)
async def test_an_entry_comes_right_beside_the_one_that_was_named(
    session: PlaywrightSession, context: ActionContext, how: tuple[str, str, int], wish: str
) -> None:
    page = await session.open_page(context)
    await page.set_content(LIST.format(entries=how[0], grip=how[1], delay_ms=how[2]))
    said, _, order = wish.partition(": ")
    one, side, other = said.split()
    outcome = await Hands(session).drag(context, f'listitem "{one}"', f'listitem "{other}"', side=side)
    assert (outcome.effect, outcome.evidence["on_side"]) == ("confirmed", True)
    assert (await page.inner_text("#list")).replace("=", "").split() == order.split()


async def test_an_entry_that_is_on_that_side_but_not_right_there_is_moved(
    session: PlaywrightSession, context: ActionContext
) -> None:
    page = await session.open_page(context)
    await page.set_content(LIST.format(entries=PLAIN, grip="li", delay_ms=0))
    await Hands(session).drag(context, 'listitem "Aria"', 'listitem "Dirge"', side="before")
    assert (await page.inner_text("#list")).split() == ["Ballad", "Carol", "Aria", "Dirge"]


async def test_a_drag_of_which_nothing_comes_is_a_failure(session: PlaywrightSession, context: ActionContext) -> None:
    page = await session.open_page(context)
    await page.set_content("<p>One</p><div style='height:50px'>Box</div>")
    with pytest.raises(TargetError, match="nothing came of it"):
        await Hands(session).drag(context, 'text "One"', 'text "Box"')


async def test_a_list_that_puts_an_entry_back_later_is_a_failure(
    session: PlaywrightSession, context: ActionContext
) -> None:
    page = await session.open_page(context)
    await page.goto("data:text/html," + quote(LIST.format(entries=PLAIN, grip="li", delay_ms=0)))
    await page.evaluate(
        """() => addEventListener('pointerup', () => setTimeout(() => {
          for (const name of ['Aria', 'Ballad', 'Carol', 'Dirge']) list.append([...list.children].find((each) => each.innerText === name));
        }, 150))"""
    )
    with pytest.raises(ActionError, match="does not stand right after"):
        await Hands(session).drag(context, 'listitem "Aria"', 'listitem "Carol"', side="after")
