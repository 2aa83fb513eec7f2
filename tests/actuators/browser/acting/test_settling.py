"""What is read back counts only when the page has settled: what it takes back a moment later is never confirmed."""

import asyncio
from pathlib import Path
from random import Random

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import ActionError
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands
from tests.actuators.browser.pens import Pen
from tests.thoroughness import spread


@pytest.fixture
async def pen(session: PlaywrightSession, context: ActionContext, site: SiteServer) -> Pen:
    pen = Pen(Hands(session), session, context, site)
    await pen.open("/elements/settling")
    return pen


@pytest.fixture
def pointer(session: PlaywrightSession) -> Hands:
    return Hands(session)


WAYS = ["a timer", "a chain", "fetch", "an answer", "an old request", "a message", "frames", "a promise"]


@pytest.mark.parametrize("way", spread(WAYS, 3))
async def test_a_box_that_the_page_clears_a_moment_later_is_an_error(pen: Pen, way: str) -> None:
    with pytest.raises(ActionError) as caught:
        await pen.forms.check(pen.context, f'checkbox "Undone by {way}"')
    assert caught.value.code == "state_not_kept"


@pytest.mark.parametrize("name", ["Kept", "Kept by the server", "Cancels its timer"])
async def test_a_box_that_stays_ticked_is_confirmed_beside_a_page_that_never_rests(pen: Pen, name: str) -> None:
    outcome = await pen.forms.check(pen.context, f'checkbox "{name}"')
    assert outcome.effect == "confirmed"
    assert "unsettled" not in outcome.evidence


async def test_a_box_that_begins_what_never_ends_is_unverified_and_says_so(pen: Pen) -> None:
    outcome = await pen.forms.check(pen.context, 'checkbox "Begins a loop"')
    assert outcome.effect == "unverified"
    assert "animation frame" in outcome.evidence["under_way"]


async def test_a_box_whose_server_takes_longer_is_unverified_and_nobody_waits_for_it(pen: Pen) -> None:
    loop = asyncio.get_running_loop()
    start_s = loop.time()
    outcome = await pen.forms.check(pen.context, 'checkbox "Slow server"')
    assert loop.time() - start_s < 1.2
    assert (outcome.effect, outcome.evidence["unsettled"]) == ("unverified", True)


async def test_what_an_earlier_act_left_under_way_is_not_the_next_ones(pen: Pen) -> None:
    await pen.forms.check(pen.context, 'checkbox "Slow server"')
    assert (await pen.type('field "Plain"', "tea")).effect == "confirmed"


async def test_a_box_that_leads_to_another_page_is_unverified(pen: Pen) -> None:
    outcome = await pen.forms.check(pen.context, 'checkbox "Leaves the page"')
    assert outcome.effect == "unverified"


async def test_an_option_that_the_page_puts_back_is_an_error(pen: Pen) -> None:
    with pytest.raises(ActionError) as caught:
        await pen.forms.select(pen.context, 'field "Put back"', "Green")
    assert caught.value.code == "value_differs"
    assert (await pen.forms.select(pen.context, 'field "Choice"', "Green")).effect == "confirmed"


@pytest.mark.parametrize("mode", ["replace", "append", "keys"])
async def test_a_text_that_the_page_replaces_is_an_error(pen: Pen, mode: str) -> None:
    with pytest.raises(ActionError) as caught:
        await pen.type('field "Replaced"', "tea", mode=mode)
    assert caught.value.code == "value_differs"


async def test_a_text_is_confirmed_once_what_typing_began_is_over(pen: Pen) -> None:
    assert (await pen.type('field "Searched"', "tea", mode="keys")).effect == "confirmed"
    late = await pen.type('field "Saved late"', "tea")
    assert (late.effect, late.evidence["unsettled"]) == ("unverified", True)


