"""Setting dates and times on pages of others' making: in parts, in calendars, in lists, and written with a key that says it is meant."""

import json
from typing import Any

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import SurehandError
from core.tools.ports import ActionContext
from tests.actuators.browser.hands import Hands

CONTEXT = ActionContext("g0_set_1", timeout_s=10.0)
TELL = "<script>const told = {}; const tell = (name, value) => { told[name] = value; };</script>"
# One key at a time, as date fields of component kits have them.
SECTIONS = """<div role="group" aria-label="Arrival" id="arrival"></div><script>
for (const [name, low, high] of [['day', 1, 31], ['month', 1, 12], ['year', 1, 9999]]) {
  const part = document.createElement('span');
  for (const [key, value] of [['role', 'spinbutton'], ['tabindex', 0], ['aria-label', name + ', Arrival'], ['aria-valuemin', low], ['aria-valuemax', high], ['aria-valuetext', 'Empty']]) part.setAttribute(key, value);
  part.textContent = name[0].repeat(2);
  let digits = '';
  part.addEventListener('focus', () => { digits = ''; });
  part.addEventListener('keydown', (event) => {
    if (!/^\\d$/.test(event.key)) return;
    digits += event.key;
    part.textContent = digits;
    part.setAttribute('aria-valuenow', Number(digits));
    part.setAttribute('aria-valuetext', digits);
    tell(name, Number(digits));
  });
  document.getElementById('arrival').append(part, ' ');
}</script>"""
BIRTH = """<fieldset><legend>Date of birth</legend><label>Day <input name="d" inputmode="numeric"></label>
<label>Month <select name="m"><option><option>January<option>February<option>March</select></label>
<label>Year <input name="y" inputmode="numeric"></label></fieldset><script>
for (const each of document.querySelectorAll('input, select')) each.addEventListener('change', () => tell(each.name, each.value));</script>"""
# A calendar for two days, which begins at the years.
CALENDAR = """<label>Stay <input id="stay" readonly></label><div id="pop" role="dialog" hidden><button aria-label="back"></button>
<button id="title"></button><button aria-label="on"></button><table><tbody></tbody></table><button id="ok">Done</button></div><script>
const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
let at = [2026, 10], view = 'days', picked = [];
const [back, title, on] = document.querySelectorAll('#pop > button'), body = document.querySelector('tbody');
const iso = (day) => new Date(Date.UTC(at[0], at[1], day)).toISOString().slice(0, 10);
function draw() {
  title.textContent = view === 'days' ? months[at[1]] + ' ' + at[0] : String(at[0]);
  const cells = view === 'days' ? Array.from({ length: new Date(at[0], at[1] + 1, 0).getDate() }, (_, n) => n + 1)
    : view === 'months' ? months.map((each) => each.slice(0, 3)) : Array.from({ length: 12 }, (_, n) => at[0] - 6 + n);
  body.replaceChildren(...Array.from({ length: Math.ceil(cells.length / 7) }, (_, row) => {
    const line = document.createElement('tr');
    line.append(...cells.slice(row * 7, row * 7 + 7).map((each, n) => {
      const cell = document.createElement('td');
      cell.textContent = each;
      cell.onclick = () => choose(each, row * 7 + n);
      return cell;
    }));
    return line;
  }));
}
function choose(each, place) {
  if (view === 'years') { at[0] = each; view = 'months'; } else if (view === 'months') { at[1] = place; view = 'days'; } else { picked = [...picked.slice(-1), iso(each)]; }
  draw();
}
const turn = (by) => { if (view === 'days') { const next = new Date(at[0], at[1] + by, 1); at = [next.getFullYear(), next.getMonth()]; } else at[0] += view === 'years' ? by * 12 : by; draw(); };
back.onclick = () => turn(-1); on.onclick = () => turn(1);
title.onclick = () => { view = view === 'days' ? 'months' : 'years'; draw(); };
document.getElementById('stay').onclick = () => { document.getElementById('pop').hidden = false; draw(); };
document.getElementById('ok').onclick = () => { document.getElementById('stay').value = picked.join(' to '); tell('stay', picked); document.getElementById('pop').hidden = true; };
</script><style>#pop button { min-width: 20px; min-height: 20px }</style>"""
# One calendar for two fields: after the first end it stays for the second one, and fades when it is closed.
TWO_ENDS = """<style>@keyframes fade { to { opacity: 0 } } .leaving { animation: fade 400ms; pointer-events: none }</style>
<label>From <input id="from" readonly></label><label>Until <input id="until" readonly></label>
<div id="pop" hidden><b>December 2026</b><table><tbody></tbody></table></div><script>
const pop = document.getElementById('pop'), ends = [...document.querySelectorAll('input')];
let end = ends[0];
const rows = Array.from({ length: 5 }, (_, row) => { const line = document.createElement('tr'); line.append(...Array.from({ length: 7 }, (_, n) => row * 7 + n + 1).filter((day) => day < 32)
  .map((day) => { const cell = document.createElement('td'); cell.textContent = day; cell.onclick = () => {
    end.value = `2026-12-${String(day).padStart(2, '0')}`; tell(end.id, end.value); end = ends[1]; end.focus(); }; return cell; })); return line; });
document.querySelector('tbody').append(...rows);
for (const each of ends) each.onclick = () => { end = each; if (pop.className !== 'leaving') pop.hidden = false; };
addEventListener('keydown', ({ key }) => { if (key === 'Escape' && !pop.hidden) pop.className = 'leaving'; });
pop.onanimationend = () => { pop.hidden = true; pop.className = ''; };</script>"""
# Keeps what is written only after Enter, and shows what it had otherwise.
ENTERED = """<form onsubmit="tell('sent', true); return false"><label>Alarm <input id="alarm" placeholder="HH:mm"></label></form><script>
const alarm = document.getElementById('alarm'); let kept = '';
alarm.addEventListener('keydown', (event) => { if (event.key === 'Enter' && /^\\d\\d:\\d\\d$/.test(alarm.value)) { kept = alarm.value; tell('alarm', kept); } });
alarm.addEventListener('blur', () => { alarm.value = kept; });</script>"""
TIMES = """<label>Slot <input id="slot" readonly></label><ul id="times" hidden></ul><script>
const slot = document.getElementById('slot'), times = document.getElementById('times');
times.append(...['9:00 AM', '9:30 AM', '1:00 PM', '1:30 PM'].map((each) => { const item = document.createElement('li'); item.textContent = each;
  item.onclick = () => { slot.value = each; tell('slot', each); times.hidden = true; }; return item; }));
slot.onclick = () => { times.hidden = false; };</script>"""
COLUMNS = """<label>Alarm <input id="alarm" readonly></label><div id="pop" hidden><ul></ul><ul></ul><ul></ul></div><script>
const alarm = document.getElementById('alarm'), pop = document.getElementById('pop'), now = [7, 15, 18];
const two = (number) => String(number).padStart(2, '0');
const show = () => { alarm.value = now.map(two).join(':'); tell('alarm', alarm.value); };
[...pop.children].forEach((list, at) => list.append(...Array.from({ length: at ? 60 : 24 }, (_, number) => {
  const item = document.createElement('li'); item.textContent = two(number); item.onclick = () => { now[at] = number; show(); }; return item; })));
alarm.onclick = () => { pop.hidden = false; };</script><style>ul { float: left; height: 90px; overflow: auto }</style>"""
# Enter says that it is meant, and what would say so too fades away.
FADING = """<style>@keyframes fade { to { opacity: 0 } } .leaving { animation: fade 300ms; pointer-events: none }</style>
<label>Meeting <input id="meeting" placeholder="YYYY-MM-DD HH:mm"></label><div id="pop" hidden><b>December 2026</b><table></table><button>OK</button></div><script>
const field = document.getElementById('meeting'), pop = document.getElementById('pop'), table = document.querySelector('table');
for (let row = 0; row < 5; row += 1) { const line = table.insertRow(); for (let day = row * 7 + 1; day < Math.min(row * 7 + 8, 32); day += 1) {
  const cell = line.insertCell(); cell.textContent = day; cell.onclick = () => { field.value = `2026-12-${String(day).padStart(2, '0')} 00:00`; }; } }
field.onclick = () => { pop.hidden = false; };
field.onkeydown = ({ key }) => { if (key === 'Enter') { tell('meeting', field.value); pop.className = 'leaving'; } };
pop.onanimationend = () => { pop.hidden = true; };</script>"""
KEPT_BY_PAGE = """<label><input type="checkbox" role="switch" aria-checked="false" onclick="event.preventDefault();
this.ariaChecked = String(this.ariaChecked !== 'true'); tell('news', this.ariaChecked === 'true')">News</label>"""
DRAWN = """<style>.veiled { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }</style>
<label><span class="veiled"><input type="checkbox" onchange="tell('news', this.checked)"></span><i style="display:inline-block;width:40px;height:20px;background:#ddd"></i>News</label>"""
# Takes the date when something else has the focus, not when nothing has.
LEFT = (
    SECTIONS.replace("tell(name, Number(digits));", "").replace(
        '<div role="group"', '<main tabindex="0"><div role="group"'
    )
    + """</main><script>
document.getElementById('arrival').addEventListener('focusout', (event) => {
  if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) tell('arrival', event.currentTarget.textContent.trim());
});</script>"""
)
# Moves by keys only, and says its steps by their names.
STEPS = """<div role="slider" tabindex="0" aria-label="Effort" aria-valuemin="0" aria-valuemax="3" aria-valuenow="2" aria-valuetext="some">o</div><script>
const names = ['none', 'little', 'some', 'all'], slider = document.querySelector('[role=slider]');
slider.onkeydown = ({ key }) => {
  const by = { ArrowUp: 1, ArrowDown: -1 }[key] || 0, at = Math.min(3, Math.max(0, Number(slider.getAttribute('aria-valuenow')) + by));
  slider.setAttribute('aria-valuenow', at); slider.setAttribute('aria-valuetext', names[at]); tell('effort', names[at]);
};</script>"""
NATIVE_STEPS = """<label>Effort <input type="range" min="0" max="3" value="0" aria-valuetext="none"></label><script>
const native = document.querySelector('input');
native.oninput = () => { native.setAttribute('aria-valuetext', ['none', 'little', 'some', 'all'][native.value]); tell('effort', native.value); };</script>"""
# Two handles that are drawn over, but for the one that has the focus.
VEILED = """<style>.veil:not(:focus-within) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }</style>
<div role="group" aria-label="Between"><p>Between</p><div class="veil"><input type="range" aria-label="From" value="20" onkeyup="tell('from', Number(this.value))"></div>
<div class="veil"><input type="range" aria-label="Until" value="80" onkeyup="tell('until', Number(this.value))"></div></div>"""
SLIDER = """<label>Volume <input type="range" value="30" onkeyup="tell('volume', Number(this.value))"></label>"""
COUNTER = """<div role="group" aria-label="Guests"><button aria-label="Fewer guests">−</button><p>2</p><button aria-label="More guests">+</button></div><script>
const [fewer, more] = document.querySelectorAll('button'), count = document.querySelector('p');
const put = (by) => { count.textContent = Number(count.textContent) + by; tell('guests', Number(count.textContent)); };
fewer.onclick = () => put(-1); more.onclick = () => put(1);</script>"""
RANGE = """<b id="name">Price</b><div role="group" aria-labelledby="name"><input value="100" hidden><input value="300" hidden></div><script>
const ends = [100, 300], group = document.querySelector('[role=group]');
group.append(...['Minimum', 'Maximum'].map((name, at) => { const thumb = document.createElement('i');
  for (const [key, value] of [['role', 'slider'], ['tabindex', 0], ['aria-label', name], ['aria-valuemin', 0], ['aria-valuemax', 500], ['aria-valuenow', ends[at]]]) thumb.setAttribute(key, value);
  thumb.textContent = 'o';
  thumb.onkeydown = ({ key }) => { ends[at] += 10 * ((key === 'ArrowRight' || key === 'ArrowUp') - (key === 'ArrowLeft' || key === 'ArrowDown')); thumb.setAttribute('aria-valuenow', ends[at]); tell('price', [...ends]); };
  return thumb; }));</script>"""
