/** What is typed, chosen and set in fields. What is secret is never read: that there is something is told, and nothing of what. */
import { holding, holdSecret, isSecret } from '../names/secrecy.ts';
import { findAll } from '../names/tree.ts';
import { listen, nextAct, tellRecorder, toldOfTarget, type Told } from './telling.ts';
import { fieldIn, isWrittenIn, pathOf } from './targets.ts';

const MOST_CHARS = 20_000;
const SET_TYPES = ['range', 'color', 'date', 'time', 'month', 'week', 'datetime-local'];

type Use = { act: string, target: Told, was: string, hadSecret: boolean };
const uses: WeakMap<Element, Use> = new WeakMap();
const chosen: Map<string, FileList> = new Map();
(globalThis as any).surehandFiles = chosen;

export const isPrivate = (field: Element) => isSecret(field) || /cc-number/.test(field.autocomplete || '');

function contentOf(field: Element) {
  if (field.nodeName === 'SELECT') return JSON.stringify(labelsOf(field));
  return String((field.isContentEditable ? field.innerText : field.value) ?? '').slice(0, MOST_CHARS);
}

const labelsOf = (select: Element) => Array.from(select.selectedOptions, (each: any) => each.label.trim() || each.value);

export function beginUse(field: Element): Use {
  const known = uses.get(field);
  if (known) return known;
  if (isPrivate(field)) holdSecret(field); // also where its type changes later, as with a button that shows a password
  const use = { act: nextAct(), target: toldOfTarget(field), was: isPrivate(field) ? '' : contentOf(field), hadSecret: isPrivate(field) && Boolean(field.value) };
  uses.set(field, use);
  return use;
}

/** Another field that holds the same secret, as where a password is typed twice; told by its act. */
function sameAs(field: Element) {
  const other = findAll(document, 'input').find((each) => each !== field && holding.has(each) && each.value === field.value);
  return (other && uses.get(other)?.act) || '';
}

function noteBefore(event: Event) {
  const field = fieldIn(pathOf(event));
  if (field && isWrittenIn(field)) beginUse(field);
}

function noteInput(event: Event) {
  const field = fieldIn(pathOf(event));
  if (!field || field.matches('select, [type=file], [type=checkbox], [type=radio]')) return;
  const { act, target, was, hadSecret } = beginUse(field);
  tellRecorder('input', { act, target, ...(isPrivate(field) ? { secret: true, is_empty: !field.value, had_value: hadSecret, same_as: field.value ? sameAs(field) : '' }
    : { was, value: contentOf(field), sets: SET_TYPES.includes(field.type), by_list: (event as any).inputType === 'insertReplacementText' }) });
}

function noteChange(event: Event) {
  const field = fieldIn(pathOf(event));
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

function noteFocus(event: Event) {
  const field = fieldIn(pathOf(event));
  if (field && field.nodeName === 'SELECT') beginUse(field);
  else if (field && field.matches('input') && isPrivate(field)) holdSecret(field);
}

export function watchWriting() {
  listen('beforeinput', noteBefore);
  listen('input', noteInput);
  listen('change', noteChange);
  listen('focusin', noteFocus);
}
