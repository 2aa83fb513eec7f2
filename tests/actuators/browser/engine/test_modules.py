"""Each of the engine's modules, by itself, in a real page."""

from typing import Any, NamedTuple

from tests.actuators.browser.engine.conftest import Modules, list_modules
from tests.cases import each_case


class Case(NamedTuple):
    """What a module makes of a document.

    Attributes:
        module: ``engine/naming``.
        html: The document's body.
        body: JavaScript with the module's exports; ``find`` finds an element by CSS.
        expected: Its value.
        others: Modules whose exports it uses as well.
    """

    module: str
    html: str
    body: str
    expected: Any
    others: tuple[str, ...] = ()


LIST = "<ul><li>Ada 24 EUR <button>Buy</button></li><li>Grace 12 EUR <button>Buy</button></li></ul>"
TABLE = "<table><tr><th>Name</th><th>Price</th></tr><tr><td>Mug</td><td>£12</td></tr><tr><td>Pot</td><td>£30</td></tr></table>"
FORM = '<form><label>Email <input name="mail" value="a@b.c"></label><label><input type="checkbox" checked> News</label><button>Send</button></form>'
MONTH = (
    '<div class="cal"><button aria-label="Previous month"></button><b>May 2026</b><button aria-label="Next month"></button><table>'
    + "".join(
        "<tr>" + "".join(f"<td>{day}</td>" for day in range(row, row + 7) if day < 32) + "</tr>"
        for row in range(1, 32, 7)
    )
    + "</table></div>"
)
DRAWING = (
    '<svg width="200" height="100"><circle cx="30" cy="50" r="20" fill="red"/><rect x="80" y="30" width="40" height="40" fill="blue"/>'
    '<polygon points="150,30 190,70 150,70" fill="green"/><text x="5" y="95">A</text></svg>'
)
MAP = (
    '<img usemap="#house" width="200" height="100"><map name="house"><area shape="rect" coords="0,0,80,100" href="/garden" alt="Garden">'
    '<area shape="circle" coords="150,50,30" href="/kitchen" alt="Kitchen"></map>'
)
PARTS = '<div role="group" aria-label="Due" id="due"><span role="spinbutton" aria-label="Month, Due" tabindex="0">mm</span><span role="spinbutton" aria-label="Year, Due" tabindex="0">yyyy</span></div>'
CASES = [
    Case("engine/finding/answers", "<p>x</p>", "answer({ a: 1 })[0].textContent", '{"a":1}'),
    Case("engine/finding/answers", "<p id=t>x</p>", "answerForEach(find('p'), { token: 'a', what: 'text', options: { most: 9 } })[0].textContent", '[{"text":"x","truncated":false}]'),
    Case("engine/finding/answers", "", "elementOf(document) === document.documentElement && findGround()[0].tagName", "I"),
    Case("engine/acting/choices", FORM, "readTick(find('[type=checkbox]')).checked", True),
    Case("engine/acting/choices", "<select><option>A<option selected>B</select>", "readChoice(find('select')).options.map((each) => each.selected)", [False, True]),
    Case("engine/acting/choices", "<select multiple><option>A<option>B</select>", "pickOptions(find('select'), { places: [1] }) && find('select').value", "B"),
    Case("engine/choosing/offers", "<div><span>Red<button aria-label='Remove Red'>\u00d7</button></span><input role=combobox></div>", "chipsOf(find('input'), []).map(({ text, remover }) => [text, remover.tagName])", [["Red", "BUTTON"]]),
    Case("engine/choosing/offers", '<ul role=tree><li role=treeitem aria-expanded=false><i style="display:inline-block;width:9px;height:9px;cursor:pointer"></i><b>Work</b></ul>', "[readEntry(find('li')).label, readEntry(find('li')).expanded, toggleOf(find('li')).tagName, lineOf(find('li')).tagName]", ["Work", False, "I", "B"]),
    Case("engine/choosing/offers", "<ul><li tabindex=0>One<li tabindex=0>Two</ul>", "entriesIn(find('ul')).map((each) => readEntry(each).label)", ["One", "Two"]),
    Case("engine/choosing/offers", "<button aria-haspopup=listbox aria-controls=l>Pick</button><ul id=l role=listbox><li role=option aria-selected=true>One</ul>", "(({ kind, options, open }) => [kind, options.map((each) => each.selected), open])(readOffer(find('button'), { token: 'm' }))", ["opens", [True], True]),
    Case("engine/choosing/offers", "<button aria-haspopup=listbox>Pick</button>", "(readOffer(find('button'), { token: 'n' }), [findOffered(document, { token: 'n', what: 'press' })[0].tagName, findOffered(document, { token: 'n', what: 'entry' }).length, scrollOffer(document, { token: 'n' })])", ["BUTTON", 0, False]),
    Case("engine/choosing/pinning", "<p><b>x</b></p>", "(pin('p', find('b')), find('p').innerHTML = '<b>y</b>', pinned('p').textContent)", "y"),
    Case("engine/choosing/offers", "<button>Pick</button>", "(noteSight('s'), find('button').insertAdjacentHTML('afterend', '<ul role=listbox><li role=option>One</ul>'), [regionsOf(find('button')).length, openedBy(find('button')).length])", [1, 1]),
    Case("engine/choosing/widgets", "<div><label for=s>Size</label><select id=s style='position:absolute;clip-path:inset(50%)'><option>S<option>M</select><span role=combobox tabindex=0>S</span></div>", "[fieldFor(find('select')).tagName, shownTexts(find('span'), []), modelOf(find('span'), [])]", ["SPAN", ["S"], {"chosen": ["S"], "left": ["M"]}]),
    Case("engine/acting/entering", "<p contenteditable><b>a</b><br>b</p>", "editedText(find('p'))", "a\nb"),
    Case("engine/acting/entering", FORM, "enterText(find('input'), { value: 'new' }) && readValue(find('input')).value", "new"),
    Case("engine/acting/entering", '<input type="date">', "enterText(find('input'), { value: '2026-05-04' }) && find('input').value", "2026-05-04"),
    Case("engine/acting/entering", "<p contenteditable>old</p>", "enterText(find('p'), { value: 'new' }) && find('p').textContent", "new"),
    Case("engine/acting/fields", FORM, "findFields(document, { name: 'Email' })[0].name", "mail"),
    Case("engine/acting/fields", "<p>Name: <input id=n></p><input id=zip name=zip>", "[findFields(document, { name: 'Name' })[0].id, findFields(document, { name: 'zip' })[0].id]", ["n", "zip"]),
    Case("engine/finding/finding", FORM, "findRoles(document, { name: 'send', roles: ['button'] }).length", 1),
    Case("engine/finding/finding", '<div onclick="">Go on</div><a href="/">Other</a>', "findControls(document, { name: 'Go on' })[0].tagName", "DIV"),
    Case("engine/finding/finding", "<p>All is <b>well</b>.</p>", "findTexts(document, { name: 'well' })[0].tagName", "B"),
    Case("engine/finding/finding", "<input placeholder=City><i data-testid=x></i>", "[findPlaceholders(document, { name: 'city' }).length, findTestIds(document, { name: 'x' }).length]", [1, 1]),
    Case("engine/finding/finding", "<div role=option>One</div><p>x</p>", "[findControls(document, { name: 'Options' })[0].textContent, findControls(document, { name: 'Tabs' }).length]", ["One", 0]),
    Case("engine/finding/finding", "<div role=option>One</div><button>Options</button>", "findControls(document, { name: 'Options' })[0].tagName", "BUTTON"),
    Case("engine/later", "", "later().queries === queries", True, ("engine/more/main",)),
    Case("engine/main", FORM, "ask(document, { op: 'role', name: 'Send', roles: ['button'] }).length", 1),
    Case("engine/main", TABLE, "ask(document, { op: 'value', name: 'nothing of that name' }).length", 0),
    Case("engine/names/areas", MAP, "drawnBy(find('area')).tagName + drawnBy(find('img')).tagName", "IMGIMG"),
    Case("engine/names/areas", MAP, "shownBox(find('[shape=circle]')).right - find('img').getBoundingClientRect().x", 180),
    Case("engine/acting/entering", "<input onkeyup=''>", "find('input').focus() || enterText(find('input'), { value: 'ab' }) && repeatLast(find('input'))", "b"),
    Case("engine/names/matching", "<p>Date: <input></p>", "captionsOf(find('input'))", ["Date: "]),
    Case("engine/names/matching", "<b>Save all</b><b>save</b><b>Save</b>", "byName([...document.querySelectorAll('b')], 'Save', (text) => text.toLowerCase()).map((stage) => stage().length)", [1, 0, 0, 0, 3, 3]),
    Case("engine/names/matching", "<b><i>Save</i> <i>Ctrl+S</i></b><b>Save as</b><b>Do not <i>Save</i></b>", "byName([...document.querySelectorAll('b')], 'Save', (text) => text).slice(0, 4).map((stage) => stage().length)", [0, 0, 0, 1]),
    Case("engine/names/matching", "<li><label><input type=checkbox></label> Lima</li>", "textAround(find('input'))", ["Lima"]),
    Case("engine/names/naming", '<b id=all>Range</b><i id=a aria-label=To aria-labelledby="a all"></i>', "nameParts(find('i'))", ["To", "Range"]),
    Case("engine/names/naming", "<label for=a>Volume</label><div id=a><i role=slider></i></div>", "labelsAround(find('i'))", ["Volume"]),
    Case("engine/names/naming", '<section aria-label="Cart"><button>Pay</button></section>', "whereOf(find('button'))", "Cart"),
    Case("engine/names/naming", "<button id=pay>Pay</button>", "describe(find('button'))", {"role": "button", "name": "Pay", "tag": "button", "id": "pay"}),
    Case("engine/names/naming", "<button></button><b role=button></b><i role=button></i><label><input></label>", "(() => { const long = 'word and '.repeat(1e5); find('button').textContent = long; find('b').ariaLabel = long; find('i').title = long; find('label').prepend(long); return ['button', 'b', 'i', 'input'].map((css) => nameOf(find(css)).length).filter((length) => length < 1000 || length > 20000); })()", []),
    Case("engine/past", '<form><input name="id"></form>', "(() => { const id = past('id'); return [find('form')[id], typeof find('form').id]; })()", ["", "object"]),
    Case("engine/acting/presses", "<button><b>x</b></button>", "[isMine([find('b'), find('button')], find('b')), isMine([document.body], find('b'))]", [True, False]),
    Case("engine/finding/probes", '<div style="position:fixed;inset:0;z-index:9" id="veil"></div><button>Go</button>', "askProbe('trouble', find('button'), null).blocker.id", "veil"),
    Case("engine/finding/probes", FORM, "askProbe('candidates', document, { limit: 9 }).map((each) => each.name)", ["Email", "News", "Send"]),
    Case("engine/finding/probes", FORM, "[askProbe('aim', find('button'), {}).form_method, askProbe('about', find('button'), {}).name]", ["get", "Send"]),
    Case("engine/acting/reading", FORM, "[typedValue(find('[type=checkbox]')), readState(find('[name=mail]')).value, shownText(find('button'))]", [True, "a@b.c", "Send"]),
    Case("engine/acting/reading", '<input type="password" value="x"><a href="/a">A</a>', "[readHtml(document.body, { most: 999 }).text.includes('value'), readLinks(document.body).length, pageText(document, {}).shown.trim()]", [False, 1, "A"]),
    Case("engine/acting/receipts", "<button>Go</button>", "(() => { armReceipt(find('button'), { token: 'a', button: 'left', count: 1, limit_ms: 9, text: '' }); find('button').textContent = 'Gone'; const told = endReceipt('a'); return [told.connected, told.events, endReceipt('a')]; })()", [True, [], None]),
    Case("engine/finding/regions", '<label for="">Budget</label><section><h2>Budget</h2></section>', "findRegions(document, { name: 'Budget', roles: [] })[0].tagName", "SECTION"),
    Case("engine/finding/regions", "<label for=a>Budget</label><div id=a><input></div>", "findRegions(document, { name: 'Budget', roles: [] })[0].id", "a"),
    Case("engine/finding/regions", "<section><h2>Prices</h2><p>x</p></section>", "findRegions(document, { name: 'prices', roles: [] })[0].tagName", "SECTION"),
    Case("engine/finding/regions", '<iframe title="Ads"></iframe>', "findFrames(document, { name: 'ads' }).length", 1),
    Case("engine/names/roles", '<div class="slider"><i class="slider-handle"></i></div>', "[isSliderLike(find('div')), roleOf(find('div'))]", [True, "slider"]),
    Case("engine/names/secrecy", "<input>", "[isSecret(find('input')), holdSecret(find('input')), isSecret(find('input'))]", [False, True, True]),
    Case("engine/finding/selecting", LIST, "findForm(document, { query: { op: 'role', name: 'Buy', roles: ['button'] }, regions: [{ name: 'Grace', roles: [] }], exceptions: [], placements: [], quantity: 'one' }).length", 1),
    Case("engine/finding/selecting", "<p>A</p><input id=x><p>B</p><input id=y>", "findForm(document, { query: { op: 'field', name: '' }, regions: [], exceptions: [], placements: [{ relation: 'below', name: 'B' }], quantity: 'one' })[0].id", "y"),
    Case("engine/finding/selecting", LIST, "findForm(document, { query: { op: 'role', name: 'Buy', roles: ['button'] }, regions: [], exceptions: ['Ada'], placements: [], quantity: 'all' }).length", 1),
    Case("engine/acting/settling", "<form><input required></form>", "(() => { beginAct(); find('form').requestSubmit(); return readSending().fields.length; })()", 1),
    Case("engine/shell", "", "typeof engine.queryAll", "function"),
    Case("engine/names/sight", '<fieldset disabled><input></fieldset><p hidden>x</p><b style="opacity:0;pointer-events:none">y</b>', "[disabledBecause(find('input')), hiddenBecause(find('p')), isVisible(find('p')), isSeen(find('b'))]", ["the group around it is disabled", "it is not displayed (hidden)", False, False]),
    Case("engine/acting/spots", '<div style="width:300px;height:20px"></div><b style="position:absolute;top:0;left:100px;width:150px;height:60px">x</b>', "spotOf(find('div')) !== null", True),
    Case("engine/acting/hands", "<b>x</b><b hidden>y</b>", "Promise.all([serve({ do: 'count', parts: ['b'] }), serve({ do: 'visible', parts: ['b', 'nth=1'] }), serve({ do: 'text', parts: ['b'] })])", [{"count": 2}, {"no": "hidden"}, {"no": "ambiguous"}]),
    Case("engine/acting/spots", "<p>One <b>two</b> three</p>", "textBoxes(find('p'), 'two').length", 1),
    Case("engine/names/texts", "", "[key(' “Ünder” – x '), fieldKey('Name: *'), hasWords('next-page', 'page'), hasSome('pages', 'age'), wordsIn('saveAllNow')]", ['"ünder" - x', "name", True, True, ["save", "all", "now"]]),
    Case("engine/names/tree", "<p id=a><b>x</b></p>", "[holds(find('p'), find('b')), innermost([find('p'), find('b')]).length, outermost([find('p'), find('b')])[0].id, withId(find('b'), 'a').tagName]", [True, 1, "a", "P"]),
    Case(
        "engine/names/questions",
        "<ul><li><a>Mugs</a></li><li><a>Cups</a></li></ul><dialog open>Delete Cups?<button>Yes</button></dialog>",
        "(notePressed(document.querySelector('a')), readQuestioned(document.querySelector('button')).asked)",
        "cups",
    ),
    Case("engine/acting/settling", "<button>Submit</button><button>Search</button>", "readUnsent(document).button", "Submit"),
    Case("engine/acting/settling", "<button>Save</button><button>Send</button><button disabled>Apply</button>", "readUnsent(document).button", ""),
    Case("engine/context/canvases", "<canvas></canvas>", "(() => { const canvas = find('canvas'); let told = ''; canvas.addEventListener(SETTINGS.tell_drawn_event, (event) => { told = event.data; }); canvas.getContext('2d').fillText('Hello', 1, 9); canvas.dispatchEvent(new Event(SETTINGS.ask_drawn_event, { composed: true })); return told; })()", "Hello"),
    Case("engine/context/shadows", "<div></div>", "(() => { const root = find('div').attachShadow({ mode: 'closed' }); return [root.mode, find('div').shadowRoot]; })()", ["closed", None]),
    Case("engine/context/originals", "", "(() => { const owner = { f: (x) => x }; replace(owner, 'f', (original, self, args) => apply(original, self, args) + 1); return owner.f(1); })()", 2),
    Case("engine/context/tracking", "<input>", "(() => { beginAct(); find('input').dispatchEvent(new Event('input', { bubbles: true })); setTimeout(() => {}, 50); fetch('/'); const told = askPending(); return [told.pending > 1, told.requests]; })()", [True, 1], ("engine/acting/settling", "engine/context/answering")),
    Case("engine/context/answering", "<input>", "(() => { beginAct(); find('input').dispatchEvent(new Event('input', { bubbles: true })); new Blob(['x']).text(); return askPending().under_way[0]; })()", "file", ("engine/acting/settling",)),
    Case("engine/context/waiting", "", "(() => { const request = awaitRequest(); const id = setTimeout(() => {}, 9000); const now = tellWaiting(); endRequest(request); clearTimeout(id); const then = tellWaiting(); return [now.open_requests - then.open_requests, now.late_ms > 8000, then.late_ms, then.repeated >= 0]; })()", [1, True, 0, True], ("engine/context/tracking",)),
    Case("engine/context/waiting", "", "(() => { const go = () => {}, plans = new Map(), plan = (act, delay_ms) => ({ kind: 'timer', callback: go, act, isCounted: false, delay_ms, since_ms: performance.now() }); keep(plans, 'a', plan(0, 5000)); drop(plans, 'a', true); keep(plans, 'b', plan(0, 5000)); const loop = tellWaiting(); keep(plans, 'b', plan(1, 5000)); const caused = tellWaiting(); drop(plans, 'b'); keep(plans, 'c', plan(0, 10)); return [loop.late_ms, loop.repeated, caused.late_ms > 4000, tellWaiting().late_ms]; })()", [0, 1, True, 0]),
    Case("engine/pending", "", "[FIGURES[0], new Set(FIGURES).size === FIGURES.length]", ["pending", True]),
    Case("engine/context/guard", "<button>Go</button>", "(() => { const event = new MouseEvent(SETTINGS.aim_event, { composed: true, cancelable: true, detail: 1, screenX: 9 }); return find('button').dispatchEvent(event); })()", False),
    Case("engine/context/main", "", "true", True),
    Case("engine/context/listening", "<b>x</b><i>y</i><u>z</u>", "(() => { find('b').addEventListener('dblclick', () => {}); find('i').addEventListener('scroll', () => {}); find('u').onclick = () => {}; const ask = (css) => !find(css).dispatchEvent(new Event(SETTINGS.ask_presses_event, { composed: true, cancelable: true })); return ['b', 'i', 'u'].map(ask); })()", [True, False, True]),
    Case("engine/values/amounts", "", "['£1,234.50', '2 h 30 min', '9:30 pm', '4.5 / 5', 'free'].map((text) => readAmount(text, 'en').size)", [1234.5, 9000, 77400, 4.5, 0]),
    Case("engine/values/amounts", "", "readDates(['4 May 2026', '2026-05-03', '05/01/2026'], 'en-US').map((each) => new Date(each.size * 1000).toISOString().slice(0, 10))", ["2026-05-04", "2026-05-03", "2026-05-01"]),
    Case("engine/controls/calendars", MONTH, "(() => { const told = readCalendar(); return [told.month, told.year, told.days.length, told.next]; })()", [5, 2026, 31, True]),
    Case("engine/looks/colours", '<p style="background:crimson">x</p>', "[nearestName(colourOf('rgb(220, 20, 60)')).family, isColoured(find('p'), { colour: 'red', shade: '' })]", ["red", True]),
    Case("engine/controls/clocks", "<ul><li>9:00 AM</li><li>9:30 AM</li><li>1:00 PM</li></ul><input>", "[readClock(find('input')).times.map((each) => each.label), clockParts(find('input'), 'time').length]", [["9:00 AM", "9:30 AM", "1:00 PM"], 3]),
    Case("engine/controls/sections", PARTS, "[joinSections([...document.querySelectorAll('[role=spinbutton]')], 'Due')[0].id, readSections(find('#due')).map((each) => each.unit), findGrouped(document, 'Due').length]", ["due", ["month", "year"], 1]),
    Case("engine/controls/sections", '<input aria-label="Hours"><select><option>2025<option>2026<option>2027</select><b role="spinbutton" aria-valuemin="1" aria-valuemax="31">1</b>', "['input', 'select', 'b'].map((css) => unitOf(find(css)))", ["hour", "year", "day"]),
    Case("engine/controls/controls", '<label>Size <input type="number" value="3" min="1"></label>', "(() => { const told = readControl(find('input')); return [told.kind, told.held, told.lowest]; })()", ["number", "3", "1"]),
    Case("engine/controls/controls", '<div role="slider" aria-valuenow="4" aria-valuemax="9" style="width:50px;height:9px"></div>', "[readControl(find('div')).kind, readGauge(find('div')).told]", ["slider", 4]),
    Case("engine/controls/controls", '<label><input type="radio" name="a"> One</label><label><input type="radio" name="a" checked> Two</label>', "readControl(find('input')).held", "Two"),
    Case("engine/controls/counters", "<p>Guests <button>-</button><span>2</span><button>+</button></p>", "[countersIn(document).length, captionOfCounter(find('span'))]", [1, ["Guests"]]),
    Case("engine/controls/filling", FORM, "[listFillable(document, { values: false }).map((each) => each.names[0]), findSubmitter(document, { places: [0] })[0].textContent]", [["Email"], "Send"]),
    Case("engine/controls/filling", "<input id=a><input id=b>", "(find('#a').focus(), findNeighbour(document, { token: 'x', move: 'next' })[0].id)", "b"),
    Case("engine/looks/colours", '<p style="background:#ff8800">x</p>', "readColour(find('p'))", {"text": "#ff8800", "name": "darkorange"}),
    Case("engine/more/grids", '<p style="display:grid;grid-template-columns:50px 50px"><b>a</b><b>b</b><b>c</b><b>d</b></p>', "[[1, 1], [1, -1], [-1, 1], [2, 2], [3, 1], [0, 0]].map(([row, column]) => atSpot([...document.querySelectorAll('b')], { row, column }).map((each) => each.textContent).join())", ["a", "b", "c", "d", "", ""]),
    Case("engine/more/widgets", "<ul><li>Angola<li>Anguilla<li>Norway</ul>", "[withPattern(nameable(document), 'an*la').length, withPattern(nameable(document), '*la').map((each) => each.textContent), withPattern(nameable(document), 'n.rway').length]", [2, ["Angola", "Anguilla"], 0]),
    Case("engine/more/widgets", "<h1>A title of words</h1><div>It is <b>said</b> here at length.</div><div>Two words</div><label>Not this one here <input></label>", "proseIn(document).map((each) => each.textContent)", ["It is said here at length."]),
    Case("engine/values/records", '<div><div class="r"><a href="/">One</a><i>x</i></div><div class="r"><a href="/">Two</a><i>x</i></div></div><ul><li><a href="#">1</a></li><li><a href="#">2</a></li><li><a href="#">&gt;</a></li></ul><div><p class="s"><b>Total:</b> <i>2</i></p></div>', "findRecords(document, { name: '' }).map((each) => each.textContent)", ["Onex", "Twox"]),
    Case("engine/controls/cells", "<table><tr><th>Age</th></tr><tr><td>36</td><td><input value=7></td></tr></table>", "[readCellState(find('td')), findCellEditor(find('td:last-child'))[0].value]", [{"is_cell": True, "text": "36", "has_editor": False, "has_controls": False}, "7"]),
    Case("engine/more/grids", "<div style='display:grid;grid-template-columns:50px 50px'><b>a</b><b>b</b><b>c</b><b>d</b></div>", "drawnCells(document).map((each) => each.textContent)", ["a", "b", "c", "d"]),
    Case("engine/more/grids", "<div><p style='cursor:grab'>a</p><p style='cursor:grab'>b</p><p>c</p></div>", "movableEntries(document).map((each) => each.textContent)", ["a", "b"]),
    Case("engine/more/dragging", "<ul><li id=a>One</li><li id=b draggable=true>Two</li></ul>", "(watchDrag(find('#b'), {}), [aimDrag(find('#a')).order, listGrips(find('#b')).length, readDrag(find('#a')).events])", [{"side": "after", "is_next": True}, 1, []], ("engine/more/dragging",)),
    Case("engine/more/dragging", "<ul><li id=a>One</li><li id=b>Two</li><li id=c>Three</li></ul><p>x</p>", "[orderOf(find('#a'), find('#c')), orderOf(find('#c'), find('#b')), orderOf(find('#a'), find('ul'))]", [{"side": "before", "is_next": False}, {"side": "after", "is_next": True}, None]),
    Case("engine/controls/uploads", "<label>Photo<input type=file multiple></label><p>a.txt</p>", "[findFileField(find('label'))[0].type, readFiles(find('p'), { names: ['a.txt', 'b.txt'] }), readFiles(find('label'), { names: [] }).field.multiple, watchDrop() && readDrop()]", ["file", {"shown": ["a.txt"], "field": None}, True, False]),
    Case("engine/more/standins", "<label for=a>Body</label><textarea id=a hidden></textarea><div><i contenteditable>x</i></div><h2>Note</h2><p><button>B</button></p><div contenteditable id=n>y</div>", "[standInsFor([find('#a')])[0].tagName, namesAround(), findHeadedEditor(document, { name: 'Note', fields: [find('#n')] }).length]", ["I", [], 1]),
    Case("engine/more/gestures", '<div style="height:50px;overflow:auto"><p style="height:500px">x</p></div>', "scrollFrom(find('div'), { direction: 'down', amount: 100, unit: 'px', to: '' }).after.y_px", 100),
    Case("engine/more/gestures", "<p>x</p>", "[zoomPage(document.documentElement, { factor: '1.5' }), readZoom(document.documentElement), zoomPage(document.documentElement, { factor: '1' })]", [True, 1.5, True]),
    Case("engine/more/gestures", '<button style="position:fixed;top:0;left:0;width:50px;height:50px"><b>Pay</b></button>', "readUnder(document, { x_px: 20, y_px: 20 }).name", "Pay"),
    Case("engine/looks/icons", '<i class="fa fa-trash" style="display:inline-block;width:16px;height:16px"></i>', "findIcons(document, { words: ['trash'], likes: [] }).length", 1),
    Case("engine/looks/looks", DRAWING, "findLooks(document, { kind: 'shape', colour: 'red', shade: '', size: '', extreme: '', style: '' })[0].tagName", "circle"),
    Case("engine/looks/looks", '<b style="font-size:30px">Big</b><b>Small</b>', "findLooks(document, { kind: 'text', extreme: 'largest' })[0].textContent", "Big"),
    Case("engine/more/vocabulary", FORM, "[kindOfElement(find('input')), kindOfElement(find('button')), wordOfRole('alertdialog')]", [{"kind": "field", "word": ""}, {"kind": "role", "word": "button"}, "dialog"]),
    Case("engine/names/memory", "", "remembering(() => [once('a', 1, () => 2), once('a', 1, () => 3), isRemembering()]).concat(once('a', 1, () => 4), isRemembering())", [2, 2, True, 4, False]),
    Case("engine/selectors/callings", TABLE, "[columnOf(find('tr:last-child td:last-child')), rowNamesOf(find('tr:last-child')), namesFor(find('td'), 'role')]", ["Price", ["Pot", "£30"], ["Mug"]]),
    Case("engine/selectors/selectors", FORM, "[listCandidates(document, { limit: 9, token: 'a' }).length, nameTold(document, { token: 'a', places: [2], limit_ms: 999 })[0].name]", [3, "Send"]),
    Case("engine/selectors/selectors", '<button>Save</button><section aria-label="Over" style="position:fixed;inset:0"></section>', "coverOf(find('button')).ariaLabel", "Over"),
    Case("engine/selectors/places", LIST, "[partsAround(find('button')).length, chainOf(find('li:last-child'))[0].name]", [1, "Grace 12 EUR"]),
    Case("engine/selectors/plain", "", "[isWritable(plainOf('role', 'button', '')), formOf(plainOf('icon', '', 'bin trash')).query.words]", [False, ["bin", "trash"]]),
    Case("engine/selectors/selectors", LIST, "[selectorOf(find('li:last-child button')).regions[0].name, nameElements([null], { limit_ms: 9 })]", ["Grace 12 EUR", [None]]),
    Case("engine/more/main", "", "[typeof queries.value, typeof probes.table]", ["function", "function"]),
    Case("engine/more/focus", "<p>One two three</p>", "[markText(find('p'), { text: 'two' }).places, readMarked().text]", [1, "two"]),
    Case("engine/more/idling", "<p>x</p>", "(() => { const told = readIdle(document, { within_ms: 1000, wholly: false }); find('p').animate([{}, {}], 9000); const moving = readIdle(document, { within_ms: 1000, wholly: false }); return [told.quiet_ms < 5000, moving.busy.includes('animations'), moving.quiet_ms < 100, told.born_ms > 1e12]; })()", [True, True, True, True]),
    Case("engine/more/idling", "<p aria-busy=true>x</p>", "readIdle(document, { within_ms: 1000, wholly: false }).busy.includes('busy')", True),
    Case("engine/more/focus", "<input aria-label=Name value=Ada><b>x</b>", "(() => { const none = noteFocus(); find('input').focus(); find('input').setSelectionRange(1, 2); const held = noteFocus(); find('input').value = 'Ava'; find('b').textContent = 'y'; find('input').blur(); const now = readNoted(); return [none, held.who.name, held.caret, now.value, now.changes, now.moved, findNoted()[0].value]; })()", [None, "Name", [1, 2], "Ava", 1, True, "Ava"]),
    Case("engine/more/opening", "<div></div>", "(() => { find('div').attachShadow({ mode: 'open' }).innerHTML = '<b tabindex=0>Route</b><p hidden>x</p>'; return nextOpener(document, { token: 's', by: ['sections'] }).name; })()", "Route"),
    Case("engine/more/opening", "<div role=treeitem aria-expanded=false><i tabindex=0 id=t>+</i><b>Trip</b></div>", "(() => { const { name } = nextOpener(document, { token: 't', by: ['sections'] }); return [name, findOpener(document, { token: 't' })[0].id]; })()", ["+Trip", "t"]),
    Case("engine/more/opening", "<details><summary>More</summary><p>x</p></details>", "nextOpener(document, { token: 'a', by: ['sections'] })", {"kind": "sections", "name": "More", "is_icon": False, "hover": False, "press": True}),
    Case("engine/more/opening", '<div role="tablist"><button role="tab" aria-selected="false" aria-controls="p">Second</button></div><div id="p" hidden>x</div>', "nextOpener(document, { token: 'b', by: ['tabs'] }).name", "Second"),
    Case("engine/values/ranking", TABLE, "ranked([...document.querySelectorAll('tr')].slice(1), { ranking: { order: 'lowest', label: 'Price' } }).map((each) => each.cells[0].textContent)", ["Mug"]),
    Case("engine/values/records", LIST, "[findRecords(document, { name: 'Grace' })[0].tagName, findRecords(document, { name: '' }).length]", ["LI", 2]),
    Case("engine/more/secrets", "<p>The word is sesame</p><b>x</b>", "[findSecrets(document, { values: ['sesame'] })[0].tagName, coverSecrets(document, { values: ['sesame'] }), getComputedStyle(find('p')).visibility, uncoverSecrets()]", ["P", 1, "hidden", True]),
    Case("engine/looks/shapes", DRAWING, "[kindsOf(find('polygon')).kinds, kindsOf(find('rect')).kinds, kindsOf(find('text')).character]", [["polygon", "triangle"], ["polygon", "rectangle", "square"], "A"]),
    Case("engine/values/tables", TABLE, "readTable(find('table'), { most: 999 }).rows", [["Mug", "£12"], ["Pot", "£30"]]),
    Case("engine/values/values", "<dl><dt>Total</dt><dd>£24</dd></dl><p>Tax: £4</p>", "['Total', 'Tax'].map((name) => shownText(findValues(document, { name })[0]))", ["£24", "£4"], ("engine/acting/reading",)),
    Case("engine/more/widgets", '<div class="cookie-popup" style="position:fixed"><b>Cookies</b></div>', "[namedPopups(document, 'cookie', ['dialog']).length, landmarksIn(document, ['dialog']).length]", [1, 1]),
    Case("engine/outline/boxes", '<div style="position:absolute;left:8px;top:9px;width:20px;height:10px">x</div>', "(countFrom(700), boxesOf(null, { refs: [refOf(find('div')), 'e9999'] }).boxes)", [[8, 9, 20, 10], None], ("engine/things/refs",)),
    Case("engine/outline/collecting", "<h1>Shop</h1><button>Buy</button>", "collect(document.documentElement, { from: 7, is_page: true, secrets: [], words: [], names_ms: 0 }).things.map((each) => each.slice(0, 4))", [["e7", 0, "heading", "Shop"], ["e8", 0, "button", "Buy"]]),
    Case("engine/outline/concealed", "<div id=p hidden><button>x</button></div>", "(beginLook(new Set(), []), putHidden(find('#p'), 0), [look.things.length, look.spare])", [0, [[["button", 1]]]], ("engine/things/look",)),
    Case("engine/things/facts", "<select disabled><option>Small<option>Large</select>", "[takesOf(find('select'), 'combobox'), valueOf(find('select')), statesOf(find('select'))]", ["choose: Small | Large", "Small", ["disabled"]]),
    Case("engine/selectors/frames", '<iframe title="Twin" src="about:blank#1"></iframe><iframe title="Twin" name="second"></iframe>', "[...document.querySelectorAll('iframe')].map(readFrame)", ["", "second"]),
    Case("engine/outline/concealed", "<button aria-controls=m>File</button><ul id=m role=menu aria-label=File hidden><li>Open</ul>", "(forgetOpeners(), [openerOf(find('#m'), true).tagName, tellPart(find('#m'))])", ["BUTTON", 'menu "File"']),
    Case("engine/outline/concealed", "<p><a href=x>1</a><a href=y>2</a><input></p>", "addHeld([countHeld(find('p')), [['link', 1]]])", [["link", 3], ["field", 1]]),
    Case("engine/outline/concealed", "<style>li b { display: none } li:hover b { display: inline }</style><ul><li>Tea<b>x</b></ul>", "(forgetShowings(), [overOf(find('b')).tagName, overOf(find('ul'))])", ["LI", None]),
    Case("engine/things/kinds", "<div role=combobox><b role=textbox aria-readonly=true>Nobody</b></div>", "[isField(find('div'), 'combobox'), isField(find('b'), 'textbox')]", [True, False]),
    Case("engine/things/kinds", '<p id=a onclick="">x</p><p id=b tabindex=0><i>x</i></p><div contenteditable>x</div>', "[...['#a', '#b'].map((css) => isPressedThing(find(css), getComputedStyle(find(css)), false)), isField(find('div'), 'textbox')]", [True, False, True]),
    Case("engine/things/kinds", "<ul><li>1<li>2<li>3</ul><p>x</p>", "(() => { const shapes = countShapes(find('ul').childNodes); return [countAlike(find('li'), shapes), likenessOf(find('li'), shapes) !== '', likenessOf(find('p'), shapes)]; })()", [3, True, ""]),
    Case("engine/things/look", "", "(beginLook(new Set(), []), put({ level: 0 }), put({ level: 1 }), unwrap(0), [hasTime(), look.things])", [True, [{"level": 0}]]),
    Case("engine/outline/main", "", "[typeof probes.outline, typeof probes.named, typeof queries.ref]", ["function", "function", "function"]),
    Case("engine/outline/modals", "<main aria-hidden=true><button>x</button></main><div role=dialog><button>OK</button></div>", "[findModal().getAttribute('role'), isBehind(find('main'), find('[role=dialog]')), pathTo(find('[role=dialog]')).has(document.body)]", ["dialog", True, True]),
    Case("engine/things/parts", "<table><tr><th>A<th>B</tr><tr><td>1<td>2</tr></table><table id=t><tr><td>x</table>", "[isDataTable(find('table')), isDataTable(find('#t')), isHeadRow(find('tr'))]", [True, False, True]),
    Case("engine/things/refs", "<p>x</p>", "(countFrom(500), [refOf(find('p')), refOf(find('p')), elementWith('e500') === find('p'), findRef(document, { name: 'e9999' }).length, nextNumber()])", ["e500", "e500", True, 0, 501]),
    Case("engine/things/look", "<p>x</p>", "(beginLook(new Set(), []), beginRun(0), addText('Read the ', find('p'), 0), addText('terms', find('p'), 0, false), addText(' first.', find('p'), 0), endRun(), look.things[0].name)", "Read the terms first.", ("engine/things/look",)),
    Case("engine/outline/walking", '<p style="position:absolute;left:-999px">x</p><label><input type=checkbox style="opacity:0">x</label>', "[isOutOfSight(find('p'), getComputedStyle(find('p'))), isStandIn(find('input')), hasRoom(find('label'))]", [True, True, True]),
    Case("engine/things/things", '<button class="fa fa-trash"></button>', "(beginLook(new Set(), []), putControl(find('button'), 'button', 0), [look.things[0].kind, look.things[0].name])", ["icon", "trash"], ("engine/things/look",)),
    Case("engine/outline/walking", "<p>Hi <b>you</b></p><a href=x>Go</a>", "(beginLook(new Set(), []), visit(document.body, startPlace()), look.things.map((each) => each.name))", ["Hi you", "Go"], ("engine/things/look",)),
    Case("engine/things/wording", "<p>a<script>b</script>c</p>", "(learnSecrets(document, ['sesame']), [tell('Say  sesame now', 99), tell('abcdef', 4), firstText(find('p')).trim().replace(/\\s+/g, ' '), isHuge(find('p'))])", ["Say ••• now", "abc…", "a c", False]),
    Case("engine/outline/seen", '<a href="/cart?id=1">Cart</a>', "(({ role, name, facts }) => [role, name, facts])(readSeen(find('a'), { from: 0, secrets: [], is_named: false }))", ["link", "Cart", {"href": "/cart"}]),
    Case("engine/recording/pointing", "<p draggable=true>x</p>", "(() => { const told = []; globalThis.surehandTell = (text) => told.push(text); watchPointer(); for (const type of ['pointerdown', 'pointerup']) find('p').dispatchEvent(new PointerEvent(type, { bubbles: true })); return told.length; })()", 0),
    Case("engine/recording/changing", "<h1>Old</h1>", "[readNew(new Set(), new Set()).headings.map(({ name }) => name), readNew(new Set(['Old']), new Set()).headings]", [["Old"], []]),
    Case("engine/recording/pointing", "<button>Menu</button>", "(forgetTrail(), openersOf(find('button')))", []),
    Case("engine/recording/writing", "<input>", "(() => { const told = []; globalThis.surehandTell = (text) => told.push(text); watchWriting(); window.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true })); return told.length; })()", 0),
    Case("engine/recording/main", "", "typeof beginRecording", "function"),
    Case("engine/recording/changing", "<details open><summary>x</summary></details><button aria-expanded=false>b</button><p>c</p>", "['summary', 'button', 'p'].map((css) => accordingToOpenness(find(css)))", [True, False, None]),
    Case("engine/recording/telling", "<div id=main><p>a</p><p>b</p></div>", "cssPathOf(find('p:nth-of-type(2)'))", "#main > p:nth-of-type(2)"),
    Case("engine/recording/pointing", "<button>x</button>", "(() => { const told = []; globalThis.surehandTell = (text) => told.push(text); watchPointer(); for (const type of ['pointerdown', 'click']) find('button').dispatchEvent(new PointerEvent(type, { bubbles: true })); return told.length; })()", 0),
    Case("engine/recording/telling", "<label>News <input type=checkbox checked></label><b>x</b>", "[pressedIn([find('input'), find('label')]).tagName, labelPressed([find('label')]).tagName, isBox(find('input')), tickOfBox(find('input')), tickOfBox(find('b')), isWrittenIn(find('b'))]", ["INPUT", "LABEL", True, True, None, False]),
    Case("engine/recording/telling", "<button>Save</button>", "(({ role, name, css }) => [role, name, css, nextAct() !== nextAct(), hasActed()])(toldOfTarget(find('button')))", ["button", "Save", "", True, True]),
    Case("engine/recording/main", "<button>x</button>", "(() => { const told = []; globalThis.surehandTell = (text) => told.push(text); watchWishes(); const press = new MouseEvent('pointerdown', { ctrlKey: true, altKey: true, bubbles: true, cancelable: true }); find('button').dispatchEvent(press); return [told.length, press.defaultPrevented]; })()", [0, False]),
    Case("engine/recording/writing", "<input value=Ada>", "[beginUse(find('input')).was, beginUse(find('input')) === beginUse(find('input'))]", ["Ada", True]),
]  # fmt: skip


@each_case("case", CASES, ids=lambda case: f"{case.module}-{case.body[:40]}")
async def test_a_module_does_what_is_its_own(modules: Modules, case: Case) -> None:
    await modules.show(case.html)
    await modules.run("engine/names/naming", "forgetTexts()")
    assert await modules.run(case.module, case.body, *case.others) == case.expected


def test_every_module_has_a_case() -> None:
    assert set(list_modules()) == {case.module for case in CASES}