BESIDE = """<div><div><label id="v">Volume</label></div><div><div><input id="v" hidden><p style="height: 4px; background: grey"></p><b role="slider" tabindex="0" aria-valuenow="3"
onkeydown="this.ariaValueNow = Number(this.ariaValueNow) + (['ArrowRight', 'ArrowUp'].includes(event.key) ? 1 : -1); tell('volume', Number(this.ariaValueNow))">o</b></div></div></div>"""
AMOUNT = """<label>Amount <input id="amount" value="€10.00" onblur="this.value = '€' + Number(this.value).toFixed(2); tell('amount', Number(this.value.slice(1)))"></label>"""
STARS = """<div role="radiogroup" aria-label="Stars"></div><script>
const group = document.querySelector('[role=radiogroup]');
group.append(...[1, 2, 3, 4, 5].map((n) => { const star = document.createElement('div'); star.setAttribute('role', 'radio'); star.textContent = 'star'; star.onclick = () => {
  tell('stars', n); [...group.children].forEach((each, at) => each.setAttribute('aria-checked', at < n)); }; return star; }));</script>"""


async def set_on(session: PlaywrightSession, html: str, selector: str, value: Any) -> tuple[str, dict[str, Any]]:
    """Set a control on a page; return the effect, and what the page was told."""
    page = await session.open_page(CONTEXT)
    await page.set_content(TELL + html)
    outcome = await Hands(session).set(CONTEXT, selector, value)
    return outcome.effect, json.loads(await page.evaluate("JSON.stringify(told)"))


