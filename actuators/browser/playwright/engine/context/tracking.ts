/**
 * What an act has begun on a page and is still under way, and what it asked for and was refused.
 *
 * What is begun after an act counts as the act's, however it came about, unless it runs in a callback that was registered before the act:
 * an older timer, frame, request, message. So what comes through a way that nobody listed is still followed by what it begins, and what
 * was there before counts for nothing: a clock, a poller, an old request. That a callback is an older one holds for it and for its
 * microtasks, and for no task that follows it. It may still put back what it finds: where it was planned before the act and comes soon,
 * one round of it has to pass.
 *
 * A page that plays with any of this can only make an act look unsettled. It can't hold anybody up: whoever asks gives up after
 * `settling_ms`.
 */
import { apply, dispatch, hearAsking, listen, replace, Telling } from './originals.ts';
import { awaitLine, drop, keep, tellFollowing, tellOlder, tellWaiting, type Plan } from './waiting.ts';
import { FIGURES } from '../pending.ts';

const { postMessage: post } = MessagePort.prototype;
const { then } = Promise.prototype;
const Channel = MessageChannel;
const soon = queueMicrotask.bind(window);
const now = performance.now.bind(performance), nextFrame = requestAnimationFrame.bind(window);
const evaluate = window.eval; // what a timer is given as text belongs to everybody, as this does
const MOST_MICROTASKS = 24;
const WITHIN_MS = 150; // what was done to the page so short a time before an act, such as giving it the focus, belongs to the act
// Of the latest act: its number, what it began and is not over by its kind.
let act = 0, requests = 0, last_ms = -1e6;
let isAsked = true; // whether anybody has asked what is pending since something was done to the page
const pending: Map<string, number> = new Map();
let mark = 0; // of the callback that runs now, if it was registered before the act; 0 elsewhere
let marks = 0;
const isOpen = () => now() - last_ms <= SETTINGS.following_ms;
export const isOurs = () => !mark && isOpen();
export const own = () => { mark = 0; };
// Ends behind the microtasks of the callback, which come before any other task.
const exclude = () => {
  if (!isOpen()) return;
  const given = mark = marks += 1;
  let left = MOST_MICROTASKS;
  const end = () => { if (mark !== given) return; if (left -= 1) soon(end); else mark = 0; };
  soon(end);
};
// The listeners of an event have microtasks each: ends behind the last of them.
export const excludeEvent = () => {
  if (!isOpen()) return;
  const given = mark = marks += 1;
  const told = new Channel();
  told.port1.onmessage = () => { if (mark === given) mark = 0; told.port1.close(); };
  apply(post, told.port2, [null]);
};
export const begin = (kind: string) => { pending.set(kind, (pending.get(kind) || 0) + 1); return { act, kind, isOver: false }; };
export const counts = (item: any) => Boolean(item) && !item.isOver && item.act === act;
export const end = (item: any) => {
  if (counts(item)) pending.set(item.kind, (pending.get(item.kind) as number) - 1);
  if (item) item.isOver = true;
};
const isSoon = (delay_ms: number) => now() - last_ms + delay_ms <= SETTINGS.settling_ms;
const defer = (name: string, cancel: any, kind: string, plans: Map<any, Plan>) => {
  const repeats = name === 'setInterval', isTimed = name.startsWith('set');
  replace(window, name, (original, self, args) => {
    const delay_ms = (isTimed && Number(args[1])) || 0;
    const callback = isTimed && typeof args[0] !== 'function' ? evaluate.bind(null, String(args[0])) : args[0];
    if (typeof callback !== 'function') return apply(original, self, args);
    const cause = isOurs() ? act : 0;
    const item = cause && (!isTimed || isSoon(delay_ms)) ? begin(kind) : null;
    const plan: Plan = { kind, callback, act: cause, isCounted: item !== null, delay_ms, since_ms: now() };
    args[0] = function (...given: any[]) {
      if (!repeats) drop(plans, id, true);
      if (cause && cause === act) own(); else exclude();
      try { return apply(callback, this, given); } finally { if (repeats) plan.since_ms = now(); else end(item); }
    };
    const id = apply(original, self, args);
    items.set(plan, item);
    keep(plans, id, plan);
    return id;
  });
  replace(window, cancel, (original, self, args) => {
    end(items.get(plans.get(args[0]) as Plan));
    drop(plans, args[0]);
    return apply(original, self, args);
  });
};
const items: WeakMap<Plan, any> = new WeakMap();
const timers: Map<any, Plan> = new Map(); // of both kinds, since either function clears what the other has set
defer('setTimeout', 'clearTimeout', 'timer', timers);
defer('setInterval', 'clearInterval', 'interval', timers);
defer('requestAnimationFrame', 'cancelAnimationFrame', 'animation frame', new Map());
defer('requestIdleCallback', 'cancelIdleCallback', 'idle callback', new Map());
const { setTimeout: plan } = window;
replace(AbortSignal, 'timeout', (original, self, args) => { plan(() => {}, Number(args[0]) + 1); return apply(original, self, args); });

