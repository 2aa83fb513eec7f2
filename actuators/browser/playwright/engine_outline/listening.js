/** What listens to presses itself, as the page's own world knows it (engine_context/listening.js). */
import { once } from '../engine_names/memory.js';
import { CONTROLS } from '../engine_names/roles.js';
import { isVisible } from '../engine_names/sight.js';
import { findAll, tagOf } from '../engine_names/tree.js';

/** @type {Set<Element>} */
let listening = new Set();
/** @type {Set<Element>} */
let around = new Set();

/** Asks which elements listen now. */
export function learnListening() {
  listening = new Set();
  around = new Set();
  const hear = (/** @type {Event} */ event) => {
    event.stopImmediatePropagation();
    listening.add(/** @type {Element} */ (event.composedPath()[0]));
  };
  addEventListener(SETTINGS.tell_presses_event, hear, true);
  dispatchEvent(new MouseEvent(SETTINGS.ask_presses_event));
  removeEventListener(SETTINGS.tell_presses_event, hear, true);
  for (const element of listening) {
    if (!isVisible(element)) continue; // what opens a menu isn't pressed for what is in it
    for (let each = outer(element); each && !around.has(each); each = outer(each)) around.add(each);
  }
}

/** @param {any} element */
const outer = (element) => element.parentElement || element.getRootNode().host || null;

/**
 * Whether an element listens for itself: what has others in it that are pressed may listen for them.
 * @param {Element} element
 */
export const listens = (element) => listening.has(element) && !around.has(element) && !holdsControls(element);

/**
 * Whether there is something to press in it: in its shadow root, in what it is given, or in what its slots show.
 * @param {Element} element
 * @returns {boolean}
 */
export const holdsControls = (element) => once(holdsControls, element, () => [element, element.shadowRoot].some((root) => root && (findAll(root, CONTROLS).length > 0
  || [.../** @type {any[]} */ (tagOf(element) === 'SLOT' ? [element] : []), ...findAll(root, 'slot')].some((slot) => slot.assignedElements().some(isOrHolds)))));

/** @param {Element} element */
const isOrHolds = (element) => element.matches(CONTROLS) || holdsControls(element);

/**
 * Whether not an element itself listens, but what is in it.
 * @param {Element} element
 */
export const holdsListening = (element) => around.has(element) && !listening.has(element);
