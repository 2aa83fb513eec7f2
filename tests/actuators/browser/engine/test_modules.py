"""Each of the engine's modules, by itself, in a real page."""

from typing import Any, NamedTuple

import pytest

from tests.actuators.browser.engine.conftest import Modules, list_modules


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
CASES = [
    Case("engine/answers", "<p>x</p>", "answer({ a: 1 })[0].textContent", '{"a":1}'),
    Case("engine/answers", "<p id=t>x</p>", "answerForEach(find('p'), { token: 'a', what: 'text', options: { most: 9 } })[0].textContent", '[{"text":"x","truncated":false}]'),
    Case("engine/answers", "", "elementOf(document) === document.documentElement && findGround()[0].tagName", "I"),
    Case("engine/choices", FORM, "readTick(find('[type=checkbox]')).checked", True),
    Case("engine/choices", "<select><option>A<option selected>B</select>", "readChoice(find('select')).options.map((each) => each.selected)", [False, True]),
    Case("engine/choices", "<select multiple><option>A<option>B</select>", "pickOptions(find('select'), { places: [1] }) && find('select').value", "B"),
    Case("engine/choices", '<div role="listbox"><div role="option">One</div></div>', "optionsOf(find('[role=listbox]')).length", 1),
    Case("engine/entering", "<p contenteditable><b>a</b><br>b</p>", "editedText(find('p'))", "a\nb"),
    Case("engine/entering", FORM, "enterText(find('input'), { value: 'new' }) && readValue(find('input')).value", "new"),
    Case("engine/entering", '<input type="date">', "enterText(find('input'), { value: '2026-05-04' }) && find('input').value", "2026-05-04"),
    Case("engine/entering", "<p contenteditable>old</p>", "enterText(find('p'), { value: 'new' }) && find('p').textContent", "new"),
    Case("engine/fields", FORM, "findFields(document, { name: 'Email' })[0].name", "mail"),
    Case("engine/fields", "<p>Name: <input id=n></p><input id=zip name=zip>", "[findFields(document, { name: 'Name' })[0].id, findFields(document, { name: 'zip' })[0].id]", ["n", "zip"]),
    Case("engine/finding", FORM, "findRoles(document, { name: 'send', roles: ['button'] }).length", 1),
    Case("engine/finding", '<div onclick="">Go on</div><a href="/">Other</a>', "findControls(document, { name: 'Go on' })[0].tagName", "DIV"),
    Case("engine/finding", "<p>All is <b>well</b>.</p>", "findTexts(document, { name: 'well' })[0].tagName", "B"),
    Case("engine/finding", "<input placeholder=City><i data-testid=x></i>", "[findPlaceholders(document, { name: 'city' }).length, findTestIds(document, { name: 'x' }).length]", [1, 1]),
    Case("engine/later", "", "later().queries === queries", True, ("engine_more/main",)),
    Case("engine/main", FORM, "ask(document, { op: 'role', name: 'Send', roles: ['button'] }).length", 1),
    Case("engine/main", TABLE, "ask(document, { op: 'value', name: 'nothing of that name' }).length", 0),
    Case("engine_names/matching", "<p>Date: <input></p>", "captionsOf(find('input'))", ["Date: "]),
    Case("engine_names/matching", "<b>Save all</b><b>save</b><b>Save</b>", "byName([...document.querySelectorAll('b')], 'Save', (text) => text.toLowerCase()).map((stage) => stage().length)", [1, 0, 3, 3]),
    Case("engine_names/naming", '<section aria-label="Cart"><button>Pay</button></section>', "whereOf(find('button'))", "Cart"),
    Case("engine_names/naming", "<button id=pay>Pay</button>", "describe(find('button'))", {"role": "button", "name": "Pay", "tag": "button", "id": "pay"}),
    Case("engine_names/naming", "<button></button><b role=button></b><i role=button></i><label><input></label>", "(() => { const long = 'word and '.repeat(1e5); find('button').textContent = long; find('b').ariaLabel = long; find('i').title = long; find('label').prepend(long); return ['button', 'b', 'i', 'input'].map((css) => nameOf(find(css)).length).filter((length) => length < 1000 || length > 20000); })()", []),
    Case("engine/past", '<form><input name="id"></form>', "(() => { const id = past('id'); return [find('form')[id], typeof find('form').id]; })()", ["", "object"]),
    Case("engine/presses", "<button><b>x</b></button>", "[isMine([find('b'), find('button')], find('b')), isMine([document.body], find('b'))]", [True, False]),
    Case("engine/probes", '<div style="position:fixed;inset:0;z-index:9" id="veil"></div><button>Go</button>', "askProbe('trouble', find('button'), null).blocker.id", "veil"),
    Case("engine/probes", FORM, "askProbe('candidates', document, { limit: 9 }).map((each) => each.name)", ["Email", "News", "Send"]),
    Case("engine/probes", FORM, "[askProbe('aim', find('button'), {}).form_method, askProbe('about', find('button'), {}).name]", ["get", "Send"]),
    Case("engine/reading", FORM, "[typedValue(find('[type=checkbox]')), readState(find('[name=mail]')).value, shownText(find('button'))]", [True, "a@b.c", "Send"]),
    Case("engine/reading", '<input type="password" value="x"><a href="/a">A</a>', "[readHtml(document.body, { most: 999 }).text.includes('value'), readLinks(document.body).length, pageText(document).shown.trim()]", [False, 1, "A"]),
    Case("engine/receipts", "<button>Go</button>", "(() => { armReceipt(find('button'), { token: 'a', button: 'left', count: 1, limit_ms: 9, text: '' }); find('button').textContent = 'Gone'; const told = endReceipt('a'); return [told.connected, told.events, endReceipt('a')]; })()", [True, [], None]),
    Case("engine/regions", "<section><h2>Prices</h2><p>x</p></section>", "findRegions(document, { name: 'prices', roles: [] })[0].tagName", "SECTION"),
    Case("engine/regions", '<iframe title="Ads"></iframe>', "findFrames(document, { name: 'ads' }).length", 1),
    Case("engine_names/roles", '<div class="slider"><i class="slider-handle"></i></div>', "[isSliderLike(find('div')), roleOf(find('div'))]", [True, "slider"]),
    Case("engine_names/secrecy", "<input>", "[isSecret(find('input')), holdSecret(find('input')), isSecret(find('input'))]", [False, True, True]),
    Case("engine/selecting", LIST, "findForm(document, { query: { op: 'role', name: 'Buy', roles: ['button'] }, regions: [{ name: 'Grace', roles: [] }], exceptions: [], placements: [], quantity: 'one' }).length", 1),
    Case("engine/selecting", "<p>A</p><input id=x><p>B</p><input id=y>", "findForm(document, { query: { op: 'field', name: '' }, regions: [], exceptions: [], placements: [{ relation: 'below', name: 'B' }], quantity: 'one' })[0].id", "y"),
    Case("engine/selecting", LIST, "findForm(document, { query: { op: 'role', name: 'Buy', roles: ['button'] }, regions: [], exceptions: ['Ada'], placements: [], quantity: 'all' }).length", 1),
    Case("engine/settling", "<form><input required></form>", "(() => { beginAct(); find('form').requestSubmit(); return readSending().fields.length; })()", 1),
    Case("engine/shell", "", "typeof engine.queryAll", "function"),
    Case("engine_names/sight", '<fieldset disabled><input></fieldset><p hidden>x</p><b style="opacity:0;pointer-events:none">y</b>', "[disabledBecause(find('input')), hiddenBecause(find('p')), isVisible(find('p')), isSeen(find('b'))]", ["the group around it is disabled", "it is not displayed (hidden)", False, False]),
    Case("engine/spots", '<div style="width:300px;height:20px"></div><b style="position:absolute;top:0;left:100px;width:150px;height:60px">x</b>', "spotOf(find('div')) !== null", True),
    Case("engine/spots", "<p>One <b>two</b> three</p>", "textBoxes(find('p'), 'two').length", 1),
    Case("engine_names/texts", "", "[key(' “Ünder” – x '), fieldKey('Name: *'), hasWords('next-page', 'page'), hasSome('pages', 'age'), wordsIn('saveAllNow')]", ['"ünder" - x', "name", True, True, ["save", "all", "now"]]),
    Case("engine_names/tree", "<p id=a><b>x</b></p>", "[holds(find('p'), find('b')), innermost([find('p'), find('b')]).length, outermost([find('p'), find('b')])[0].id, withId(find('b'), 'a').tagName]", [True, 1, "a", "P"]),
    Case("engine_context/canvases", "<canvas></canvas>", "(() => { const canvas = find('canvas'); let told = ''; canvas.addEventListener(SETTINGS.tell_drawn_event, (event) => { told = event.data; }); canvas.getContext('2d').fillText('Hello', 1, 9); canvas.dispatchEvent(new Event(SETTINGS.ask_drawn_event, { composed: true })); return told; })()", "Hello"),
    Case("engine_context/shadows", "<div></div>", "(() => { const root = find('div').attachShadow({ mode: 'closed' }); return [root.mode, find('div').shadowRoot]; })()", ["closed", None]),
    Case("engine_context/originals", "", "(() => { const owner = { f: (x) => x }; replace(owner, 'f', (original, self, args) => apply(original, self, args) + 1); return owner.f(1); })()", 2),
    Case("engine_context/tracking", "<input>", "(() => { beginAct(); find('input').dispatchEvent(new Event('input', { bubbles: true })); setTimeout(() => {}, 50); fetch('/'); const told = askPending(); return [told.pending > 1, told.requests]; })()", [True, 1], ("engine/settling",)),
    Case("engine_context/guard", "<button>Go</button>", "(() => { const event = new MouseEvent(SETTINGS.aim_event, { composed: true, cancelable: true, detail: 1, screenX: 9 }); return find('button').dispatchEvent(event); })()", False),
    Case("engine_context/main", "", "true", True),
    Case("engine_context/listening", "<b>x</b><i>y</i><u>z</u>", "(() => { find('b').addEventListener('dblclick', () => {}); find('i').addEventListener('scroll', () => {}); find('u').onclick = () => {}; const ask = (css) => !find(css).dispatchEvent(new Event(SETTINGS.ask_presses_event, { composed: true, cancelable: true })); return ['b', 'i', 'u'].map(ask); })()", [True, False, True]),
    Case("engine_more/amounts", "", "['£1,234.50', '2 h 30 min', '9:30 pm', '4.5 / 5', 'free'].map((text) => readAmount(text, 'en').size)", [1234.5, 9000, 77400, 4.5, 0]),
    Case("engine_more/amounts", "", "readDates(['4 May 2026', '2026-05-03', '05/01/2026'], 'en-US').map((each) => new Date(each.size * 1000).toISOString().slice(0, 10))", ["2026-05-04", "2026-05-03", "2026-05-01"]),
    Case("engine_more/calendars", MONTH, "(() => { const told = readCalendar(); return [told.month, told.year, told.days.length, told.next]; })()", [5, 2026, 31, True]),
    Case("engine_more/colours", '<p style="background:crimson">x</p>', "[nearestName(colourOf('rgb(220, 20, 60)')).family, isColoured(find('p'), { colour: 'red', shade: '' })]", ["red", True]),
    Case("engine_more/controls", '<label>Size <input type="number" value="3" min="1"></label>', "(() => { const told = readControl(find('input')); return [told.kind, told.held, told.lowest]; })()", ["number", "3", "1"]),
    Case("engine_more/controls", '<div role="slider" aria-valuenow="4" aria-valuemax="9" style="width:50px;height:9px"></div>', "[readControl(find('div')).kind, readGauge(find('div')).told]", ["slider", 4]),
    Case("engine_more/controls", '<label><input type="radio" name="a"> One</label><label><input type="radio" name="a" checked> Two</label>', "readControl(find('input')).held", "Two"),
    Case("engine_more/counters", "<p>Guests <button>-</button><span>2</span><button>+</button></p>", "[countersIn(document).length, captionOfCounter(find('span'))]", [1, ["Guests"]]),
    Case("engine_more/filling", FORM, "[listFillable(document, { values: false }).map((each) => each.names[0]), findSubmitter(document, { places: [0] })[0].textContent]", [["Email"], "Send"]),
    Case("engine_more/filling", "<input id=a><input id=b>", "(find('#a').focus(), findNeighbour(document, { token: 'x', move: 'next' })[0].id)", "b"),
    Case("engine_more/gestures", '<div style="height:50px;overflow:auto"><p style="height:500px">x</p></div>', "scrollFrom(find('div'), { direction: 'down', amount: 100, unit: 'px', to: '' }).after.y_px", 100),
    Case("engine_more/gestures", "<p>x</p>", "[zoomPage(document.documentElement, { factor: '1.5' }), readZoom(document.documentElement), zoomPage(document.documentElement, { factor: '1' })]", [True, 1.5, True]),
    Case("engine_more/icons", '<i class="fa fa-trash" style="display:inline-block;width:16px;height:16px"></i>', "findIcons(document, { words: ['trash'], likes: [] }).length", 1),
    Case("engine_more/looks", DRAWING, "findLooks(document, { kind: 'shape', colour: 'red', shade: '', size: '', extreme: '', style: '' })[0].tagName", "circle"),
    Case("engine_more/looks", '<b style="font-size:30px">Big</b><b>Small</b>', "findLooks(document, { kind: 'text', extreme: 'largest' })[0].textContent", "Big"),
    Case("engine_more/vocabulary", FORM, "[kindOfElement(find('input')), kindOfElement(find('button')), wordOfRole('alertdialog')]", [{"kind": "field", "word": ""}, {"kind": "role", "word": "button"}, "dialog"]),
    Case("engine_names/memory", "", "remembering(() => [once('a', 1, () => 2), once('a', 1, () => 3), isRemembering()]).concat(once('a', 1, () => 4), isRemembering())", [2, 2, True, 4, False]),
    Case("engine_naming/callings", TABLE, "[columnOf(find('tr:last-child td:last-child')), rowNamesOf(find('tr:last-child')), namesFor(find('td'), 'role')]", ["Price", ["Pot", "£30"], ["Mug"]]),
    Case("engine_naming/candidates", FORM, "[listCandidates(document, { limit: 9, token: 'a' }).length, nameTold(document, { token: 'a', places: [2], limit_ms: 999 })[0].name]", [3, "Send"]),
    Case("engine_naming/covers", '<button>Save</button><section aria-label="Over" style="position:fixed;inset:0"></section>', "coverOf(find('button')).ariaLabel", "Over"),
    Case("engine_naming/places", LIST, "[partsAround(find('button')).length, chainOf(find('li:last-child'))[0].name]", [1, "Grace 12 EUR"]),
    Case("engine_naming/plain", "", "[isWritable(plainOf('role', 'button', '')), formOf(plainOf('icon', '', 'bin trash')).query.words]", [False, ["bin", "trash"]]),
    Case("engine_naming/selectors", LIST, "[selectorOf(find('li:last-child button')).regions[0].name, nameElements([null], { limit_ms: 9 })]", ["Grace 12 EUR", [None]]),
    Case("engine_more/main", "", "[typeof queries.value, typeof probes.table]", ["function", "function"]),
    Case("engine_more/marks", "<p>One two three</p>", "[markText(find('p'), { text: 'two' }).places, readMarked().text]", [1, "two"]),
    Case("engine_more/opening", "<details><summary>More</summary><p>x</p></details>", "nextOpener(document, { token: 'a', by: ['sections'] })", {"kind": "sections", "name": "More", "is_icon": False, "hover": False, "press": True}),
    Case("engine_more/opening", '<div role="tablist"><button role="tab" aria-selected="false" aria-controls="p">Second</button></div><div id="p" hidden>x</div>', "nextOpener(document, { token: 'b', by: ['tabs'] }).name", "Second"),
    Case("engine_more/ranking", TABLE, "ranked([...document.querySelectorAll('tr')].slice(1), { ranking: { order: 'lowest', label: 'Price' } }).map((each) => each.cells[0].textContent)", ["Mug"]),
    Case("engine_more/records", LIST, "[findRecords(document, { name: 'Grace' })[0].tagName, findRecords(document, { name: '' }).length]", ["LI", 2]),
    Case("engine_more/secrets", "<p>The word is sesame</p><b>x</b>", "[findSecrets(document, { values: ['sesame'] })[0].tagName, coverSecrets(document, { values: ['sesame'] }), getComputedStyle(find('p')).visibility, uncoverSecrets()]", ["P", 1, "hidden", True]),
    Case("engine_more/shapes", DRAWING, "[kindsOf(find('polygon')).kinds, kindsOf(find('rect')).kinds, kindsOf(find('text')).character]", [["polygon", "triangle"], ["polygon", "rectangle", "square"], "A"]),
    Case("engine_more/tables", TABLE, "readTable(find('table'), { most: 999 }).rows", [["Mug", "£12"], ["Pot", "£30"]]),
    Case("engine_more/values", "<dl><dt>Total</dt><dd>£24</dd></dl><p>Tax: £4</p>", "['Total', 'Tax'].map((name) => shownText(findValues(document, { name })[0]))", ["£24", "£4"], ("engine/reading",)),
    Case("engine_more/widgets", '<div class="cookie-popup" style="position:fixed"><b>Cookies</b></div>', "[namedPopups(document, 'cookie', ['dialog']).length, landmarksIn(document, ['dialog']).length]", [1, 1]),
    Case("engine_outline/boxes", '<div style="position:absolute;left:8px;top:9px;width:20px;height:10px">x</div>', "(countFrom(700), boxesOf(null, { refs: [refOf(find('div')), 'e9999'] }).boxes)", [[8, 9, 20, 10], None], ("engine_outline/refs",)),
    Case("engine_outline/collecting", "<h1>Shop</h1><button>Buy</button>", "collect(document.documentElement, { from: 7, is_page: true, secrets: [], words: [], names_ms: 0 }).things.map((each) => each.slice(0, 4))", [["e7", 0, "heading", "Shop"], ["e8", 0, "button", "Buy"]]),
    Case("engine_outline/concealed", "<div id=p hidden><button>x</button></div>", "(beginLook(new Set(), []), putHidden(find('#p'), 0), [look.things.length, look.spare])", [0, [[["button", 1]]]], ("engine_outline/look",)),
    Case("engine_outline/facts", "<select disabled><option>Small<option>Large</select>", "[takesOf(find('select'), 'combobox'), valueOf(find('select')), statesOf(find('select'))]", ["choose: Small | Large", "Small", ["disabled"]]),
    Case("engine_outline/frames", '<iframe title="Twin" src="about:blank#1"></iframe><iframe title="Twin" name="second"></iframe>', "[...document.querySelectorAll('iframe')].map(readFrame)", ["", "second"]),
    Case("engine_outline/hiding", "<button aria-controls=m>File</button><ul id=m role=menu aria-label=File hidden><li>Open</ul>", "(forgetOpeners(), [openerOf(find('#m'), true).tagName, tellPart(find('#m'))])", ["BUTTON", 'menu "File"']),
    Case("engine_outline/holdings", "<p><a href=x>1</a><a href=y>2</a><input></p>", "addHeld([countHeld(find('p')), [['link', 1]]])", [["link", 3], ["field", 1]]),
    Case("engine_outline/hovering", "<style>li b { display: none } li:hover b { display: inline }</style><ul><li>Tea<b>x</b></ul>", "(forgetShowings(), [overOf(find('b')).tagName, overOf(find('ul'))])", ["LI", None]),
    Case("engine_outline/kinds", '<p id=a onclick="">x</p><p id=b tabindex=0><i>x</i></p><div contenteditable>x</div>', "[...['#a', '#b'].map((css) => isPressedThing(find(css), getComputedStyle(find(css)), false)), isField(find('div'), 'textbox')]", [True, False, True]),
    Case("engine_outline/likeness", "<ul><li>1<li>2<li>3</ul><p>x</p>", "(() => { const shapes = countShapes(find('ul').childNodes); return [countAlike(find('li'), shapes), likenessOf(find('li'), shapes) !== '', likenessOf(find('p'), shapes)]; })()", [3, True, ""]),
    Case("engine_outline/look", "", "(beginLook(new Set(), []), put({ level: 0 }), put({ level: 1 }), unwrap(0), [hasTime(), look.things])", [True, [{"level": 0}]]),
    Case("engine_outline/main", "", "[typeof probes.outline, typeof probes.named, typeof queries.ref]", ["function", "function", "function"]),
    Case("engine_outline/modals", "<main aria-hidden=true><button>x</button></main><div role=dialog><button>OK</button></div>", "[findModal().getAttribute('role'), isBehind(find('main'), find('[role=dialog]')), pathTo(find('[role=dialog]')).has(document.body)]", ["dialog", True, True]),
    Case("engine_outline/parts", "<table><tr><th>A<th>B</tr><tr><td>1<td>2</tr></table><table id=t><tr><td>x</table>", "[isDataTable(find('table')), isDataTable(find('#t')), isHeadRow(find('tr'))]", [True, False, True]),
    Case("engine_outline/refs", "<p>x</p>", "(countFrom(500), [refOf(find('p')), refOf(find('p')), elementWith('e500') === find('p'), findRef(document, { name: 'e9999' }).length, nextNumber()])", ["e500", "e500", True, 0, 501]),
    Case("engine_outline/runs", "<p>x</p>", "(beginLook(new Set(), []), beginRun(0), addText('Read the ', find('p'), 0), addText('terms', find('p'), 0, false), addText(' first.', find('p'), 0), endRun(), look.things[0].name)", "Read the terms first.", ("engine_outline/look",)),
    Case("engine_outline/sights", '<p style="position:absolute;left:-999px">x</p><label><input type=checkbox style="opacity:0">x</label>', "[isOutOfSight(find('p'), getComputedStyle(find('p'))), isStandIn(find('input')), hasRoom(find('label'))]", [True, True, True]),
    Case("engine_outline/things", '<button class="fa fa-trash"></button>', "(beginLook(new Set(), []), putControl(find('button'), 'button', 0), [look.things[0].kind, look.things[0].name])", ["icon", "trash"], ("engine_outline/look",)),
    Case("engine_outline/walking", "<p>Hi <b>you</b></p><a href=x>Go</a>", "(beginLook(new Set(), []), visit(document.body, startPlace()), look.things.map((each) => each.name))", ["Hi you", "Go"], ("engine_outline/look",)),
    Case("engine_outline/wording", "<p>a<script>b</script>c</p>", "(learnSecrets(document, ['sesame']), [tell('Say  sesame now', 99), tell('abcdef', 4), firstText(find('p')).trim().replace(/\\s+/g, ' '), isHuge(find('p'))])", ["Say ••• now", "abc…", "a c", False]),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.module}-{case.body[:40]}")
async def test_a_module_does_what_is_its_own(modules: Modules, case: Case) -> None:
    await modules.show(case.html)
    await modules.run("engine_names/naming", "forgetTexts()")
    assert await modules.run(case.module, case.body, *case.others) == case.expected


def test_every_module_has_a_case() -> None:
    assert set(list_modules()) == {case.module for case in CASES}
