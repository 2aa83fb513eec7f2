/** What is done with the pointer: presses, what it had to rest on so that something could be pressed, and dragging, by the browser's own way or the page's. */
import { isBox, isPlainField, labelPressed, listen, nextAct, pathOf, pressedIn, tellRecorder, tickOfBox, type Told, toldOfTarget } from './telling.ts';
import { beginChange } from './changing.ts';
import { beginUse, isSentByEnter } from './writing.ts';
import { overOf } from '../outline/concealed.ts';
import { CONTROLS, isPressable, roleOf } from '../names/roles.ts';
import { isVisible } from '../names/sight.ts';
import { findAll } from '../names/tree.ts';

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

const MOST_WATCHED = 1500, REST_MS = 60;
const OPENS = '[aria-haspopup], [aria-expanded], li, nav *, [role=menuitem], [role=button], button, a, [title], [tabindex]';

let pressable = new WeakSet(); // before the pointer came to where it is
let trail: { element: Element, before: WeakSet<Element> }[] = [];
let timer = 0;

function rememberPressable() {
  timer = 0;
  pressable = new WeakSet(findAll(document, CONTROLS).slice(0, MOST_WATCHED).filter(isVisible));
}

export function forgetTrail() {
  trail = [];
  rememberPressable();
}

function noteOver(event: Event) {
  const path = pathOf(event);
  const element = pressedIn(path) || path.find((each) => each.matches(OPENS));
  if (!element || trail.at(-1)?.element === element) return;
  trail = [...trail.slice(-5), { element, before: pressable }];
  if (!timer) timer = setTimeout(rememberPressable, REST_MS);
}

/** What the pointer was over when that came into sight; nothing where it was in sight before. */
export function openersOf(pressed: Element): Element[] {
  if (!isPressable(pressed)) return [];
  const byStyle: Element[] = [];
  for (let each = pressed as Element | null; each && each !== document.body; each = each.parentElement) {
    const over = overOf(each);
    if (over && !byStyle.includes(over)) byStyle.unshift(over);
  }
  const outer = byStyle.map((each) => pressedIn([each]) || each.querySelector(CONTROLS) || each).filter((each) => each !== pressed && !pressed.contains(each));
  if (outer.length) return outer;
  if (!pressed.matches(CONTROLS)) return [];
  const isApart = (element: Element) => !element.contains(pressed) && !pressed.contains(element);
  const found = trail.filter(({ element, before }) => isApart(element) && !before.has(pressed) && before.has(element) && element.isConnected && isVisible(element));
  return found.slice(-1).map(({ element }) => element);
}

const LEAST_PX = 8, MOST_UP = 6;
const GRABBED = 'grab grabbing move all-scroll col-resize row-resize ew-resize ns-resize nwse-resize nesw-resize e-resize s-resize se-resize'.split(' ');

let down: { x_px: number, y_px: number, source: Element | null, target: Told | null, slider: Element | null, isNative: boolean } | null = null;

const isGrabbed = (element: Element) => GRABBED.includes(getComputedStyle(element).cursor) || getComputedStyle(element).touchAction === 'none';

function sourceIn(path: Element[]) {
  const isOutermost = (each: Element, at: number) => isGrabbed(each) && !(path[at + 1] && isGrabbed(path[at + 1]));
  return path.find((each) => each.matches('[draggable=true]')) || (path[0] && isGrabbed(path[0]) ? path.slice(0, MOST_UP).find(isOutermost) : null) || null;
}

function noteGrab(event: PointerEvent) {
  if (event.button !== 0) return;
  const path = pathOf(event);
  const slider = path.find((each) => roleOf(each) === 'slider') || null;
  const source = slider ? null : sourceIn(path), held = slider || source;
  down = { x_px: event.clientX, y_px: event.clientY, source, target: held ? toldOfTarget(held) : null, slider, isNative: false };
}

/** What something was let go on: the nearest that can be named, but not what it is in itself. */
function toldOfGoal(path: Element[], source: Element) {
  for (const each of path.slice(0, MOST_UP)) {
    if (each === source || source.contains(each) || each.contains(source) || each.matches('html, body')) continue;
    const told = toldOfTarget(each);
    if (told.selector) return { told, element: each };
  }
  return null;
}

function tellDrag(source: Element, target: Told, path: Element[], event: MouseEvent) {
  const goal = toldOfGoal(path, source), act = nextAct();
  const box = goal?.element.getBoundingClientRect();
  const isAmong = goal && goal.element.parentElement === source.parentElement; // an order is changed
  const side = isAmong && box ? (event.clientY > box.y + box.height / 2 ? 'after' : 'before') : '';
  const { x_px, y_px } = down || { x_px: event.clientX, y_px: event.clientY };
  tellRecorder('drag', { act, target, goal: goal?.told || null, side, offset: [Math.round(event.clientX - x_px), Math.round(event.clientY - y_px)] });
  beginChange(act);
}

function noteDragStart(event: DragEvent) {
  if (!down) return;
  down.isNative = true;
  const source = down.source || pathOf(event)[0];
  if (!down.target && source) down.target = toldOfTarget(source);
  down.source = source || null;
}

function noteDrop(event: DragEvent) {
  if (!down?.source || !down.target) return;
  tellDrag(down.source, down.target, pathOf(event), event);
  down = null;
}

function noteRelease(event: PointerEvent) {
  if (!down || down.isNative) return;
  const { x_px, y_px, source, target, slider } = down;
  const isMoved = Math.hypot(event.clientX - x_px, event.clientY - y_px) >= LEAST_PX;
  if (slider && target && !slider.matches('input')) setTimeout(() => tellSlide(slider, target), 80);
  else if (source && target && isMoved && !source.matches('[draggable=true]')) {
    const under = document.elementsFromPoint(event.clientX, event.clientY).filter((each) => !source.contains(each) && isVisible(each));
    tellDrag(source, target, under, event);
  }
  down = null;
}

function tellSlide(slider: Element, target: Told) {
  const value = slider.getAttribute('aria-valuenow');
  if (value !== null) tellRecorder('slide', { act: nextAct(), target, value });
}

export function watchPointer() {
  listen('pointerover', noteOver);
  timer = setTimeout(rememberPressable, REST_MS);
  listen('pointerdown', endTick);
  listen('keydown', endTick);
  listen('pointerdown', noteDown);
  listen('pointerup', noteUp);
  listen('click', notePress);
  listen('auxclick', (event) => { if (event.button === 1) notePress(event); });
  listen('contextmenu', notePress);
  listen('pointerdown', noteGrab);
  listen('dragstart', noteDragStart);
  listen('drop', noteDrop);
  listen('pointerup', noteRelease);
}
