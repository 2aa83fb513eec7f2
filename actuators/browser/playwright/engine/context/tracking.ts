/**
 * What an act has begun on a page and is still under way.
 *
 * While the handlers of an input event run, and the microtasks behind them, there is a cause: timers, frames and requests that are begun
 * under it count as pending, and carry the cause on to what runs when they are over. What was there before counts for nothing: a timer
 * that ticks all the time, a loop, an old request.
 *
 * A page that plays with any of this can only make an act look unsettled. It can't hold anybody up: whoever asks gives up after
 * `settling_ms`.
 */
import { apply, dispatch, listen, replace, Signal } from './originals.ts';
import { awaitRequest, endRequest, endTimer, planTimer, tellFollowing, tellWaiting } from './waiting.ts';

const { postMessage: post } = MessagePort.prototype;
const { then } = Promise.prototype;
const Channel = MessageChannel;
const now = performance.now.bind(performance);
const MOST_HOPS = 40, MOST_STEPS = 10;
// Of the latest act: its number, what it began and is not over, the tasks that still belong to it.
let act = 0, pending = 0, requests = 0, last_ms = 0, tasks = 0, hops = 0;
// The callback that runs now, the delay it was given, and how many led to it.
let running: any = null;
let lastDelay: any;
let steps = 0;
let door: any = null;
let isForeign = false; // whether the task that runs now was begun before the act, or by nothing of it
const wait = () => {
  if (!door) {
    door = new Channel();
    door.port1.onmessage = () => { tasks -= 1; isForeign = false; };
  }
  tasks += 1;
  apply(post, door.port2, [null]);
};
// What runs until a message of our own has come belongs to the act: this task, its microtasks, and messages sent before.
const carry = () => { isForeign = false; wait(); };
// But for tasks that come in between: what a page does all the time goes on during an act.
const exclude = () => {
  if (!tasks) return;
  wait();
  isForeign = true;
};
const isOurs = () => tasks > 0 && !isForeign;
const begin = () => { pending += 1; return { act, steps: steps + 1, isOver: false }; };
const counts = (item: any) => Boolean(item) && !item.isOver && item.act === act;
const end = (item: any) => {
  if (counts(item)) pending -= 1;
  if (item) item.isOver = true;
};
// A loop is no more than its first round. What asks for another time than its last is none, but waits for the rest of a debounce.
const repeats = (callback: any, delay: any) => callback === running && delay === lastDelay;
const defer = (name: string, cancel: any, items: any, isSoon: any) => {
  replace(window, name, (original, self, args) => {
    const callback = args[0], delay = args[1];
    if (typeof callback !== 'function') return apply(original, self, args);
    if (!isOurs() || repeats(callback, delay) || steps >= MOST_STEPS || !isSoon(delay)) {
      const own = isOurs() && callback !== running && steps < MOST_STEPS ? act : 0;
      args[0] = function (...given: any[]) {
        if (name === 'setTimeout') endTimer(late, true);
        if (own && own === act) carry(); else exclude();
        return apply(callback, this, given);
      };
      const late = apply(original, self, args);
      if (name === 'setTimeout') planTimer(late, callback, delay, own);
      if (name === 'setInterval') ticks.add(late);
      return late;
    }
    const item = begin();
    args[0] = function (...given: any[]) {
      delete items[id];
      if (!counts(item)) { exclude(); return apply(callback, this, given); }
      const outer = [running, lastDelay, steps];
      [running, lastDelay, steps] = [callback, delay, item.steps];
      carry();
      try { return apply(callback, this, given); } finally { [running, lastDelay, steps] = outer; end(item); }
    };
    const id = apply(original, self, args);
    items[id] = item;
    return id;
  });
  replace(window, cancel, (original, self, args) => {
    end(items[args[0]]);
    endTimer(args[0]);
    ticks.delete(args[0]);
    return apply(original, self, args);
  });
};
const ticks: Set<any> = new Set(); // what goes off again and again until it is cleared
const isSoon = (delay: any) => now() - last_ms + (Number(delay) || 0) <= SETTINGS.settling_ms;
const timers = Object.create(null); // of both kinds, since either function clears what the other has set
defer('setTimeout', 'clearTimeout', timers, isSoon);
defer('setInterval', 'clearInterval', timers, isSoon);
defer('requestAnimationFrame', 'cancelAnimationFrame', Object.create(null), () => true);
defer('requestIdleCallback', 'cancelIdleCallback', Object.create(null), () => true);

