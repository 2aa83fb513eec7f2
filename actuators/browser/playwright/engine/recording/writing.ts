/** What is typed, chosen and set in fields, and keys that do more than write. What is secret is never read: that there is something is told, and nothing of what. */
import { holding, holdSecret, isSecret } from '../names/secrecy.ts';
import { activeElement, findAll } from '../names/tree.ts';
import { choosesByKeys, fieldIn, isWrittenIn, listen, nextAct, pathOf, tellRecorder, type Told, toldOfTarget } from './telling.ts';
import { beginChange } from './changing.ts';

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

const ALONE = ['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'NumLock', 'Dead', 'Process', 'Unidentified', 'Compose'];
const EDITING = ['Backspace', 'Delete', 'Home', 'End', 'ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown'];
const VERTICAL = ['ArrowUp', 'ArrowDown'];
const SCROLLING = ['PageUp', 'PageDown', 'Home', 'End', ' ', ...VERTICAL, 'ArrowLeft', 'ArrowRight'];
const CLIPBOARD = 'acvxyz';
const PRESSING = 'button, a[href], summary, input[type=button], input[type=submit], input[type=reset], input[type=checkbox], input[type=radio], input[type=image], input[type=file]';

/** When Enter was pressed in a field last: its form may press a button because of that. */
let sent_ms = -1000;

export const isSentByEnter = () => performance.now() - sent_ms < 100;

function isPlain(event: KeyboardEvent, element: Element | null) {
  const combined = event.ctrlKey || event.metaKey || event.altKey;
  if (event.key === 'Tab' || ALONE.includes(event.key) || event.isComposing) return true;
  if (!element) return !combined && SCROLLING.includes(event.key);
  if (isWrittenIn(element)) {
    if (combined) return CLIPBOARD.includes(event.key.toLowerCase()) || EDITING.includes(event.key) || (event.altKey && event.ctrlKey);
    if (event.key.length === 1 || EDITING.includes(event.key)) return true;
    if (event.key === 'Enter') return element.nodeName === 'TEXTAREA' || (Boolean(element.isContentEditable) && !choosesByKeys(element));
    return VERTICAL.includes(event.key) && !choosesByKeys(element);
  }
  if (element.matches(PRESSING)) return !combined && ['Enter', ' ', ...(element.matches('[type=radio]') ? SCROLLING : [])].includes(event.key);
  return element.matches('select, input') && !combined;
}

function nameKey(event: KeyboardEvent) {
  const key = event.key === ' ' ? 'Space' : event.key;
  const shifted = event.shiftKey && (key.length > 1 || event.ctrlKey || event.metaKey || event.altKey);
  const letter = key.length === 1 && (event.ctrlKey || event.metaKey) ? key.toLowerCase() : key;
  return [event.ctrlKey && 'Control', event.metaKey && 'Meta', event.altKey && 'Alt', shifted && 'Shift', letter].filter(Boolean).join('+');
}

function noteKey(event: KeyboardEvent) {
  const active = pathOf(event)[0] || activeElement();
  const element = active && active !== document.body && active !== document.documentElement ? active : null;
  if (element && isWrittenIn(element) && event.key.length === 1 && !event.ctrlKey && !event.metaKey) beginUse(element);
  if (event.key === 'Enter' && element?.matches('input')) sent_ms = performance.now();
  if (isPlain(event, element)) return;
  const act = nextAct();
  tellRecorder('key', { act, target: element && toldOfTarget(element), key: nameKey(event), repeated: event.repeat });
  beginChange(act);
}

export function watchWriting() {
  listen('beforeinput', noteBefore);
  listen('input', noteInput);
  listen('change', noteChange);
  listen('focusin', noteFocus);
  listen('keydown', noteKey);
}
