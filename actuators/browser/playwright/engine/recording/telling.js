/** What is told to whoever records: through a binding that is in this world alone, so that no page can see or use it. */
import { cssPathOf } from './places.js';
import { selectorOf } from '../selectors/selectors.js';
import { forgetTexts, nameOf } from '../names/naming.js';
import { roleOf } from '../names/roles.js';

/**
 * What is told of an element: the selector that a look would print for it now, and where nothing names it its place in the document.
 * @typedef {{ selector: Plain | null, css: string, role: string, name: string }} Told
 */

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

/**
 * @param {string} type
 * @param {Record<string, unknown>} [facts]
 */
export function tellRecorder(type, facts = {}) {
  /** @type {any} */ (globalThis).surehandTell(JSON.stringify({ type, document: DOCUMENT, ...facts }));
}

/**
 * @param {Element} element
 * @returns {Told}
 */
export function toldOfTarget(element) {
  forgetTexts();
  const selector = selectorOf(element);
  return { selector, css: selector ? '' : cssPathOf(element), role: roleOf(element), name: nameOf(element).slice(0, LONGEST_NAME) };
}