const settle = (item: any) => { if (counts(item)) carry(); else exclude(); end(item); };
const awaitAnswer = (owner: any, name: string, isAwaited: (args: any[]) => boolean = () => true) => replace(owner, name, (original, self, args) => {
  const answer = apply(original, self, args);
  const item = isOurs() && isAwaited(args) ? begin() : null;
  const request = awaitRequest(name === 'fetch' && args[0]);
  const come = () => { endRequest(request); settle(item); };
  // The page gets what comes behind ours, so that a failure that it doesn't handle is still reported as such.
  return apply(then, answer, [(value) => { come(); return value; }, (error) => { come(); throw error; }]);
});
// What outlives the page is not meant to change it.
const outlives = ([request, options]: any) => Boolean((options && options.keepalive) || (request && request.keepalive));
awaitAnswer(window, 'fetch', (args: any) => { const isAwaited = !outlives(args); if (isAwaited) requests += 1; return isAwaited; });
for (const name of ['json', 'text', 'arrayBuffer', 'blob', 'bytes', 'formData']) awaitAnswer(Response.prototype, name);
awaitAnswer(ReadableStreamDefaultReader.prototype, 'read');
const addresses: WeakMap<any, any> = new WeakMap();
replace(XMLHttpRequest.prototype, 'open', (original, self, args) => {
  addresses.set(self, args[1]);
  // Before the page's own listeners, which are mostly added behind this.
  const resume = isOurs() ? carry : exclude;
  apply(listen, self, ['readystatechange', () => { if (self.readyState === 4) resume(); }]);
  return apply(original, self, args);
});
replace(XMLHttpRequest.prototype, 'send', (original, self, args) => {
  const item = isOurs() ? begin() : null;
  if (item) requests += 1;
  const request = awaitRequest(addresses.get(self));
  apply(listen, self, ['loadend', () => { endRequest(request); if (item) settle(item); }, { once: true }]);
  return apply(original, self, args);
});
const hop = (original: any, self: any, args: any) => {
  const told = apply(original, self, args);
  if (isOurs() && (hops += 1) <= MOST_HOPS) carry();
  return told;
};
replace(MessagePort.prototype, 'postMessage', hop);
replace(window, 'postMessage', hop);
if (window.navigation) {
  let leaving: any = null;
  const stay = () => end(leaving);
  apply(listen, navigation, ['navigate', (event: any) => {
    if (!isOurs() || event.hashChange || event.downloadRequest !== null) return;
    end(leaving);
    leaving = begin();
  }]);
  apply(listen, navigation, ['navigatesuccess', stay]);
  apply(listen, navigation, ['navigateerror', stay]);
}

const answer = (event: any) => {
  event.stopImmediatePropagation();
  const age_ms = Math.min(now() - last_ms, 1e6);
  const waiting = tellWaiting();
  apply(dispatch, window, [new Signal(SETTINGS.pending_event, { detail: pending + (tasks ? 1 : 0), screenX: age_ms, screenY: requests,
    clientX: waiting.requests, clientY: Math.min(waiting.late_ms, 1e6), buttons: waiting.lines, button: Math.min(waiting.repeated + ticks.size, 1000),
    ctrlKey: waiting.isBuilding, movementX: Math.ceil(tellFollowing(act)), movementY: Math.min(Math.ceil(waiting.fetched_ms), 1e6) })]);
};
apply(listen, window, [SETTINGS.ask_event, answer, true]);
apply(listen, window, [SETTINGS.begin_event, (event) => {
  event.stopImmediatePropagation();
  act += 1;
  [pending, requests, hops, last_ms] = [0, 0, 0, now()];
}, true]);
// Some of what is done to fields are events that no hand has made.
const cause = (event: any) => {
  if (!act || !(event.isTrusted || event.type === 'input' || event.type === 'change')) return;
  last_ms = now();
  carry();
};
for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'contextmenu', 'dblclick', 'keydown', 'keyup',
  'beforeinput', 'input', 'change', 'paste', 'drop', 'dragend', 'focusin', 'focusout', 'submit',
    'selectionchange']) apply(listen, window, [type, cause, { capture: true, passive: true }]);
