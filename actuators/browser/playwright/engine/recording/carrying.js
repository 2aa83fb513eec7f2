/** Dragging: by the browser's own way, and by pages that follow the pointer themselves. */
import { roleOf } from '../names/roles.js';
import { isVisible } from '../names/sight.js';
import { nextAct, tellRecorder, toldOfTarget } from './telling.js';
import { beginChange } from './changing.js';
import { pathOf } from './targets.js';

const LEAST_PX = 8, MOST_UP = 6;
const GRABBED = 'grab grabbing move all-scroll col-resize row-resize ew-resize ns-resize nwse-resize nesw-resize e-resize s-resize se-resize'.split(' ');

/** @typedef {import('./telling.js').Told} Told */
/** @type {{ x_px: number, y_px: number, path: Element[], source: Element | null, target: Told | null, slider: Element | null, isNative: boolean } | null} */
let down = null;

/** @param {Element} element */
const isGrabbed = (element) => GRABBED.includes(getComputedStyle(element).cursor) || getComputedStyle(element).touchAction === 'none';

/** @param {Element[]} path */
function sourceIn(path) {
  const native = path.find((each) => each.matches('[draggable=true]'));
  if (native) return native;
  return path[0] && isGrabbed(path[0]) ? path.slice(0, MOST_UP).find((each, at) => isGrabbed(each) && !(path[at + 1] && isGrabbed(path[at + 1]))) || null : null;
}

/** @param {PointerEvent} event */
function noteDown(event) {
  if (!event.isTrusted || event.button !== 0) return;
  const path = pathOf(event);
  const slider = path.find((each) => roleOf(each) === 'slider') || null;
  const source = slider ? null : sourceIn(path);
  down = { x_px: event.clientX, y_px: event.clientY, path, source, target: source || slider ? toldOfTarget(/** @type {Element} */ (source || slider)) : null, slider, isNative: false };
}

/**
 * What something was let go on: the nearest that can be named, but not what it is in itself.
 * @param {Element[]} path
 * @param {Element} source
 */
function toldOfGoal(path, source) {
  for (const each of path.slice(0, MOST_UP)) {
    if (each === source || source.contains(each) || each.contains(source) || each.matches('html, body')) continue;
    const told = toldOfTarget(each);
    if (told.selector) return { told, element: each };
  }
  return null;
}

/**
 * @param {Element} source
 * @param {Told} target
 * @param {Element[]} path
 * @param {MouseEvent} event
 */
function tellDrag(source, target, path, event) {
  const goal = toldOfGoal(path, source), act = nextAct();
  const box = goal?.element.getBoundingClientRect();
  const isAmong = goal && goal.element.parentElement === source.parentElement; // an order is changed
  const side = isAmong && box ? (event.clientY > box.y + box.height / 2 ? 'after' : 'before') : '';
  const { x_px, y_px } = down || { x_px: event.clientX, y_px: event.clientY };
  tellRecorder('drag', { act, target, goal: goal?.told || null, side, offset: [Math.round(event.clientX - x_px), Math.round(event.clientY - y_px)] });
  beginChange(act);
}

/** @param {DragEvent} event */
function noteDragStart(event) {
  if (!event.isTrusted || !down) return;
  down.isNative = true;
  const source = down.source || pathOf(event)[0];
  if (!down.target && source) down.target = toldOfTarget(source);
  down.source = source || null;
}

/** @param {DragEvent} event */
function noteDrop(event) {
  if (!event.isTrusted || !down?.source || !down.target) return;
  tellDrag(down.source, down.target, pathOf(event), event);
  down = null;
}

/** @param {PointerEvent} event */
function noteUp(event) {
  if (!event.isTrusted || !down || down.isNative) return;
  const { x_px, y_px, source, target, slider } = down;
  const isMoved = Math.hypot(event.clientX - x_px, event.clientY - y_px) >= LEAST_PX;
  if (slider && target && !slider.matches('input')) setTimeout(() => tellSlide(slider, target), 80);
  else if (source && target && isMoved && !source.matches('[draggable=true]')) {
    const under = document.elementsFromPoint(event.clientX, event.clientY).filter((each) => !source.contains(each) && isVisible(each));
    tellDrag(source, target, under, event);
  }
  down = null;
}

/**
 * @param {Element} slider
 * @param {Told} target
 */
function tellSlide(slider, target) {
  const value = slider.getAttribute('aria-valuenow');
  if (value !== null) tellRecorder('slide', { act: nextAct(), target, value });
}

/** @param {(type: string, hear: (event: any) => void) => void} listen */
export function watchCarrying(listen) {
  listen('pointerdown', noteDown);
  listen('dragstart', noteDragStart);
  listen('drop', noteDrop);
  listen('pointerup', noteUp);
}