// What the act asked for and was refused; and what the page said where it speaks to people, before it knew of that.
const LIVE = '[role=alert], [role=status], [aria-live]:not([aria-live=off]), output';
const MOST_FAILED = 5, MOST_SAID = 200;
const readLive = () => Array.from(document.querySelectorAll(LIVE), (each) => (each.textContent || '').trim());
const failed: string[] = [];
let saidBefore: string[] = [];
export const countRequest = () => { requests += 1; };
export const noteFailure = (item: any, address: any, status: number) => {
  if (!counts(item) || failed.length >= MOST_FAILED) return;
  if (!failed.length) saidBefore = readLive();
  failed.push((`${status} ${address}` as any).toWellFormed());
};
const tellSaid = () => (failed.length ? (readLive().filter((text) => text && !saidBefore.includes(text)).join(' ').slice(0, MOST_SAID) as any).toWellFormed() : '');

// What comes to an end counts where the page hears of that.
const heard: Set<string> = new Set(), preparing: (() => void)[] = [];
export const whenFirst = (prepare: () => void) => { if (act) prepare(); else preparing.push(prepare); };
export const hearOf = (type: string) => { heard.add(type); };
export const hears = (place: any, ...types: string[]) => types.some((type) => heard.has(type) || place['on' + type]);

