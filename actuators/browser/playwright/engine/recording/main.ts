/** What runs in every document while somebody records, in a world that no page reaches: it notices what a person does, and tells of it. */
import { watchPointer } from './pointing.ts';
import { readNew } from './changing.ts';
import { watchWriting } from './writing.ts';
import { readFrame } from '../selectors/frames.ts';
import { hasActed, tellRecorder } from './telling.ts';
import { watchWishes } from './wishing.ts';

const ARRIVED_MS = [0, 200, 1000, 2500];

let arrivals = '';

/** Tells what there is to expect of a document that has just been opened. */
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
