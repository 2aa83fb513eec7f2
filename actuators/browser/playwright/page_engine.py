"""What runs inside pages: a selector engine for the plain forms, click receipts and probes, in a world of its own.

Playwright evaluates the engine in its isolated world: it shares the document with the page, but no variable or function,
so a page can neither see nor change what it says. ``page_assembly`` puts the parts together. A selector part ``surehand=<query>`` asks it for:

- ``role``, ``control``, ``field``, ``text``, ``value`` and the like: elements by what people call them (docs/selectors.md has the
  rules). Exact names come first and parts of names where nothing has the exact one; both are decided in one go, anew at
  every attempt of Playwright's, so that an element which appears late is still the right one;
- ``receipt``: the element itself; from now on trusted pointer events are noted, and reported to the console when the
  click is complete. As Playwright resolves its selectors anew at each attempt, the receipt is always for the element
  that it really aims at, and costs no round trip;
- ``probe``: a loose element whose text is what was found out about the element, as JSON. Reading that text takes a
  quarter of the time of ``evaluate``, which has to bring the element into the page's own world. ``each`` does so for
  all elements that match, in one list.
"""

import json
import secrets
from typing import Any
from urllib.parse import quote

from playwright.async_api import Playwright

from actuators.browser.playwright.page_amounts import AMOUNT_SCRIPT
from actuators.browser.playwright.page_assembly import assemble
from actuators.browser.playwright.page_calendars import CALENDAR_SCRIPT
from actuators.browser.playwright.page_controls import CONTROL_SCRIPT
from actuators.browser.playwright.page_filling import FILLING_SCRIPT
from actuators.browser.playwright.page_focus import FOCUS_SCRIPT
from actuators.browser.playwright.page_forms import FORM_SCRIPT
from actuators.browser.playwright.page_gestures import GESTURE_SCRIPT
from actuators.browser.playwright.page_icons import ICON_SCRIPT
from actuators.browser.playwright.page_looks import LOOK_SCRIPT
from actuators.browser.playwright.page_marks import MARK_SCRIPT
from actuators.browser.playwright.page_naming import NAMING_SCRIPT
from actuators.browser.playwright.page_probes import PROBE_SCRIPT
from actuators.browser.playwright.page_reading import READING_SCRIPT
from actuators.browser.playwright.page_records import RECORD_SCRIPT
from actuators.browser.playwright.page_selecting import SELECT_SCRIPT
from actuators.browser.playwright.page_shapes import SHAPE_SCRIPT
from actuators.browser.playwright.page_spots import SPOT_SCRIPT
from actuators.browser.playwright.page_uncovering import UNCOVERING_SCRIPT
from actuators.browser.playwright.page_values import VALUE_SCRIPT
from actuators.browser.playwright.page_widgets import WIDGET_SCRIPT

ENGINE_NAME = "surehand"
RECEIPT_MARK = "surehand-receipt:"

# The name of the event by which the engine tells the guard below what is aimed at; pages can't know it.
AIM_EVENT = f"surehand-{secrets.token_hex(8)}"
# And by which the script below tells the engine that the page opened a window.
OPEN_EVENT = f"surehand-{secrets.token_hex(8)}"

IS_MINE_SCRIPT = """
const isMine = (path, element) => {
  const widened = element.closest('button, [role=button], a, [role=link]') || element;
  return path.some((node) => node === element || node === widened || (node.nodeName === 'LABEL' && node.control === element));
};
"""

