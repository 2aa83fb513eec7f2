/** What a person wants to be expected: what they click on with Ctrl and Alt held, of which the page hears nothing. */
import { readState } from '../acting/reading.ts';
import { nextWish, tellRecorder, toldOfTarget } from './telling.ts';
import { fieldIn, isWrittenIn, labelPressed, pathOf, pressedIn } from './targets.ts';
import { isPrivate } from './writing.ts';

const EVENTS = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'];
const LONGEST = 100;
const FLASH = [{ outline: '3px solid #1a9c4b', outlineOffset: '2px' }, { outline: '3px solid transparent', outlineOffset: '2px' }];

/** What is to hold of an element besides that it is there: its value, its tick, or its text where that isn't what it is called by. */
function wantedOf(element: Element, name: string) {
  const { tickable, checked, value, text, secret } = readState(element);
  if (tickable) return typeof checked === 'boolean' ? { state: checked ? 'checked' : 'unchecked' } : {};
  if (fieldIn([element])) return secret || isPrivate(element) || (!isWrittenIn(element) && element.nodeName !== 'SELECT') ? {} : { value };
  const marked = String(getSelection() || '').trim();
  const told = (marked && text.includes(marked) ? marked : text).trim();
  return told && told !== name && told.length <= LONGEST && !told.includes('\n') ? { text: told } : {};
}

function noteWish(event: Event) {
  const { altKey, ctrlKey, isTrusted } = event as MouseEvent;
  if (!isTrusted || !altKey || !ctrlKey) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const path = pathOf(event);
  const element = labelPressed(path)?.control || pressedIn(path) || path[0];
  if (event.type !== 'pointerdown' || !element || element.matches('html, body')) return;
  const target = toldOfTarget(element);
  tellRecorder('expect', { act: nextWish(), target, wanted: wantedOf(element, target.name || target.selector?.name || '') });
  element.animate(FLASH, 900);
}

export function watchWishes() {
  for (const type of EVENTS) window.addEventListener(type, noteWish, { capture: true });
}
