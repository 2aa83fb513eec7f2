/** What is told to whoever records: through a binding that is in this world alone, so that no page can see or use it. */
import { cssPathOf } from './places.ts';
import { selectorOf } from '../selectors/selectors.ts';
import { forgetTexts, nameOf } from '../names/naming.ts';
import { roleOf } from '../names/roles.ts';

/** What is told of an element: the selector that a look would print for it now, and where nothing names it its place in the document. */
export type Told = { selector: Plain | null, css: string, role: string, name: string };

const LONGEST_NAME = 80;
const DOCUMENT = Math.random().toString(36).slice(2, 10);
let acts = 0, wishes = 0;

/** A name for an act, so that more can be told of it later; no two documents give the same. */
export function nextAct() {
  acts += 1;
  return `${DOCUMENT}.${acts}`;
}

/** A name for what is to be expected, which is no act. */
export function nextWish() {
  wishes += 1;
  return `${DOCUMENT}.expect.${wishes}`;
}

/** Whether somebody has done anything in this document. */
export const hasActed = () => acts > 0;

export function tellRecorder(type: string, facts: Record<string, unknown> = {}) {
  (globalThis as any).surehandTell(JSON.stringify({ type, document: DOCUMENT, ...facts }));
}

export function toldOfTarget(element: Element): Told {
  forgetTexts();
  const selector = selectorOf(element);
  return { selector, css: selector ? '' : cssPathOf(element), role: roleOf(element), name: nameOf(element).slice(0, LONGEST_NAME) };
}
