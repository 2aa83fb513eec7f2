"""Trees whose branches open by a part in a shadow tree, and whose entries are chosen one by one."""

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands

BRANCHES = """<h1>Places</h1>
<ul role="tree" aria-multiselectable="true">
<tree-branch role="treeitem" tabindex="-1" aria-selected="false" aria-expanded="false">Floors
<tree-branch role="treeitem" tabindex="-1" aria-selected="false" slot="inner">Ground</tree-branch>
<tree-branch role="treeitem" tabindex="-1" aria-selected="false" slot="inner">First</tree-branch></tree-branch>
</ul><script>
const told = () => { document.title = [...document.querySelectorAll('[aria-selected=true]')].map((each) => each.firstChild.data.trim()).join(', '); };
customElements.define('tree-branch', class extends HTMLElement {
  connectedCallback() {
    this.attachShadow({ mode: 'open' }).innerHTML = `<style>:host { display: block } .line { display: flex; cursor: pointer } i { width: 20px; height: 20px }</style>
      <div class="line"><i id="indent" style="width: 0"></i><i id="open"></i><b></b><slot></slot></div><div id="inner" hidden><slot name="inner"></slot></div>`;
    this.addEventListener('click', (event) => {
      event.stopPropagation();
      if (event.composedPath()[0].id === 'open') {
        this.shadowRoot.querySelector('#inner').hidden = false;
        this.setAttribute('aria-expanded', 'true');
        return;
      }
      this.setAttribute('aria-selected', String(this.getAttribute('aria-selected') !== 'true'));
      told();
    });
  }
});
</script>"""


@pytest.fixture
async def tree(session: PlaywrightSession, context: ActionContext, site: SiteServer) -> Hands:
    await Hands(session).navigate(context, site.url)
    await session.current_page(context).set_content(BRANCHES)
    return Hands(session)


async def test_a_branch_is_opened_for_what_lies_in_it_and_not_chosen(
    tree: Hands, session: PlaywrightSession, context: ActionContext
):
    outcome = await tree.reveal(context, 'treeitem "First"', "sections")
    assert outcome.output == {"by": "sections", "through": ["Floors"]}
    assert await session.current_page(context).title() == ""


async def test_an_entry_that_is_chosen_already_is_not_pressed_out_of_the_choice(
    tree: Hands, session: PlaywrightSession, context: ActionContext
):
    await tree.reveal(context, 'treeitem "First"', "sections")
    for already in (False, True):
        outcome = await tree.check(context, 'treeitem "First"')
        assert (outcome.effect, outcome.evidence["already"]) == ("confirmed", already)
    assert await session.current_page(context).title() == "First"


async def test_an_entry_is_taken_out_of_a_choice_of_several(
    tree: Hands, session: PlaywrightSession, context: ActionContext
):
    await tree.reveal(context, 'treeitem "First"', "sections")
    await tree.check(context, 'treeitem "First"')
    await tree.check(context, 'treeitem "Ground"')
    outcome = await tree.check(context, 'treeitem "First"', checked=False)
    assert (outcome.effect, outcome.output) == ("confirmed", {"checked": False})
    assert await session.current_page(context).title() == "Ground"
