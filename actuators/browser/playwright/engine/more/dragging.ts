import { describe } from '../names/naming.ts';
import { isSeen, isVisible } from '../names/sight.ts';
import { wordsIn } from '../names/texts.ts';
import { attributeOf, classText, findAll, holds, outermost, scopeOf } from '../names/tree.ts';
import { isMine } from '../acting/presses.ts';
import { askPending, beginAct } from '../acting/settling.ts';

const EVENTS = ['mousedown', 'dragstart', 'drop', 'dragend', 'mouseup', 'pointerup'];
const GRABBED = new Set(['grab', 'grabbing', '-webkit-grab', 'move', 'all-scroll']);
const HANDLE_WORDS = ['drag', 'dragger', 'draggable', 'grip', 'gripper', 'grab', 'grabber', 'handle', 'reorder', 'sort', 'sortable', 'move', 'mover'];
const TAKES_PRESS = 'input, button, select, textarea, a[href], [contenteditable]:not([contenteditable=false])';
const ICONS = 'svg, img, i, [role=img], [role=button], button';
const SPOTS = [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.1, 0.5], [0.9, 0.5], [0.5, 0.2], [0.5, 0.8], [0.1, 0.2], [0.9, 0.8]];
const MOST_HANDLES = 3;
let drag: any = null;

function noteDrag(event: any) {
  if (!drag) return;
  if (event.type === 'mousedown') drag.pressed ??= isMine(event.composedPath(), drag.element);
  drag.types.push(event.type);
  const target = event.composedPath()[0];
  if (['drop', 'mouseup', 'pointerup'].includes(event.type) && target.nodeType === 1) drag[event.type] = target;
}

/** From here on it is told what becomes of a drag of an element; what the page does to itself meanwhile is counted. */
export function watchDrag(element: Element, { again }: { again?: boolean }) {
  for (const type of EVENTS) window.addEventListener(type, noteDrag, true);
  drag?.watcher.disconnect();
  if (again) getSelection()?.removeAllRanges(); // what was marked in vain would be dragged in place of the element
  const watcher = new MutationObserver((records) => { if (drag) drag.changes += records.length; });
  watcher.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  drag = { element, target: null, types: [], pressed: null, changes: 0, watcher };
  beginAct();
  return true;
}

export function aimDrag(target: Element) {
  if (drag) drag.target = target;
  return tellDrag();
}

/** What the page has made of a drag until now, as it goes on: whether the browser carries it, and where its two elements are. The act is what comes after. */
export function tellDrag() {
  if (!drag) return null;
  beginAct();
  drag.changes += drag.watcher.takeRecords().length;
  const { element, target, types, changes } = drag;
  return { is_native: types.includes('dragstart'), changes, element: boxOf(element), target: target && boxOf(target), order: target && orderOf(element, target) };
}

export function readDrag(element: Element) {
  if (!drag) return null;
  const changes = drag.changes + drag.watcher.takeRecords().length;
  const receiver = drag.drop || drag.mouseup || drag.pointerup;
  const told = { events: drag.types, pressed: drag.pressed, changes, requests: askPending().requests,
    received_by: receiver ? describe(receiver) : null, is_drawn: element.matches('canvas, svg, svg *'),
    on_target: Boolean(receiver && (holds(element, receiver) || holds(receiver, element))) };
  drag.watcher.disconnect();
  drag = null;
  return told;
}

function boxOf(element: Element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x, y, width, height };
}

export const canGrab = (element: Element) => GRABBED.has(getComputedStyle(element).cursor) || attributeOf(element, 'draggable') === 'true';

function isCalledHandle(element: Element) {
  const said = ['aria-roledescription', 'aria-label', 'title', 'data-testid'].map((name) => attributeOf(element, name) || '');
  return wordsIn([classText(element), ...said].join(' ')).some((word) => HANDLE_WORDS.includes(word));
}

/** Where an element can be taken hold of: a point of it that nothing covers, and on no control that keeps presses to itself. */
function freeSpot(element: Element, whole: Element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  const isFree = ([across, down]: number[]) => {
    const root = element.getRootNode() as any;
    const hit = root.elementFromPoint(x + width * across, y + height * down);
    const control = hit && holds(element, hit) && hit.closest(TAKES_PRESS);
    return Boolean(hit) && holds(element, hit) && (!control || control === element || holds(control, element));
  };
  const [across, down] = SPOTS.find(isFree) || SPOTS[0];
  const box = whole.getBoundingClientRect();
  return { x_px: x + width * across - box.x - whole.clientLeft, y_px: y + height * down - box.y - whole.clientTop };
}

/** Where people would take hold of an element to move it, the likeliest first: by itself, where it looks like that, by a handle in it, by an icon in it. */
export function listGrips(element: Element) {
  const inside = findAll(scopeOf(element), '*').filter((each) => each !== element && isVisible(each) && isSeen(each));
  const handles = outermost(inside.filter((each) => (canGrab(each) || isCalledHandle(each)) && !each.matches('input, select, textarea')));
  const own = canGrab(element) ? [element, ...handles] : [...handles.filter(canGrab), element, ...handles.filter((each) => !canGrab(each))];
  const icons = inside.filter((each) => each.matches(ICONS) && !handles.some((handle) => handle.contains(each)));
  const spots = [...own.slice(0, MOST_HANDLES), ...outermost(icons).slice(0, 1)].map((each) => freeSpot(each, element));
  return spots.filter((spot, at) => at === spots.findIndex(({ x_px, y_px }) => x_px === spot.x_px && y_px === spot.y_px));
}

const ALIKE = 1.6;
const LEAST_PX = 4;

const middleOf = (element: Element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2, width, height };
};

/** What of it stands beside what of another one: the outermost parts around each that don't hold the other. */
function besides(element: Element, other: Element) {
  let part = element;
  while (part.parentElement && !holds(part.parentElement, other)) part = part.parentElement;
  return part;
}

/** Whether a part is little more than the element in it, as what a list wraps around each entry. */
function isWrap(part: Element, element: Element) {
  const [outer, inner] = [part.getBoundingClientRect(), element.getBoundingClientRect()];
  return outer.width <= inner.width * ALIKE + LEAST_PX && outer.height <= inner.height * ALIKE + LEAST_PX;
}

function standsBefore(one: Element, other: Element) {
  const [first, second] = [middleOf(one), middleOf(other)];
  const isBeside = Math.abs(first.y - second.y) < Math.min(first.height, second.height) / 2;
  if (!isBeside) return first.y < second.y;
  return getComputedStyle(one).direction === 'rtl' ? first.x > second.x : first.x < second.x;
}

/** On which side of another entry of the same list an element stands, and whether right beside it; null where they are not of one list. */
export function orderOf(element: Element, other: Element) {
  if (!element.isConnected || !other.isConnected || holds(element, other) || holds(other, element)) return null;
  const [one, two] = [besides(element, other), besides(other, element)];
  // An element may also be what its entry is moved by.
  if (one.parentElement !== two.parentElement || !isWrap(two, other) || !(isWrap(one, element) || isWrap(one, two))) return null;
  const isFirst = standsBefore(one, two);
  const [from, to] = isFirst ? [one, two] : [two, one];
  const entries = Array.from(two.parentElement?.children || []).filter((each) => each !== one && each !== two && isVisible(each) && each.getBoundingClientRect().height > LEAST_PX);
  const isBetween = entries.some((each) => isWrap(each, other) && standsBefore(from, each) && standsBefore(each, to));
  return { side: isFirst ? 'before' : 'after', is_next: !isBetween };
}