async def test_a_debounce_that_waits_for_the_rest_of_its_time_is_followed(pen: Pen) -> None:
    # As lodash and underscore do: keys set no new timer, and the one that is over sets itself for what is left.
    await pen.session.current_page(pen.context).evaluate(
        """() => {
          const field = document.getElementById('plain');
          let last_ms = 0, timer = 0;
          const later = () => {
            const left_ms = last_ms + 60 - performance.now();
            if (left_ms > 0) timer = setTimeout(later, left_ms);
            else { timer = 0; field.value = 'taken back'; }
          };
          field.addEventListener('input', () => { last_ms = performance.now(); timer = timer || setTimeout(later, 60); });
        }"""
    )
    with pytest.raises(ActionError) as caught:
        await pen.type('field "Plain"', "a rather long text of many keys", mode="keys")
    assert caught.value.code == "value_differs"


async def test_a_timer_of_300_ms_is_followed(pen: Pen) -> None:
    await pen.session.current_page(pen.context).evaluate(
        """() => {
          const field = document.getElementById('plain');
          field.addEventListener('input', () => setTimeout(() => { field.value = 'taken back'; }, 300));
        }"""
    )
    try:
        effect, code = (await pen.type('field "Plain"', "tea")).effect, ""
    except ActionError as error:
        effect, code = "none", error.code
    assert (effect, code) in {("none", "value_differs"), ("unverified", "")}


async def test_a_timer_that_the_other_function_clears_is_over(pen: Pen) -> None:
    await pen.session.current_page(pen.context).evaluate(
        """() => document.getElementById('plain').addEventListener('input', () => {
          clearInterval(setTimeout(() => null, 250));
          clearTimeout(setInterval(() => null, 250));
        })"""
    )
    outcome = await pen.type('field "Plain"', "tea")
    assert (outcome.effect, "unsettled" in outcome.evidence) == ("confirmed", False)


@pytest.mark.parametrize(
    ("selector", "value"),
    [('field "Size"', 8), ('field "Amount"', 8), ('radio "Fast"', "on"), ('checkbox "Undone by a timer"', "on")],
)
async def test_a_control_that_the_page_sets_back_is_an_error(pen: Pen, selector: str, value: str | float) -> None:
    with pytest.raises(ActionError):
        await pen.forms.set(pen.context, selector, value)


async def test_a_field_that_a_later_one_clears_is_not_confirmed(pen: Pen) -> None:
    cleared = await pen.forms.fill(pen.context, {"region": "Viken", "town": "Moss"})
    assert cleared.effect == "unverified"
    kept = await pen.forms.fill(pen.context, {"region": "Viken", "plain": "tea"})
    assert kept.effect == "confirmed"


