import { fieldOf } from './fields.ts';
import { BOXES, CONTROLS, isListening, isPressable, roleOf, ROWS } from '../names/roles.ts';
import { beginAct } from './settling.ts';
import { disabledBecause, hitAt, isSeen, isVisible } from '../names/sight.ts';
import { fold } from '../names/texts.ts';
import { above, holds, tagOf } from '../names/tree.ts';

const KEPT_ENTRIES = '[role=treeitem][aria-selected], [role=option][aria-selected], [role=row][aria-selected]';

function boxOf(element: Element) {
  const own = fieldOf(element);
  if (own.matches(BOXES)) return own;
  const label = own.closest('label');
  const box = (label && label.control && label.control.matches(BOXES) && label.control) || own.closest(BOXES) || own.querySelector(BOXES);
  // Of several that may be chosen each is as a box: pressed again, it is so no more.
  return box || (own.matches(KEPT_ENTRIES) && own.closest('[aria-multiselectable=true]') ? own : null);
}

export function labelOf(box: any) {
  return box.labels && Array.from(box.labels).find(isVisible);
}

/** Whether people see a label in the place of a box: it is too small, clipped or transparent, or around it something is, or its label lies over it. */
function isDrawnByLabel(box: Element) {
  const style = getComputedStyle(box);
  if (!isVisible(box) || !isSeen(box) || style.clipPath !== 'none' || style.clip !== 'auto' || style.pointerEvents === 'none') return true;
  const hit = hitAt(box);
  return Boolean(hit && hit !== box && holds(labelOf(box), hit));
}

export function readTick(element: Element) {
  const box = boxOf(element);
  if (!box) return null;
  const native = box.matches('input[type=checkbox], input[type=radio]');
  const attribute = ['aria-checked', 'aria-pressed', 'aria-selected'].find((name) => box.hasAttribute(name)) || 'aria-checked';
  return { role: roleOf(box), checked: native ? box.checked : box.getAttribute(attribute) === 'true',
    mixed: native ? box.indeterminate : box.getAttribute(attribute) === 'mixed', itself: box === fieldOf(element),
    by_label: Boolean(labelOf(box)) && isDrawnByLabel(box), pressed: attribute === 'aria-pressed' && !native };
}

const toldBy = (box: Element | null) => (box && box.getAttribute('aria-checked')) || '';

let before: any = null; // the state of the box that is about to be ticked

const ENTRY_ROLES = ['menuitem', 'treeitem'];

const isEntry = (element: Element) => !readTick(element)
  && (ENTRY_ROLES.includes(roleOf(element)) || (element.matches(ROWS) && isPressable(element) && !element.querySelector(CONTROLS)));

/** The box of an element. Of an entry, which has none or is one itself, it says so by an error: that takes no question of its own beforehand. */
export function findBox(element: Element, { token, refuses_entries }: { token: string, refuses_entries?: boolean }) {
  if (refuses_entries && isEntry(element)) throw new Error(SETTINGS.entry_mark);
  const box = boxOf(element);
  if (!box) return [element];
  const tick = readTick(box) as Tick;
  if (!before || before.token !== token) before = { token, checked: tick.checked, mixed: tick.mixed, told: toldBy(box) };
  if (!box.matches(BOXES)) throw new Error(SETTINGS.entry_mark);
  beginAct();
  return [tick.by_label ? labelOf(box) : box];
}

export function readTicked(element: Element, { token }: { token: string }) {
  const earlier = before && before.token === token ? before : null;
  const tick = readTick(element);
  // A page that draws the box itself may undo its native state, and keep its own.
  const box = boxOf(element), told = earlier ? toldBy(box) : '';
  const isTold = tick && ['true', 'false'].includes(told) && told !== earlier.told && tick.checked === earlier.checked;
  return { ...tick, ...(isTold && { checked: told === 'true' }), before: earlier, gone: Boolean(box) && !isVisible(box) && !labelOf(box) };
}

function isUsed(select: Element) {
  const { width, height } = select.getBoundingClientRect();
  const style = getComputedStyle(select);
  return isVisible(select) && width > 1 && height > 1 && style.clipPath === 'none' && style.clip === 'auto' && !select.closest('[aria-hidden=true]')
    && (style.opacity !== '0' || isUnderCover(select));
}

/** Whether a clear list takes the presses itself, or what is drawn in its place does nothing by itself. */
function isUnderCover(select: Element) {
  if (!hitAt(select)) select.scrollIntoView({ block: 'center', behavior: 'instant' });
  const hit = hitAt(select), around = hit ? [hit, ...above(hit)] : [];
  const shared = around.findIndex((each) => holds(each, select));
  return hit === select || !around.slice(0, shared + 2).some((each, at) => isListening(each) || (at < shared && isPressable(each)));
}

export function readChoice(element: Element) {
  const field = fieldOf(element);
  if (tagOf(field) !== 'SELECT') return { kind: 'widget', options: [] };
  return { kind: 'native', used: isUsed(field), multiple: field.multiple, ready: isVisible(field) && !disabledBecause(field), options: Array.from(field.options, (option: any) => ({
    label: fold(option.label), value: option.value, selected: option.selected,
    disabled: option.disabled || Boolean(option.closest('optgroup:disabled')) })) };
}

export function pickOptions(element: Element, { places }: { places: number[] }) {
  const field = fieldOf(element);
  beginAct();
  Array.from(field.options).forEach((option: any, place) => { option.selected = places.includes(place); });
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
  return true;
}
