/** What is typed, chosen and set in fields. What is secret is never read: that there is something is told, and nothing of what. */
import { holding, holdSecret, isSecret } from '../names/secrecy.js';
import { findAll } from '../names/tree.js';
import { nextAct, tellRecorder, toldOfTarget } from './telling.js';
import { fieldIn, isWrittenIn, pathOf } from './targets.js';

const MOST_CHARS = 20_000;
const SET_TYPES = ['range', 'color', 'date', 'time', 'month', 'week', 'datetime-local'];

/**
 * What is known of a field since somebody began to use it.
 * @typedef {{ act: string, target: import('./telling.js').Told, was: string, hadSecret: boolean }} Use
 */
/** @type {WeakMap<Element, Use>} */
const uses = new WeakMap();
/** @type {Map<string, FileList>} */
const chosen = new Map();
/** @type {any} */ (globalThis).surehandFiles = chosen;

/** @param {Element} field */
export const isPrivate = (field) => isSecret(field) || /cc-number/.test(field.autocomplete || '');

/** @param {Element} field */
function contentOf(field) {
  if (field.nodeName === 'SELECT') return JSON.stringify(labelsOf(field));
  return String((field.isContentEditable ? field.innerText : field.value) ?? '').slice(0, MOST_CHARS);
}

/** @param {Element} select */
const labelsOf = (select) => Array.from(select.selectedOptions, (/** @type {any} */ each) => each.label.trim() || each.value);

/**
 * Remembers a field as it is before anything is put into it.
 * @param {Element} field
 * @returns {Use}
 */
export function beginUse(field) {
  const known = uses.get(field);
  if (known) return known;
  if (isPrivate(field)) holdSecret(field); // also where its type changes later, as with a button that shows a password
  const use = { act: nextAct(), target: toldOfTarget(field), was: isPrivate(field) ? '' : contentOf(field), hadSecret: isPrivate(field) && Boolean(field.value) };
  uses.set(field, use);
  return use;
}

/**
 * Another field that holds the same secret, as where a password is typed twice; told by its act.
 * @param {Element} field
 */
function sameAs(field) {
  const other = findAll(document, 'input').find((each) => each !== field && holding.has(each) && each.value === field.value);
  return (other && uses.get(other)?.act) || '';
}

/** @param {Event} event */
function noteBefore(event) {
  const field = event.isTrusted && fieldIn(pathOf(event));
  if (field && isWrittenIn(field)) beginUse(field);
}

/** @param {Event} event */
function noteInput(event) {
  const field = event.isTrusted && fieldIn(pathOf(event));
  if (!field || field.matches('select, [type=file], [type=checkbox], [type=radio]')) return;
  const { act, target, was, hadSecret } = beginUse(field);
  if (isPrivate(field)) {
    tellRecorder('input', { act, target, secret: true, is_empty: !field.value, had_value: hadSecret, same_as: field.value ? sameAs(field) : '' });
    return;
  }
  const kind = SET_TYPES.includes(field.type) ? 'set' : 'type';
  tellRecorder('input', { act, target, was, value: contentOf(field), sets: kind === 'set', by_list: Boolean(/** @type {any} */ (event).inputType === 'insertReplacementText') });
}

/** @param {Event} event */
function noteChange(event) {
  const field = event.isTrusted && fieldIn(pathOf(event));
  if (!field) return;
  if (field.nodeName === 'SELECT') {
    const { act, target, was } = beginUse(field);
    tellRecorder('choose', { act, target, was: JSON.parse(was), values: labelsOf(field), multiple: field.multiple });
  } else if (field.matches('[type=file]')) {
    const act = nextAct();
    chosen.set(act, field.files);
    tellRecorder('files', { act, target: toldOfTarget(field), names: Array.from(field.files, ({ name }) => name) });
  }
}

/** @param {Event} event */
function noteFocus(event) {
  const field = event.isTrusted && fieldIn(pathOf(event));
  if (field && field.nodeName === 'SELECT') beginUse(field);
  else if (field && field.matches('input') && isPrivate(field)) holdSecret(field);
}

/** @param {(type: string, hear: (event: any) => void) => void} listen */
export function watchWriting(listen) {
  listen('beforeinput', noteBefore);
  listen('input', noteInput);
  listen('change', noteChange);
  listen('focusin', noteFocus);
}
