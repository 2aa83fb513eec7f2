"""What runs inside pages: a selector engine for the plain forms, click receipts and probes, in a world of its own.

Playwright evaluates the engine in its isolated world: it shares the document with the page, but no variable or function,
so a page can neither see nor change what it says. ``page_assembly`` puts the parts together. A selector part ``surehand=<query>`` asks it for:

- ``role``, ``control``, ``field``, ``text``, ``value`` and the like: elements by what people call them (docs/guides/selectors.md has the
  rules). Exact names come first and parts of names where nothing has the exact one; both are decided in one go, anew at
  every attempt of Playwright's, so that an element which appears late is still the right one;
- ``receipt``: the element itself; from now on trusted pointer events are noted, and reported to the console when the
  click is complete. As Playwright resolves its selectors anew at each attempt, the receipt is always for the element
  that it really aims at, and costs no round trip;
- ``probe``: a loose element whose text is what was found out about the element, as JSON. Reading that text takes a
  quarter of the time of ``evaluate``, which has to bring the element into the page's own world. ``each`` does so for
  all elements that match, in one list;
- ``act``: the element itself, and that an act on it begins now; ``after`` is a probe after it, which also tells what the
  act has begun and is still under way (page_settling).
"""

import json
from typing import Any
from urllib.parse import quote

from playwright.async_api import Playwright

from actuators.browser.playwright.page_amounts import AMOUNT_SCRIPT
from actuators.browser.playwright.page_assembly import assemble
from actuators.browser.playwright.page_calendars import CALENDAR_SCRIPT
from actuators.browser.playwright.page_canvases import CANVAS_SCRIPT, DRAWN_TEXT_SCRIPT
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
from actuators.browser.playwright.page_receipts import GUARD_SCRIPT, IS_MINE_SCRIPT, RECEIPT_SCRIPT
from actuators.browser.playwright.page_records import RECORD_SCRIPT
from actuators.browser.playwright.page_selecting import SELECT_SCRIPT
from actuators.browser.playwright.page_settling import SETTLING_SCRIPT, TRACKING_SCRIPT
from actuators.browser.playwright.page_shapes import SHAPE_SCRIPT
from actuators.browser.playwright.page_spots import SPOT_SCRIPT
from actuators.browser.playwright.page_uncovering import UNCOVERING_SCRIPT
from actuators.browser.playwright.page_values import VALUE_SCRIPT
from actuators.browser.playwright.page_widgets import WIDGET_SCRIPT

ENGINE_NAME = "surehand"

# Runs in every document before the page's own scripts. Closed shadow roots are made open for Playwright, and still look
# closed to the page. The guard (page_receipts) stops clicks that would reach another element than the one aimed at, before
# any listener of the page: Playwright's own interceptor comes after listeners that the page has put on the window.
CONTEXT_SCRIPT = (
    "(() => {"
    + DRAWN_TEXT_SCRIPT
    + "})();(() => {"
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
"""
    + TRACKING_SCRIPT
    + GUARD_SCRIPT
    + "})();"
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
  revealed: findRevealed, ground: findGround, act: noteAct, after: readAfter,
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
        "page_canvases": CANVAS_SCRIPT,
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
        "page_settling": SETTLING_SCRIPT,
        "page_receipts": RECEIPT_SCRIPT,
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