export const settle = (item: any) => { if (counts(item)) own(); else exclude(); end(item); };
export const prototypeOf = (name: string) => (window as any)[name] && (window as any)[name].prototype;
// What is seen of a thing, and how large it is, is told at the next frame, and then behind it.
const MOST_WATCHED = 20;
for (const name of ['IntersectionObserver', 'ResizeObserver']) {
  replace(prototypeOf(name), 'observe', (original, self, args) => {
    const item = isOurs() && (pending.get('observer') || 0) < MOST_WATCHED ? begin('observer') : null;
    if (item) nextFrame(() => nextFrame(() => end(item)));
    return apply(original, self, args);
  });
}
if (window.navigation) {
  let leaving: any = null; // the way to another document, until that is there or it came to nothing
  const stay = () => end(leaving);
  apply(listen, navigation, ['navigate', (event: any) => {
    if (!isOurs() || event.hashChange || event.downloadRequest !== null) return;
    stay();
    leaving = begin('navigation');
  }]);
  for (const type of ['navigatesuccess', 'navigateerror']) apply(listen, navigation, [type, stay]);
}
// What was said within the document is on its way until it has come. What may speak at any time can't be followed: it is known only that
// the act spoke to it, and whether it has said anything since.
const spoken: Map<any, { kind: string, act: number, left: number, hasAnswered: boolean }> = new Map();
const twins: WeakMap<any, any> = new WeakMap(); // where what is said at a place arrives
const known = (place: any) => { const said = spoken.get(place); return said && said.act === act ? said : null; };
const speak = (line: any, kind: string) => {
  if (isOurs()) spoken.set(line, { kind, act, left: (known(line)?.left || 0) + 1, hasAnswered: false });
};
const hear = (place: any) => {
  const mine = twins.has(place) && known(place), said = mine || known(twins.get(place) || place);
  if (!said) { excludeEvent(); return; }
  own();
  if (!mine) said.hasAnswered = true;
  else if (!(said.left -= 1)) spoken.delete(place);
};
const meet = (port: any, twin: any) => { twins.set(port, twin); apply(listen, port, ['message', () => hear(port)]); };
window.MessageChannel = new Proxy(Channel, { construct(original, args, made) {
  const told = Reflect.construct(original, args, made);
  meet(told.port1, told.port2);
  meet(told.port2, told.port1);
  return told;
} });
replace(MessagePort.prototype, 'postMessage', (original, self, args) => {
  if (!twins.has(self)) meet(self, {}); // it was handed over by somebody
  speak(twins.get(self), 'message');
  return apply(original, self, args);
});
twins.set(window, window);
apply(listen, window, ['message', (event: any) => { if (event.source === window) hear(window); }]);
replace(window, 'postMessage', (original, self, args) => {
  if (['*', '/', undefined, location.origin].includes(args[1]?.targetOrigin || args[1])) speak(window, 'message');
  return apply(original, self, args);
});
for (const [name, kind, way] of [['Worker', 'worker', 'postMessage'], ['SharedWorker', 'worker', ''], ['BroadcastChannel', 'channel', 'postMessage'],
  ['WebSocket', 'socket', 'send'], ['EventSource', 'event stream', ''], ['ServiceWorker', 'worker', 'postMessage'], ['RTCDataChannel', 'channel', 'send']]) {
  const Line = (window as any)[name];
  if (!Line) continue;
  if (way) replace(Line.prototype, way, (original, self, args) => { speak(self, kind); return apply(original, self, args); });
  (window as any)[name] = new Proxy(Line, { construct(original, args, made) {
    const line = Reflect.construct(original, args, made);
    if (kind !== 'channel') speak(line, kind);
    if (['socket', 'event stream'].includes(kind)) awaitLine(line);
    if (line.port) meet(line.port, line);
    apply(listen, line, ['message', () => hear(line)]);
    return line;
  } });
}
// What moves since the act and comes to an end, at which something may be done.
const met: WeakSet<Animation> = new WeakSet(), made: Set<any> = new Set(), playing: Set<any> = new Set();
const { getAnimations } = Document.prototype;
const MOVING = [['transitionend', 'webkitTransitionEnd', 'webkittransitionend'], ['animationend', 'webkitAnimationEnd', 'webkitanimationend']];
const hearsEnd = (moved: any) => {
  const types = MOVING[Number(!(moved instanceof CSSTransition))];
  for (let place = moved.effect.target; place; place = place.parentNode || place.host || (place === document ? window : null)) if (hears(place, ...types)) return true;
  return false;
};
whenFirst(() => {
  const note = (original: any, self: any, args: any[]) => { const told = apply(original, self, args); if (isOurs()) made.add(told || self); return told; };
  replace(Element.prototype, 'animate', note);
  replace(Animation.prototype, 'play', note);
  // By them one comes to the promises of ends.
  for (const owner of [Element, Document, ShadowRoot]) replace(owner.prototype, 'getAnimations', (original, self, args) => { MOVING.flat().forEach(hearOf); return apply(original, self, args); });
  replace(Document.prototype, 'startViewTransition', (original, self, args) => {
    const told = apply(original, self, args), item = isOurs() ? begin('transition') : null, come = () => settle(item);
    apply(then, told.finished, [come, come]);
    return told;
  });
  replace(HTMLMediaElement.prototype, 'play', (original, self, args) => {
    if (isOurs() && hears(self, 'ended', 'timeupdate', 'pause')) playing.add(self);
    apply(listen, self, ['ended', () => playing.delete(self), { once: true }]);
    return apply(original, self, args);
  });
});
const noteMoving = () => {
  const animations = isOpen() ? new Set([...apply(getAnimations, document, []), ...made]) : [];
  for (const each of animations) {
    const begun_ms = each.startTime === null ? now() : Number(each.startTime), timing = each.effect && each.effect.getComputedTiming();
    if (met.has(each) || !timing || each.playState !== 'running' || begun_ms < last_ms - WITHIN_MS || (each.constructor !== Animation && !hearsEnd(each))) continue;
    if (begun_ms + timing.endTime - last_ms > SETTINGS.following_ms) continue;
    met.add(each);
    const item = begin('animation');
    // Until that was told, since a moment passes between an end and its event.
    const come = () => { if (counts(item)) own(); else excludeEvent(); end(item); };
    for (const type of ['finish', 'cancel', 'remove']) apply(listen, each, [type, come, { once: true }]);
  }
};
const frames = (): any => document.getElementsByTagName('iframe'), there: WeakSet<any> = new WeakSet();
const LOADED = /^(?!about:|javascript:)./, isJust = () => now() - last_ms <= WITHIN_MS;
const list = () => {
  noteMoving();
  const names: string[] = [];
  let count = 0, lasting = 0;
  // What goes off again and again may never end, and is then no answer to the act.
  for (const [kind, number] of pending) if (number > 0 && (kind !== 'interval' || isOpen())) { count += number; names.push(kind); }
  const last = (kind: string, isCounted: boolean) => { names.push(kind); lasting += 1; if (isCounted) count += 1; };
  for (const line of spoken.keys()) if (!known(line)) spoken.delete(line);
  for (const { kind, hasAnswered } of spoken.values()) last(kind, !hasAnswered);
  for (const each of playing) {
    const left_ms = (each.duration - each.currentTime) * 1000 / each.playbackRate;
    // A moment passes between an end and its event.
    if (each.error || (each.paused && !each.ended)) playing.delete(each); else last('media', !(now() - last_ms + left_ms > SETTINGS.following_ms));
  }
  for (const each of frames()) {
    if (there.has(each)) continue;
    // One of another origin may say something, where anybody listens. Until the browser tells of a load, the frame does.
    if (!each.contentDocument) { if (hears(window, 'message')) last('frame', false); } else if (isJust() && each.contentDocument.URL === 'about:blank' && LOADED.test(each.srcdoc || each.src)) {
      names.push('frame');
      count += 1;
    }
  }
  return { count, lasting, names };
};
// What is done on a document is done on those of its origin that it can reach: of frames, and of pages that one of them opened.
const kin: Set<any> = new Set();
const near = (met: Set<any>) => {
  met.add(us);
  for (const each of kin) if (!each.isThere()) kin.delete(each);
  return Array.from(kin).filter((each) => !met.has(each));
};
// The first document of a frame may give way to another one, and leave it its world.
const us: any = { isThere: () => Boolean(document.defaultView) };
us.touch = (isNew: boolean, met: Set<any>) => {
  if (isNew) beginAct();
  last_ms = now();
  for (const each of near(met)) each.touch(isNew, met);
};
us.tell = (met: Set<any>) => {
  isAsked = true;
  const { count, lasting, names } = list();
  const older = tellOlder(act, last_ms, last_ms + SETTINGS.settling_ms), later = tellOlder(act, last_ms, last_ms + SETTINGS.following_ms);
  const told: any = { pending: count, requests, following_ms: Math.ceil(tellFollowing(act)), older_ms: Math.ceil(older.older_ms), older_late_ms: Math.ceil(later.older_ms), lasting };
  if (older.older) names.push(older.older);
  for (const each of near(met)) {
    const theirs = each.tell(met);
    for (const name of Object.keys(told)) told[name] = Math.max(told[name], theirs.told[name]);
    names.push(...theirs.names);
  }
  return { told, names };
};
us.meet = (other: any, isBegun: boolean) => { kin.add(other); if (isBegun) us.touch(true, new Set([other])); };
hearAsking(SETTINGS.kin_event, ({ detail: other }) => { other.meet(us, isOurs()); kin.add(other); });
hearAsking(SETTINGS.ask_event, () => {
  const { told: acts, names } = us.tell(new Set());
  const told: Record<string, number> = { ...acts, age_ms: Math.min(now() - last_ms, 1e6), ...tellWaiting() };
  const texts = [names.join(), failed.map(encodeURIComponent).join(), tellSaid()];
  apply(dispatch, window, [new Telling(SETTINGS.pending_event, { data: [...FIGURES.map((name) => Number(told[name])), ...texts.map(encodeURIComponent)].join(';') })]);
});
const beginAct = () => {
  if (!act) for (const each of preparing) each();
  act += 1;
  [requests, failed.length] = [0, 0];
  for (const each of [pending, made, playing]) each.clear();
  for (const each of frames()) there.add(each);
  isAsked = false;
};
// What was done to the page just before, to get there, is part of it.
hearAsking(SETTINGS.begin_event, () => us.touch(isAsked || !isJust(), new Set()));
// Some of what is done to fields are events that no hand has made.
const cause = (event: any) => {
  if (!(event.isTrusted || event.type === 'input' || event.type === 'change')) return;
  us.touch(!act || (isAsked && event.isTrusted && !isOpen()), new Set());
  own();
};
for (const type of ['pointerover', 'pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'contextmenu', 'dblclick', 'keydown', 'keyup',
  'beforeinput', 'input', 'change', 'paste', 'drop', 'dragend', 'focus', 'focusin', 'blur', 'focusout', 'submit',
    'selectionchange']) apply(listen, window, [type, cause, { capture: true, passive: true }]);
for (const view of new Set([parent, opener])) {
  // One of another origin doesn't let itself be asked.
  try { if (view && view !== window) apply(dispatch, view, [new CustomEvent(SETTINGS.kin_event, { detail: us })]); } catch { /* it is no kin */ }
}
