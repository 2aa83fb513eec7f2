/** Dragging: by the browser's own way, and by pages that follow the pointer themselves. */
import { roleOf } from '../names/roles.ts';
import { isVisible } from '../names/sight.ts';
import { listen, nextAct, tellRecorder, toldOfTarget, type Told } from './telling.ts';
import { beginChange } from './changing.ts';
import { pathOf } from './targets.ts';

const LEAST_PX = 8, MOST_UP = 6;
const GRABBED = 'grab grabbing move all-scroll col-resize row-resize ew-resize ns-resize nwse-resize nesw-resize e-resize s-resize se-resize'.split(' ');

let down: { x_px: number, y_px: number, source: Element | null, target: Told | null, slider: Element | null, isNative: boolean } | null = null;

const isGrabbed = (element: Element) => GRABBED.includes(getComputedStyle(element).cursor) || getComputedStyle(element).touchAction === 'none';

function sourceIn(path: Element[]) {
  const isOutermost = (each: Element, at: number) => isGrabbed(each) && !(path[at + 1] && isGrabbed(path[at + 1]));
  return path.find((each) => each.matches('[draggable=true]')) || (path[0] && isGrabbed(path[0]) ? path.slice(0, MOST_UP).find(isOutermost) : null) || null;
}

function noteDown(event: PointerEvent) {
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

function noteUp(event: PointerEvent) {
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

export function watchCarrying() {
  listen('pointerdown', noteDown);
  listen('dragstart', noteDragStart);
  listen('drop', noteDrop);
  listen('pointerup', noteUp);
}
