/**
 * Remembers which elements a page's scripts have made listen to presses; only the page's own world knows. When they are asked for, each that
 * is still on the page tells of itself by an event. A page that plays with this deceives only those who look at it.
 */
import { apply, dispatch, listen, replace, Signal } from './originals.js';

/** @type {Record<string, any>} */
const PRESSES = { __proto__: null, click: 1, dblclick: 1, mousedown: 1, pointerdown: 1, touchstart: 1 };
const HANDLERS = ['onclick', 'ondblclick', 'onmousedown', 'onpointerdown', 'ontouchstart'];
const MOST_REMEMBERED = 20_000;
const { get: recall, set: remember } = WeakMap.prototype;
const { deref } = WeakRef.prototype;
const Weak = WeakRef;
const isOn = /** @type {any} */ (Object.getOwnPropertyDescriptor(Node.prototype, 'isConnected')).get;
/** @type {WeakMap<any, { count: number }>} */
const listening = new WeakMap();
/** @type {any[]} */
const remembered = [];

/**
 * @param {any} element
 * @param {number} more
 */
function note(element, more) {
  if (!(element instanceof Element)) return;
  const facts = apply(recall, listening, [element]);
  if (facts) facts.count += more;
  else if (more > 0 && remembered.length < MOST_REMEMBERED) {
    apply(remember, listening, [element, { count: more }]);
    remembered[remembered.length] = new Weak(element);
  }
}

/** @type {[string, number][]} */
const METHODS = [['addEventListener', 1], ['removeEventListener', -1]];
for (const [name, more] of METHODS) {
  replace(EventTarget.prototype, name, (original, self, args) => {
    if (PRESSES[args[0]] && args[1]) note(self, more);
    return apply(original, self, args);
  });
}
for (const { prototype } of [HTMLElement, SVGElement]) {
  for (const name of HANDLERS) {
    const own = /** @type {any} */ (Object.getOwnPropertyDescriptor(prototype, name));
    if (!own?.set) continue;
    Object.defineProperty(prototype, name, { ...own, set: new Proxy(own.set, { apply(method, self, args) {
      note(self, typeof args[0] === 'function' ? 1 : -1);
      return apply(method, self, args);
    } }) });
  }
}
apply(listen, window, [SETTINGS.ask_presses_event, (/** @type {any} */ event) => {
  event.stopImmediatePropagation();
  for (let at = 0; at < remembered.length; at += 1) {
    const element = apply(deref, remembered[at], []);
    if (element && apply(isOn, element, []) && apply(recall, listening, [element]).count > 0) {
      apply(dispatch, element, [new Signal(SETTINGS.tell_presses_event, { composed: true })]);
    }
  }
}, true]);
