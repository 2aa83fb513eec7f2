/**
 * Which elements listen to presses themselves, whatever they look like. The engine asks by an event, which is prevented for those that do.
 */
import { apply, listen, replace } from './originals.js';

const listening = new WeakSet();
replace(EventTarget.prototype, 'addEventListener', (add, self, args) => {
  if (self instanceof Element && /^(click|dblclick|mousedown|pointerdown)$/.test(args[0])) listening.add(self);
  return apply(add, self, args);
});
// Some libraries handle presses further up, and set a handler that does nothing on what is pressed.
const handler = /** @type {any} */ (Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'onclick'));
Object.defineProperty(HTMLElement.prototype, 'onclick', { ...handler, set: new Proxy(handler.set, { apply(set, self, args) {
  if (args[0]) listening.add(self);
  return apply(set, self, args);
} }) });
apply(listen, window, [SETTINGS.ask_presses_event, (event) => {
  event.stopImmediatePropagation();
  if (listening.has(event.composedPath()[0])) event.preventDefault();
}, true]);