@pytest.mark.parametrize(
    ("html", "selector", "value", "told"),
    [
        (SECTIONS, 'field "Arrival"', "24 December 2026", {"day": 24, "month": 12, "year": 2026}),
        (BIRTH, 'field "Date of birth"', "1987-03-04", {"d": "04", "m": "March", "y": "1987"}),
        (CALENDAR, 'field "Stay"', "2026-12-20 to 2027-01-03", {"stay": ["2026-12-20", "2027-01-03"]}),
        (CALENDAR, 'field "Stay"', "3 May 1999 to 5 May 1999", {"stay": ["1999-05-03", "1999-05-05"]}),
        (ENTERED, 'field "Alarm"', "6:45 pm", {"alarm": "18:45"}),
        (TIMES, 'field "Slot"', "13:30", {"slot": "1:30 PM"}),
        (DRAWN, 'field "News"', "on", {"news": True}),
        (LEFT, 'field "Arrival"', "24 December 2026", {"arrival": "24 12 2026"}),
        (STEPS, 'slider "Effort"', "all", {"effort": "all"}),
        (STEPS, 'slider "Effort"', "None", {"effort": "none"}),
        (NATIVE_STEPS, 'field "Effort"', "some", {"effort": "2"}),
        (SLIDER, 'field "Volume"', 70, {"volume": 70}),
        (VEILED, 'slider in "Between" nth 2', 60, {"until": 60}),
        (AMOUNT, 'field "Amount"', 25, {"amount": 25}),
        (STARS, 'field "Stars"', 4, {"stars": 4}),
        (RANGE, 'field "Price"', "200 to 400", {"price": [200, 400]}),
        (BESIDE, 'slider "Volume"', 7, {"volume": 7}),
        (COLUMNS, 'field "Alarm"', "18:30", {"alarm": "18:30:00"}),
        (FADING, 'field "Meeting"', "2026-12-24 18:30", {"meeting": "2026-12-24 18:30"}),
        (KEPT_BY_PAGE, 'switch "News"', "on", {"news": True}),
        (COUNTER, 'group "Guests"', 5, {"guests": 5}),
        (COUNTER, 'field "Guests"', 1, {"guests": 1}),
    ],
    ids=[
        "parts",
        "three fields",
        "range",
        "far range",
        "enter",
        "list",
        "label",
        "parts, left",
        "step",
        "step below",
        "step of a native slider",
        "slider",
        "second slider, veiled",
        "on leaving",
        "stars",
        "range slider",
        "label before a track",
        "seconds",
        "fading",
        "kept by the page",
        "counter by its group",
        "counter",
    ],
)
async def test_a_control_takes_a_value_in_the_way_in_which_its_page_hears_it(
    session: PlaywrightSession, html: str, selector: str, value: Any, told: dict[str, Any]
):
    assert await set_on(session, html, selector, value) == ("confirmed", told)


