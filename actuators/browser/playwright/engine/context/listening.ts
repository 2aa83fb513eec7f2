/** Which elements listen to presses themselves, whatever they look like, to keys in them, and to their being left. */
import { apply, hearAsking, hearSetting, replace } from './originals.ts';
import { hearOf } from './tracking.ts';

const listening = new WeakSet(), keyed = new WeakSet(), written = new WeakSet(), left = new WeakSet();
replace(EventTarget.prototype, 'addEventListener', (add, self, args) => {
  if (self instanceof Element && /^(click|dblclick|mousedown|pointerdown)$/.test(args[0])) listening.add(self);
  if (/^key(down|press|up)$/.test(args[0])) keyed.add(self || window);
  if (/^(input|beforeinput|keyup)$/.test(args[0])) written.add(self || window);
  hearOf(args[0]);
  if (/^(change|blur|focusout)$/.test(args[0])) left.add(self || window);
  return apply(add, self, args);
});
// Some libraries handle presses further up, and set a handler that does nothing on what is pressed.
hearSetting(HTMLElement.prototype, 'onclick', (self) => listening.add(self));
const hearsPresses = (target: any) => listening.has(target) || Boolean(target.onmousedown || target.onpointerdown);
hearAsking(SETTINGS.ask_presses_event, (event) => hearsPresses(event.composedPath()[0]));
const hearsKeys = (target: any) => keyed.has(target) || target.onkeydown || target.onkeypress || target.onkeyup;
hearAsking(SETTINGS.ask_keys_event, (event) => event.composedPath().some(hearsKeys));
// A page that hears nothing of what is written in a field until that is left: of the field and its form; what is further out hears for others, too.
const hearsText = (target: any) => written.has(target) || target.oninput || target.onkeyup;
const hearsLeaving = (target: any) => left.has(target) || target.onchange || target.onblur;
hearAsking(SETTINGS.ask_left_event, (event) => {
  const path = event.composedPath(), form = path.findIndex((each: any) => each instanceof HTMLFormElement);
  const near = path.slice(0, form < 0 ? 1 : form + 1);
  // With a detail it is asked whether keys pressed there mean something of their own, as Enter does in an editor in place.
  return event.detail ? near.some(hearsKeys) : near.some(hearsLeaving) && !near.some(hearsText);
});