async def test_files_that_the_page_drops_are_not_confirmed(pen: Pen, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a", encoding="utf-8")
    outcome = await pen.forms.upload(pen.context, 'field "File"', str(tmp_path / "a.txt"))
    assert outcome.effect == "unverified"


async def test_words_that_the_page_unmarks_are_not_confirmed(pen: Pen, pointer: Hands) -> None:
    with pytest.raises(ActionError):
        await pointer.mark(pen.context, 'text "Mark these words"', "these")


async def test_what_snaps_back_was_not_dragged(pen: Pen, pointer: Hands) -> None:
    outcome = await pointer.drag(pen.context, 'button "Snaps back"', offset=(60, 0))
    assert outcome.effect == "unverified"


FAKES = [
    ("holds it up", "addEventListener('input', () => { const more = () => fetch('/slow/?ms=20').then(more); more(); more(); })"),
    ("breaks promises", "Promise.prototype.then = () => { throw new Error('no'); }"),
    ("has a clock of its own", "window.setTimeout = window.setInterval = performance.now = Date.now = () => 0"),
    ("stops every event", "for (const type of ['click', 'input', 'change']) addEventListener(type, (event) => event.stopImmediatePropagation(), true)"),
]  # fmt: skip


@pytest.mark.parametrize(("does", "script"), FAKES, ids=[does for does, _ in FAKES])
async def test_a_page_can_not_hold_an_act_up(pen: Pen, does: str, script: str) -> None:
    del does
    await pen.session.current_page(pen.context).evaluate(f"() => {{ setTimeout(() => {{ {script}; }}); }}")
    outcome = await asyncio.wait_for(pen.type('field "Plain"', "tea"), 4)
    assert outcome.output["value"] == "tea"


async def test_the_page_sees_its_own_functions(pen: Pen) -> None:
    page = pen.session.current_page(pen.context)
    seen = await page.evaluate(
        """() => [setTimeout, clearTimeout, setInterval, requestAnimationFrame, fetch, XMLHttpRequest.prototype.send,
          Response.prototype.json, MessagePort.prototype.postMessage, Event.prototype.stopPropagation, window.open]
          .map((each) => [each.name, each.length, /^function \\w*\\(\\) \\{ \\[native code\\] \\}$/.test(each.toString()) ])"""
    )
    assert [name for name, _, _ in seen] == [
        "setTimeout", "clearTimeout", "setInterval", "requestAnimationFrame", "fetch", "send", "json", "postMessage",
        "stopPropagation", "open",
    ]  # fmt: skip
    assert [length for _, length, _ in seen] == [1, 0, 1, 1, 1, 0, 0, 1, 0, 0]
    assert all(is_native for _, _, is_native in seen)


async def test_a_rejection_that_the_page_does_not_handle_is_still_reported_to_it(pen: Pen) -> None:
    page = pen.session.current_page(pen.context)
    await page.evaluate(
        """() => {
          window.unhandled = 0;
          addEventListener('unhandledrejection', () => { window.unhandled += 1; });
          document.getElementById('plain').addEventListener('input', () => {
            fetch('http://127.0.0.1:1/').catch(() => null);
            fetch('http://127.0.0.1:1/');
          });
        }"""
    )
    await pen.type('field "Plain"', "tea")
    await page.wait_for_function("window.unhandled > 0")
    assert await page.evaluate("window.unhandled") == 1


WAYS_ON = {
    "timer": "(on) => setTimeout(on, 25)",
    "frame": "(on) => requestAnimationFrame(() => on())",
    "idle": "(on) => requestIdleCallback(() => on())",
    "promise": "(on) => Promise.resolve().then(on)",
    "fetch": "(on) => fetch('/slow/?ms=5').then((answer) => answer.text()).then(on)",
    "message": "(on) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = () => on(); port2.postMessage(0); }",
    "old request": "(on) => { const request = new XMLHttpRequest(); request.open('GET', '/slow/?ms=5'); request.onload = () => on(); request.send(); }",
    "post": "(on) => { addEventListener('message', () => on(), { once: true }); postMessage(0, '*'); }",
    "interval": "(on) => { const id = setInterval(() => { clearInterval(id); on(); }, 10); }",
}  # fmt: skip
CHAIN_SCRIPT = """(ways) => {
  const field = document.getElementById('plain'), fresh = field.cloneNode(true);
  field.replaceWith(fresh);
  const ways_on = ways.map((way) => eval(way));
  const go = (left) => (left.length ? left[0](() => go(left.slice(1))) : (fresh.value = 'taken back'));
  fresh.addEventListener('input', () => go(ways_on), { once: true });
}"""


@pytest.mark.parametrize("seed", range(6))
async def test_a_text_that_is_taken_back_by_any_chain_of_ways_is_never_confirmed(pen: Pen, seed: int) -> None:
    random = Random(seed)
    ways = random.choices(sorted(WAYS_ON), k=random.randint(1, 4))
    await pen.session.current_page(pen.context).evaluate(CHAIN_SCRIPT, [WAYS_ON[way] for way in ways])
    try:
        effect, code = (await pen.type('field "Plain"', "tea")).effect, ""
    except ActionError as error:
        effect, code = "none", error.code
    # On a busy machine a chain may take longer than anybody waits.
    assert (effect, code) in {("none", "value_differs"), ("unverified", "")}, ways