# Runs in every document before the page's own scripts. Closed shadow roots are made open for Playwright, and still look
# closed to the page. The guard stops clicks that would reach another element than the one aimed at, before any listener
# of the page: Playwright's own interceptor comes after listeners that the page has put on the window.
CONTEXT_TEMPLATE = (
    "(() => {"
    + IS_MINE_SCRIPT
    + """
  const closed = new WeakSet();
  const attach = Element.prototype.attachShadow;
  const rootOf = Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot');
  const modeOf = Object.getOwnPropertyDescriptor(ShadowRoot.prototype, 'mode');
  Element.prototype.attachShadow = function attachShadow(options) {
    if (!options || options.mode !== 'closed') return attach.call(this, options);
    const root = attach.call(this, { ...options, mode: 'open' });
    closed.add(root);
    return root;
  };
  Object.defineProperty(Element.prototype, 'shadowRoot', { ...rootOf, get() {
    const root = rootOf.get.call(this);
    return closed.has(root) ? null : root;
  } });
  Object.defineProperty(ShadowRoot.prototype, 'mode', { ...modeOf, get() {
    return closed.has(this) ? 'closed' : modeOf.get.call(this);
  } });

  window.open = new Proxy(window.open, { apply(open, self, args) {
    const opened = Reflect.apply(open, self, args);
    if (opened || /noopener|noreferrer/.test(args[2])) window.dispatchEvent(new Event('OPEN_EVENT'));
    return opened;
  } });

  let aim = null;
  window.addEventListener('AIM_EVENT', (event) => {
    event.stopImmediatePropagation();
    const element = event.composedPath()[0];
    aim = element === window ? null : { element, count: event.detail, ends_ms: event.timeStamp + event.screenX, passes: true };
  }, true);
  const guard = (event) => {
    if (!aim || !event.isTrusted) return;
    if (event.timeStamp > aim.ends_ms) { aim = null; return; }
    if (event.type === 'pointerdown') aim.passes = isMine(event.composedPath(), aim.element);
    if (!aim.passes) { event.preventDefault(); event.stopImmediatePropagation(); return; }
    if (['click', 'auxclick'].includes(event.type) && event.detail >= aim.count) aim = null;
  };
  for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu']) {
    window.addEventListener(type, guard, { capture: true, passive: false });
  }
})();"""
)
CONTEXT_SCRIPT = CONTEXT_TEMPLATE.replace("AIM_EVENT", AIM_EVENT).replace("OPEN_EVENT", OPEN_EVENT)

RECEIPT_SCRIPT = (
    IS_MINE_SCRIPT
    + """
const TYPES = ['mousedown', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu'];
const LAST = { left: 'click', middle: 'auxclick', right: 'contextmenu' };
let armed = null;
function noteEvent(event) {
  if (!armed || !event.isTrusted) return;
  const path = event.composedPath();
  const link = path.find((node) => ['A', 'AREA', 'FORM'].includes(node.nodeName));
  armed.opens = Boolean(event.type === 'click' && link && link.target && !link.target.startsWith('_s'));
  const mine = isMine(path, armed.element);
  (mine ? armed.events : armed.strays).push(event.type);
  if (!mine && path[0].nodeType === 1) {
    forgetTexts();
    armed.stray = describe(path[0]);
  }
  if (event.type === LAST[armed.button]) tell();
}
function noteOpening(event) {
  event.stopImmediatePropagation();
  if (!armed) return;
  armed.opens = true;
  tell();
}
const tell = () => console.debug('RECEIPT_MARK' + armed.token, JSON.stringify(readReceipt()));
function readReceipt() {
  const { events, strays, stray, element, label, opens } = armed;
  return { events, strays, stray, opens, received_by: label, connected: element.isConnected, visible: isVisible(element), disabled: element.matches(':disabled') };
}
// What people click on of a box that only its label shows.
const labelOver = (element) => (element.matches('input[type=checkbox], input[type=radio]') && readTick(element).by_label && labelOf(element)) || null;
function armReceipt(named, { token, button, count, limit_ms }) {
  const element = labelOver(named) || named;
  for (const type of TYPES) window.addEventListener(type, noteEvent, true);
  window.addEventListener('OPEN_EVENT', noteOpening, true);
  armed = { element, token, button, events: [], strays: [], stray: null, label: describe(element) };
  element.dispatchEvent(new MouseEvent('AIM_EVENT', { composed: true, detail: count, screenX: limit_ms }));
  return [element];
}
function watchKey(root, { token }) {
  window.addEventListener('keydown', (event) => {
    if (!event.isTrusted) return;
    const report = { events: ['keydown'], strays: [], opens: false, key: event.key, received_by: describe(event.composedPath()[0]) };
    console.debug('RECEIPT_MARK' + token, JSON.stringify(report));
  }, { capture: true, once: true });
  return [root];
}
function endReceipt(token) {
  if (!armed || armed.token !== token) return null;
  const told = readReceipt();
  armed = null;
  window.dispatchEvent(new MouseEvent('AIM_EVENT'));
  return told;
}
""".replace("RECEIPT_MARK", RECEIPT_MARK)
    .replace("AIM_EVENT", AIM_EVENT)
    .replace("OPEN_EVENT", OPEN_EVENT)
)

