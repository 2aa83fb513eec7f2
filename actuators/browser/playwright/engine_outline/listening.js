/** What listens to presses itself, as the page's own world knows it (engine_context/listening.js). */
import { CONTROLS } from '../engine_names/roles.js';
import { isVisible } from '../engine_names/sight.js';

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
export const listens = (element) => listening.has(element) && !around.has(element) && !(element.shadowRoot || element).querySelector(CONTROLS);

/**
 * Whether not an element itself listens, but what is in it.
 * @param {Element} element
 */
export const holdsListening = (element) => around.has(element) && !listening.has(element);
