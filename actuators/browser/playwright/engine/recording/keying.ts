/** Keys that do more than write: Enter and Escape, shortcuts, what moves in menus and lists. */
import { activeElement } from '../names/tree.ts';
import { listen, nextAct, tellRecorder, toldOfTarget } from './telling.ts';
import { beginChange } from './changing.ts';
import { choosesByKeys, isWrittenIn, pathOf } from './targets.ts';
import { beginUse } from './writing.ts';

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

export function watchKeys() { listen('keydown', noteKey); }
