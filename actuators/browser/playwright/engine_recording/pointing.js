/** Presses of the pointer: single, double, with the right and the middle button. */
import { nextAct, tellRecorder, toldOfTarget } from './telling.js';
import { beginChange } from './changing.js';
import { forgetTrail, openersOf } from './hovering.js';
import { isSentByEnter } from './keying.js';
import { isBox, isPlainField, labelPressed, pathOf, pressedIn, tickOfBox } from './targets.js';
import { beginUse } from './writing.js';

const TICK_MS = [0, 120, 400];

/** What was named when the pointer went down, before anything came of it. */
/** @type {{ element: Element, target: import('./telling.js').Told, openers: import('./telling.js').Told[], tick: boolean | null } | null} */
let held = null;

/**
 * @param {Element[]} path
 * @returns {Element | null}
 */
function meantIn(path) {
  const pressed = pressedIn(path);
  if (pressed || !path.length || path[0].matches('html, body')) return pressed;
  return path[0].matches('main, section, article, form, fieldset, dialog, table, ul, ol') ? null : path[0];
}

/** @param {PointerEvent} event */
function noteDown(event) {
  if (!event.isTrusted) return;
  const path = pathOf(event);
  const label = path.find((each) => each.nodeName === 'LABEL');
  const element = labelPressed(path) && label ? label.control : meantIn(path);
  if (!element) { held = null; return; }
  held = { element, target: toldOfTarget(element), openers: openersOf(element).map(toldOfTarget), tick: tickOfBox(element) };
  if (element.nodeName === 'SELECT') beginUse(element);
}

/** @param {MouseEvent} event */
const modifiersOf = (event) => [event.ctrlKey && 'Control', event.shiftKey && 'Shift', event.altKey && 'Alt', event.metaKey && 'Meta'].filter(Boolean);

/** @param {MouseEvent} event */
function notePress(event) {
  if (!event.isTrusted) return;
  const path = pathOf(event);
  if (labelPressed(path)) return; // its control is pressed next
  const element = meantIn(path);
  if (!element || element.nodeName === 'SELECT' || (event.type === 'click' && event.detail === 0 && isSentByEnter())) return;
  const known = held && held.element === element ? held : null;
  const openers = known?.openers || [];
  for (const target of openers) tellRecorder('hover', { act: nextAct(), target });
  const act = nextAct(), before = tickBefore(element, known);
  tellRecorder('click', {
    act, target: known?.target || toldOfTarget(element), button: ['left', 'middle', 'right'][event.type === 'contextmenu' ? 2 : event.button] || 'left',
    count: Math.max(1, event.detail), modifiers: modifiersOf(event), is_field: isPlainField(element), is_control: Boolean(pressedIn(path)), is_files: element.matches('[type=file]'),
    group: (element.matches('[type=radio]') && element.getAttribute('name')) || '',
  });
  if (before !== null && event.type === 'click') {
    ticking = { element, act, before };
    if (element.matches('input')) tellTick(); // the browser has ticked it already
    for (const wait_ms of TICK_MS) setTimeout(() => { if (ticking?.act === act) tellTick(); }, wait_ms);
  }
  beginChange(act, element);
  forgetTrail();
}

/**
 * Whether a box was ticked before: the browser ticks its own boxes before anybody hears of the press.
 * @param {Element} element
 * @param {{ tick: boolean | null } | null} known
 */
function tickBefore(element, known) {
  const now = tickOfBox(element);
  if (now === null) return null;
  if (known && known.tick !== null) return known.tick;
  return element.matches('[type=checkbox]') ? !now : now && !element.matches('[type=radio]');
}

/** The box that was pressed last, until something else is done. */
/** @type {{ element: Element, act: string, before: boolean } | null} */
let ticking = null;

function tellTick() {
  if (ticking?.element.isConnected && isBox(ticking.element)) tellRecorder('ticked', { act: ticking.act, before: ticking.before, checked: tickOfBox(ticking.element) });
}

/** @param {Event} event */
function endTick(event) {
  if (!event.isTrusted) return;
  tellTick();
  ticking = null;
}

/** @param {(type: string, hear: (event: any) => void) => void} listen */
export function watchPresses(listen) {
  listen('pointerdown', endTick);
  listen('keydown', endTick);
  listen('pointerdown', noteDown);
  listen('click', notePress);
  listen('auxclick', (event) => { if (event.button === 1) notePress(event); });
  listen('contextmenu', notePress);
}