async def test_a_date_is_typed_into_the_parts_of_a_field(session: PlaywrightSession):
    page = await session.open_page(CONTEXT)
    await page.set_content(TELL + SECTIONS)
    await Hands(session).type(CONTEXT, selector='field "Arrival"', text="24.12.2026")
    assert json.loads(await page.evaluate("JSON.stringify(told)")) == {"day": 24, "month": 12, "year": 2026}


@pytest.mark.parametrize(
    ("html", "selector", "value", "code"),
    [
        (SECTIONS, 'field "Arrival"', "2026-12-24 18:30", "bad_value"),
        (SECTIONS, 'field "Arrival"', "2026-12-20 to 2026-12-24", "bad_value"),
        (BIRTH, 'field "Date of birth"', "March 1987", "bad_value"),
        (TIMES, 'field "Slot"', "13:45", "bad_value"),
        (STEPS, 'slider "Effort"', "plenty", "bad_value"),
    ],
)
async def test_what_a_control_has_no_place_for_is_refused(
    session: PlaywrightSession, html: str, selector: str, value: str, code: str
):
    with pytest.raises(SurehandError) as caught:
        await set_on(session, html, selector, value)
    assert caught.value.code == code


async def test_a_calendar_that_fades_away_is_opened_anew_for_the_other_end(session: PlaywrightSession):
    page = await session.open_page(CONTEXT)
    await page.set_content(TELL + TWO_ENDS)
    for selector, day in (('field "From"', "2026-12-24"), ('field "Until"', "2026-12-31")):
        assert (await Hands(session).set(CONTEXT, selector, day)).effect == "confirmed"
    assert json.loads(await page.evaluate("JSON.stringify(told)")) == {"from": "2026-12-24", "until": "2026-12-31"}
