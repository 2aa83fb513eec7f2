/** Presses of the pointer: single, double, with the right and the middle button. */
import { listen, nextAct, tellRecorder, toldOfTarget, type Told } from './telling.ts';
import { beginChange } from './changing.ts';
import { forgetTrail, openersOf } from './hovering.ts';
import { isSentByEnter } from './keying.ts';
import { isBox, isPlainField, labelPressed, pathOf, pressedIn, tickOfBox } from './targets.ts';
import { beginUse } from './writing.ts';

const TICK_MS = [0, 120, 400];
const NEAR_PX = 8, WAIT_MS = 60;

/** What was named when the pointer went down, before anything came of it: pages act upon that already, and what is released may be something else. */
type Held = { element: Element, act: string, target: Told, openers: Told[], tick: boolean | null, x_px: number, y_px: number, isControl: boolean };
let held: Held | null = null;

function meantIn(path: Element[]): Element | null {
  const pressed = pressedIn(path);
  if (pressed || !path.length || path[0].matches('html, body')) return pressed;
  return path[0].matches('main, section, article, form, fieldset, dialog, table, ul, ol') ? null : path[0];
}

function noteDown(event: PointerEvent) {
  const path = pathOf(event);
  const element = labelPressed(path)?.control || meantIn(path);
  held = null;
  if (!element) return;
  if (element.nodeName === 'SELECT') { beginUse(element); return; }
  const act = nextAct();
  held = { element, act, target: toldOfTarget(element), openers: openersOf(element).map(toldOfTarget), tick: tickOfBox(element),
    x_px: event.clientX, y_px: event.clientY, isControl: element.nodeName === 'INPUT' || Boolean(pressedIn(path)) };
  beginChange(act, element);
}

/** Where a page has acted when the pointer went down, no click may come. */
function noteUp(event: PointerEvent) {
  const pressed = held;
  if (!pressed || event.button !== 0 || isFar(event, pressed)) return;
  setTimeout(() => { if (held === pressed) tellPress(pressed, event, 1); }, WAIT_MS);
}

const isFar = (event: MouseEvent, pressed: Held) => Math.hypot(event.clientX - pressed.x_px, event.clientY - pressed.y_px) >= NEAR_PX;

const modifiersOf = (event: MouseEvent) => [event.ctrlKey && 'Control', event.shiftKey && 'Shift', event.altKey && 'Alt', event.metaKey && 'Meta'].filter(Boolean);

function notePress(event: MouseEvent) {
  const path = pathOf(event), byPointer = event.type !== 'click' || event.detail > 0;
  if (labelPressed(path)) return; // the control of a label is pressed next
  const element = meantIn(path);
  if (byPointer && held) {
    if (!isFar(event, held) || held.element === element) tellPress(held, event, Math.max(1, event.detail));
    held = null;
  } else if (element && element.nodeName !== 'SELECT' && !(event.type === 'click' && event.detail === 0 && isSentByEnter())) {
    const act = nextAct();
    tellPress({ element, act, target: toldOfTarget(element), openers: [], tick: null, x_px: 0, y_px: 0, isControl: Boolean(pressedIn(path)) }, event, 1);
    beginChange(act, element);
  }
}

function tellPress(pressed: Held, event: MouseEvent, count: number) {
  const { element, act, target, openers } = pressed;
  held = null;
  for (const each of openers) tellRecorder('hover', { act: nextAct(), target: each });
  const before = tickBefore(element, pressed);
  const button = event.type === 'contextmenu' ? 'right' : ['left', 'middle', 'right'][event.button] || 'left';
  tellRecorder('click', {
    act, target, button, count, modifiers: modifiersOf(event), is_field: isPlainField(element), is_control: pressed.isControl, is_files: element.matches('[type=file]'),
    group: (element.matches('[type=radio]') && element.getAttribute('name')) || '',
  });
  if (before !== null && button === 'left') {
    ticking = { element, act, before };
    if (element.matches('input')) tellTick(); // the browser has ticked it already
    for (const wait_ms of TICK_MS) setTimeout(() => { if (ticking?.act === act) tellTick(); }, wait_ms);
  }
  forgetTrail();
}

/** Whether a box was ticked before: the browser ticks its own boxes before anybody hears of the press. */
function tickBefore(element: Element, known: { tick: boolean | null }) {
  const now = tickOfBox(element);
  if (now === null) return null;
  if (known.tick !== null) return known.tick;
  return element.matches('[type=checkbox]') ? !now : now && !element.matches('[type=radio]');
}

let ticking: { element: Element, act: string, before: boolean } | null = null; // the box that was pressed last, until something else is done

function tellTick() {
  if (ticking?.element.isConnected && isBox(ticking.element)) tellRecorder('ticked', { act: ticking.act, before: ticking.before, checked: tickOfBox(ticking.element) });
}

function endTick() {
  tellTick();
  ticking = null;
}

export function watchPresses() {
  listen('pointerdown', endTick);
  listen('keydown', endTick);
  listen('pointerdown', noteDown);
  listen('pointerup', noteUp);
  listen('click', notePress);
  listen('auxclick', (event) => { if (event.button === 1) notePress(event); });
  listen('contextmenu', notePress);
}