QUERY_SCRIPT = r"""
let list = { token: '', answers: new Map(), paper: null };
function answerForEach(element, { token, what, options }) {
  if (list.token !== token) list = { token, answers: new Map(), paper: answer([])[0] };
  if (element !== grounds[0]) list.answers.set(element, probes[what](element, options || {}));
  Object.defineProperty(list.paper, 'textContent', { configurable: true, get: () => JSON.stringify([...list.answers.values()]) });
  return [list.paper];
}
function answer(value) {
  const paper = document.createElement('i');
  paper.textContent = JSON.stringify(value);
  return [paper];
}
// Always there to be asked, and never what anybody means.
const grounds = [];
function findGround() {
  if (!grounds.length) grounds.push(document.createElement('i'));
  return grounds;
}
const elementOf = (root) => (root.nodeType === Node.DOCUMENT_NODE ? root.documentElement || findGround()[0] : root);
const queries = {
  role: findRoles, control: findControls, field: findFields, text: findTexts, value: findValues, label: findLabels, placeholder: findPlaceholders,
  icon: findIcons, look: findLooks, record: findRecords, testid: findTestIds, region: findRegions, frame: findFrames, receipt: armReceipt,
  probe: (root, { what, options }) => answer(probes[what](elementOf(root), options || {})),
  row: countRow, label_of: findLabelOf, option_of: findOptionOf, widget: findWidget, opener: findOpener, whole: findWhole, part: findPart, key: watchKey, box: findBox, neighbour: findNeighbour, fillable: findFillable, submitter: findSubmitter,
  plain: (root, { form }) => findForm(root, form), hold: holdForm, held: heldAt, each: answerForEach, secrets: findSecrets,
  revealed: findRevealed, ground: findGround,
  told: (root, { token }) => answer(endReceipt(token)),
};
"""

ENGINE = assemble(
    {
        "page_naming": NAMING_SCRIPT,
        "page_icons": ICON_SCRIPT,
        "page_shapes": SHAPE_SCRIPT,
        "page_looks": LOOK_SCRIPT,
        "page_spots": SPOT_SCRIPT,
        "page_gestures": GESTURE_SCRIPT,
        "page_forms": FORM_SCRIPT,
        "page_focus": FOCUS_SCRIPT,
        "page_marks": MARK_SCRIPT,
        "page_reading": READING_SCRIPT,
        "page_values": VALUE_SCRIPT,
        "page_records": RECORD_SCRIPT,
        "page_amounts": AMOUNT_SCRIPT,
        "page_selecting": SELECT_SCRIPT,
        "page_controls": CONTROL_SCRIPT,
        "page_widgets": WIDGET_SCRIPT,
        "page_calendars": CALENDAR_SCRIPT,
        "page_filling": FILLING_SCRIPT,
        "page_uncovering": UNCOVERING_SCRIPT,
        "page_probes": PROBE_SCRIPT,
        "page_engine, receipts": RECEIPT_SCRIPT,
        "page_engine, queries": QUERY_SCRIPT,
    }
)
ENGINE_SCRIPT = ENGINE.script


def engine_selector(op: str, **query: Any) -> str:
    """Write a selector part that asks the engine for something; any text is safe in it."""
    return f"{ENGINE_NAME}={quote(json.dumps({'op': op, **query}), safe='')}"


async def register_engine(playwright: Playwright) -> None:
    """Make the engine known; once for each driver, before any context is made."""
    await playwright.selectors.register(ENGINE_NAME, script=ENGINE_SCRIPT, content_script=True)
