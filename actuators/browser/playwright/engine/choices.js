import { fieldOf, ownedList } from './fields.js';
import { nameOf } from '../engine_names/naming.js';
import { BOXES, roleOf } from '../engine_names/roles.js';
import { beginAct } from './settling.js';
import { disabledBecause, isVisible } from '../engine_names/sight.js';
import { fold } from '../engine_names/texts.js';
import { findAll, scopeOf, tagOf } from '../engine_names/tree.js';

/** @param {Element} element */
function boxOf(element) {
  const own = fieldOf(element);
  if (own.matches(BOXES)) return own;
  const label = own.closest('label');
  return (label && label.control && label.control.matches(BOXES) && label.control) || own.closest(BOXES) || own.querySelector(BOXES);
}

/** @param {any} box */
export function labelOf(box) {
  return box.labels && Array.from(box.labels).find(isVisible);
}

/** @param {Element} element */
export function readTick(element) {
  const box = boxOf(element);
  if (!box) return null;
  const native = box.matches('input[type=checkbox], input[type=radio]');
  const attribute = ['aria-checked', 'aria-pressed', 'aria-selected'].find((name) => box.hasAttribute(name)) || 'aria-checked';
  const size = box.getBoundingClientRect();
  const style = getComputedStyle(box);
  const unseen = !isVisible(box) || size.width <= 1 || size.height <= 1 || style.clipPath !== 'none' || style.clip !== 'auto' || style.pointerEvents === 'none';
  return { role: roleOf(box), checked: native ? box.checked : box.getAttribute(attribute) === 'true',
    mixed: native ? box.indeterminate : box.getAttribute(attribute) === 'mixed', itself: box === fieldOf(element),
    by_label: unseen && Boolean(labelOf(box)), pressed: attribute === 'aria-pressed' && !native };
}

/** @type {any} */
let before = null; // the state of the box that is about to be ticked

/**
 * @param {Element} element
 * @param {{ token: string }} query
 */
export function findBox(element, { token }) {
  const box = boxOf(element);
  if (!box) return [element];
  const tick = /** @type {Tick} */ (readTick(box));
  if (!before || before.token !== token) before = { token, checked: tick.checked, mixed: tick.mixed };
  beginAct();
  return [tick.by_label ? labelOf(box) : box];
}

/**
 * @param {Element} element
 * @param {{ token: string }} query
 */
export function readTicked(element, { token }) {
  return { ...readTick(element), before: before && before.token === token ? before : null };
}

/** @param {Element} element */
export function findLabelOf(element) {
  const label = labelOf(boxOf(element) || fieldOf(element));
  return label ? [label] : [];
}

const OPTIONS = '[role=option], [role=menuitemradio], [role=treeitem]';

/** @param {Element} element */
function listOf(element) {
  return ownedList(element) || findAll(document, '[role=listbox]').find(isVisible) || null;
}

/** @param {Element} element */
export function optionsOf(element) {
  const list = element.matches('[role=listbox], [role=menu]') ? element : listOf(element);
  if (!list) return [];
  const put = findAll(list, 'slot').flatMap((slot) => slot.assignedElements({ flatten: true })).flatMap((each) => [each, ...findAll(each, '*')]);
  return [...findAll(scopeOf(list), OPTIONS), ...put.filter((each) => each.matches(OPTIONS))].filter(isVisible);
}

/** @param {Element} element */
export function readChoice(element) {
  const field = fieldOf(element);
  if (tagOf(field) === 'SELECT') {
    return { kind: 'native', multiple: field.multiple, ready: isVisible(field) && !disabledBecause(field), options: Array.from(field.options, (option) => ({
      label: fold(option.label), value: option.value, selected: option.selected,
      disabled: option.disabled || Boolean(option.closest('optgroup:disabled')) })) };
  }
  const role = roleOf(field);
  const isCombo = role === 'combobox' || field.getAttribute('aria-haspopup') === 'listbox';
  if (!isCombo && role !== 'listbox') return { kind: 'other', options: [] };
  const isOpen = !isCombo || field.getAttribute('aria-expanded') === 'true';
  return { kind: isCombo ? 'combobox' : 'listbox', editable: field.matches('input:not([readonly]), [contenteditable]'), open: isOpen,
    multiple: field.getAttribute('aria-multiselectable') === 'true', shown: field.matches('input') ? field.value : fold(field.innerText || ''),
    options: (isOpen ? optionsOf(field) : []).map((option) => ({ label: nameOf(option), value: option.getAttribute('data-value') || nameOf(option),
      selected: option.getAttribute('aria-selected') === 'true' || option.getAttribute('aria-checked') === 'true',
      disabled: option.getAttribute('aria-disabled') === 'true' })) };
}

/**
 * @param {Element} element
 * @param {{ places: number[] }} query
 */
export function pickOptions(element, { places }) {
  const field = fieldOf(element);
  beginAct();
  Array.from(field.options).forEach((option, place) => { option.selected = places.includes(place); });
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
  return true;
}

/**
 * @param {Element} element
 * @param {{ index: number }} query
 */
export function findOptionOf(element, { index }) {
  const option = optionsOf(fieldOf(element))[index];
  if (option) beginAct();
  return option ? [option] : [];
}
