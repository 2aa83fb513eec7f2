/**
 * Stops presses that would reach another element than the one aimed at, and passes the others on to the engine's receipt.
 *
 * Its listeners come before any of the page's, so that no page can keep an event from it. Playwright's own interceptor comes after those
 * that a page has put on the window. The guard also sees who stops an event: one that an ancestor stops on its way down has never reached
 * the handlers of its element.
 */
import { isMine, PRESSES } from '../acting/presses.ts';
import { apply, dispatch, hearAsking, hearSetting, listen, replace, Signal } from './originals.ts';

replace(window, 'open', (open, self, args) => {
  const opened = apply(open, self, args);
  if (opened || /noopener|noreferrer/.test(args[2])) apply(dispatch, window, [new Event(SETTINGS.open_event)]);
  return opened;
});

let aim: any = null;
let press: any = null;
hearAsking(SETTINGS.aim_event, (event) => {
  const element = event.composedPath()[0];
  press = null;
  aim = element === window ? null : { element, count: event.detail, ends_ms: event.timeStamp + event.screenX, passes: true };
  return true; // there is a guard
});
const passOn = (name: string, node: any, { type, clientX, clientY }: any) => apply(dispatch, node, [new Signal(name,
  { composed: true, cancelable: true, detail: PRESSES.indexOf(type), clientX, clientY })]);
const guard = (event: any) => {
  if (!aim || !event.isTrusted) return;
  if (event.timeStamp > aim.ends_ms) { aim = null; return; }
  const path = event.composedPath();
  if (event.type === 'pointerdown') aim.passes = isMine(path, aim.element);
  if (!aim.passes || (aim.passes = passOn(SETTINGS.press_event, path[0], event)) === false) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  press = { event, path, inner: path.findLastIndex((node: any) => isMine([node], aim.element)) };
  if (['click', 'auxclick'].includes(event.type) && event.detail >= aim.count) aim = null;
};
for (const type of PRESSES) apply(listen, window, [type, guard, { capture: true, passive: false }]);
// On its way down, outside of the element that it was meant for.
const noteStop = (event: any) => {
  if (!press || event !== press.event || event.eventPhase !== Event.CAPTURING_PHASE) return;
  if (press.path.indexOf(event.currentTarget) > press.inner) passOn(SETTINGS.stop_event, event.currentTarget, event);
};
for (const name of ['stopPropagation', 'stopImmediatePropagation']) {
  replace(Event.prototype, name, (stop, self, args) => { noteStop(self); return apply(stop, self, args); });
}
hearSetting(Event.prototype, 'cancelBubble', noteStop);
