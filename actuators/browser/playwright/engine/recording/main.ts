/** What runs in every document while somebody records, in a world that no page reaches: it notices what a person does, and tells of it. */
import { watchPointer } from './pointing.ts';
import { readNew } from './changing.ts';
import { isPrivate, watchWriting } from './writing.ts';
import { readFrame } from '../selectors/frames.ts';
import { fieldIn, hasActed, isWrittenIn, labelPressed, nextWish, pathOf, pressedIn, tellRecorder, toldOfTarget } from './telling.ts';
import { readState } from '../acting/reading.ts';

const ARRIVED_MS = [0, 200, 1000, 2500];

let arrivals = '';

function tellArrival() {
  if (hasActed()) return; // what is there now may be its doing
  const facts = { url: location.href, title: document.title, is_top: window === top, ...readNew(new Set(), new Set()) };
  const text = JSON.stringify(facts);
  if (text !== arrivals) tellRecorder('arrived', facts);
  arrivals = text;
}

(globalThis as any).surehandNameFrame = readFrame;

export function beginRecording() {
  for (const watch of [watchWishes, watchPointer, watchWriting]) watch();
  tellRecorder('begun', { is_top: window === top });
  const arrive = () => ARRIVED_MS.forEach((wait_ms) => setTimeout(tellArrival, wait_ms));
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', arrive, { once: true });
  else arrive();
}

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
