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
import { addressOf, awaitLine, awaitRequest, drop, endRequest, keep, tellFollowing, tellOlder, tellWaiting, type Plan } from './waiting.ts';
import { FIGURES } from '../pending.ts';

const { postMessage: post } = MessagePort.prototype;
const { then } = Promise.prototype;
const Channel = MessageChannel;
const soon = queueMicrotask.bind(window);
const now = performance.now.bind(performance), nextFrame = requestAnimationFrame.bind(window);
const MOST_HOPS = 40, MOST_MICROTASKS = 24;
const WITHIN_MS = 150; // what was done to the page so short a time before an act, such as giving it the focus, belongs to the act
// Of the latest act: its number, what it began and is not over by its kind, the messages that are on their way.
let act = 0, requests = 0, last_ms = -1e6, tasks = 0, hops = 0;
let isAsked = true; // whether anybody has asked what is pending since something was done to the page
const pending: Map<string, number> = new Map();
let mark = 0; // of the callback that runs now, if it was registered before the act; 0 elsewhere
let marks = 0;
let door: any = null;
const wait = () => {
  if (!door) {
    door = new Channel();
    door.port1.onmessage = () => { tasks -= 1; };
  }
  tasks += 1;
  apply(post, door.port2, [null]);
};
const isOpen = () => now() - last_ms <= SETTINGS.following_ms;
const isOurs = () => !mark && isOpen();
const own = () => { mark = 0; };
// Ends behind the microtasks of the callback, which come before any other task.
const exclude = () => {
  if (!isOpen()) return;
  const given = mark = marks += 1;
  let left = MOST_MICROTASKS;
  const end = () => { if (mark !== given) return; if (left -= 1) soon(end); else mark = 0; };
  soon(end);
};
// The listeners of an event have microtasks each: ends behind the last of them.
const excludeEvent = () => {
  if (!isOpen()) return;
  const given = mark = marks += 1;
  const told = new Channel();
  told.port1.onmessage = () => { if (mark === given) mark = 0; told.port1.close(); };
  apply(post, told.port2, [null]);
};
const begin = (kind: string) => { pending.set(kind, (pending.get(kind) || 0) + 1); return { act, kind, isOver: false }; };
const counts = (item: any) => Boolean(item) && !item.isOver && item.act === act;
const end = (item: any) => {
  if (counts(item)) pending.set(item.kind, (pending.get(item.kind) as number) - 1);
  if (item) item.isOver = true;
};
const isSoon = (delay_ms: number) => now() - last_ms + delay_ms <= SETTINGS.settling_ms;
const defer = (name: string, cancel: any, kind: string, plans: Map<any, Plan>) => {
  const repeats = name === 'setInterval', isTimed = name.startsWith('set');
  replace(window, name, (original, self, args) => {
    const callback = args[0], delay_ms = (isTimed && Number(args[1])) || 0;
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

// What the act asked for and was refused; and what the page said where it speaks to people, before it knew of that.
const LIVE = '[role=alert], [role=status], [aria-live]:not([aria-live=off]), output';
const MOST_FAILED = 5, MOST_SAID = 200;
const readLive = () => Array.from(document.querySelectorAll(LIVE), (each) => (each.textContent || '').trim());
const failed: string[] = [];
let saidBefore: string[] = [];
const noteFailure = (item: any, address: any, status: number) => {
  if (!counts(item) || failed.length >= MOST_FAILED) return;
  if (!failed.length) saidBefore = readLive();
  failed.push((`${status} ${address}` as any).toWellFormed());
};
const tellSaid = () => (failed.length ? (readLive().filter((text) => text && !saidBefore.includes(text)).join(' ').slice(0, MOST_SAID) as any).toWellFormed() : '');

const settle = (item: any) => { if (counts(item)) own(); else exclude(); end(item); };
const awaitAnswer = (owner: any, name: string, kind: string, isAwaited: (args: any[]) => boolean = () => true) => replace(owner, name, (original, self, args) => {
  const answer = apply(original, self, args);
  if (!answer || typeof answer.then !== 'function') return answer;
  const item = isOurs() && isAwaited(args) ? begin(kind) : null;
  const request = name === 'fetch' ? awaitRequest(args[0]) : null;
  const come = (isFailed: boolean, address: any, status: number) => {
    if (request) endRequest(request);
    if (request && isFailed) noteFailure(item, address, status);
    settle(item);
  };
  // The page gets what comes behind ours, so that a failure that it doesn't handle is still reported as such.
  return apply(then, answer, [(value: any) => { come(value?.status >= 400, value?.url, value?.status); return value; },
    (error: any) => { come(error instanceof TypeError, addressOf(args[0]), 0); throw error; }]); // others are of who gave it up
});
// What outlives the page is not meant to change it.
const outlives = ([request, options]: any) => Boolean((options && options.keepalive) || (request && request.keepalive));
awaitAnswer(window, 'fetch', 'request', (args: any) => { const isAwaited = !outlives(args); if (isAwaited) requests += 1; return isAwaited; });
// Whatever else of the platform answers later: by a promise …
const awaitAll = (owner: any, kind: string) => {
  for (const name of owner ? Object.getOwnPropertyNames(owner) : []) {
    const told = Object.getOwnPropertyDescriptor(owner, name) as any;
    if (name !== 'constructor' && typeof told.value === 'function' && told.configurable) awaitAnswer(owner, name, kind);
  }
};
const prototypeOf = (name: string) => (window as any)[name] && (window as any)[name].prototype;
for (const name of ['json', 'text', 'arrayBuffer', 'blob', 'bytes', 'formData']) awaitAnswer(Response.prototype, name, 'request');
awaitAnswer(ReadableStreamDefaultReader.prototype, 'read', 'stream');
for (const [name, kind] of [['SubtleCrypto', 'cipher'], ['CacheStorage', 'cache'], ['Cache', 'cache'], ['LockManager', 'lock'], ['StorageManager', 'storage'],
  ['Scheduler', 'task'], ['CookieStore', 'cookies'], ['FontFaceSet', 'font'], ['FontFace', 'font'], ['FileSystemFileHandle', 'file'],
  ['FileSystemDirectoryHandle', 'file'], ['Clipboard', 'clipboard'], ['Blob', 'file'], ['Permissions', 'permission'], ['MediaDevices', 'device'],
  ['CredentialsContainer', 'sign-in'], ['Navigator', 'browser']]) awaitAll(prototypeOf(name), kind);
awaitAnswer(window, 'createImageBitmap', 'picture');
awaitAnswer(prototypeOf('HTMLImageElement'), 'decode', 'picture');
// … or by an event.
const DATABASE = ['success', 'error'];
const awaitEvents = (owner: any, name: string, kind: string, types: string[]) => replace(owner, name, (original, self, args) => {
  const told = apply(original, self, args), source = told || self;
  const item = isOurs() ? begin(kind) : null;
  // Before the page's own listeners, which are mostly added behind this.
  const come = () => { if (counts(item)) own(); else excludeEvent(); end(item); };
  for (const type of types) apply(listen, source, [type, come, { once: true }]);
  return told;
});
for (const [name, ways] of [['IDBFactory', ['open', 'deleteDatabase']], ['IDBObjectStore', ['add', 'clear', 'count', 'delete', 'get', 'getAll', 'getAllKeys', 'getKey',
  'openCursor', 'openKeyCursor', 'put']], ['IDBIndex', ['count', 'get', 'getAll', 'getAllKeys', 'getKey', 'openCursor', 'openKeyCursor']]] as [string, string[]][]) {
  for (const way of ways) awaitEvents(prototypeOf(name), way, 'database', DATABASE);
}
awaitEvents(prototypeOf('IDBDatabase'), 'transaction', 'database', ['complete', 'abort', 'error']);
for (const way of ['readAsText', 'readAsArrayBuffer', 'readAsDataURL', 'readAsBinaryString']) awaitEvents(prototypeOf('FileReader'), way, 'file', ['loadend']);
const asked: WeakMap<any, any> = new WeakMap();
replace(XMLHttpRequest.prototype, 'open', (original, self, args) => {
  const sent: any = { address: args[1], item: null }, cause = isOurs() ? act : 0;
  asked.set(self, sent);
  apply(listen, self, ['readystatechange', () => {
    if (self.readyState !== 4) return;
    if (self.status >= 400) noteFailure(sent.item, sent.address, self.status);
    if (cause && cause === act) own(); else excludeEvent();
  }]);
  apply(listen, self, ['error', () => noteFailure(sent.item, sent.address, 0)]);
  return apply(original, self, args);
});
replace(XMLHttpRequest.prototype, 'send', (original, self, args) => {
  const sent = asked.get(self) || {}, item = isOurs() ? begin('request') : null;
  sent.item = item;
  if (item) requests += 1;
  const request = awaitRequest(sent.address);
  apply(listen, self, ['loadend', () => { endRequest(request); end(item); }, { once: true }]);
  return apply(original, self, args);
});
// What is seen of a thing, and how large it is, is told at the next frame, and then behind it.
const MOST_WATCHED = 20;
for (const name of ['IntersectionObserver', 'ResizeObserver']) {
  replace(prototypeOf(name), 'observe', (original, self, args) => {
    const item = isOurs() && (pending.get('observer') || 0) < MOST_WATCHED ? begin('observer') : null;
    if (item) nextFrame(() => nextFrame(() => end(item)));
    return apply(original, self, args);
  });
}
const hop = (original: any, self: any, args: any) => {
  const told = apply(original, self, args);
  if (isOurs() && (hops += 1) <= MOST_HOPS) wait();
  return told;
};
replace(MessagePort.prototype, 'postMessage', hop);
replace(window, 'postMessage', hop);
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
// What may speak at any time can't be followed: it is known only that the act spoke to it, and whether it has said anything since.
const spoken: Map<any, { kind: string, act: number, hasAnswered: boolean }> = new Map();
const speak = (line: any, kind: string) => { if (isOurs()) spoken.set(line, { kind, act, hasAnswered: false }); };
for (const [name, kind, way] of [['Worker', 'worker', 'postMessage'], ['SharedWorker', 'worker', ''], ['BroadcastChannel', 'channel', 'postMessage'],
  ['WebSocket', 'socket', 'send'], ['EventSource', 'event stream', '']]) {
  const Line = (window as any)[name];
  if (!Line) continue;
  if (way) replace(Line.prototype, way, (original, self, args) => { speak(self, kind); return apply(original, self, args); });
  (window as any)[name] = new Proxy(Line, { construct(original, args, made) {
    const line = Reflect.construct(original, args, made);
    if (kind !== 'channel') speak(line, kind);
    if (['socket', 'event stream'].includes(kind)) awaitLine(line);
    const hear = () => {
      const known = spoken.get(line);
      if (known && known.act === act) { known.hasAnswered = true; own(); } else excludeEvent();
    };
    for (const source of [line, line.port]) if (source) apply(listen, source, ['message', hear]);
    return line;
  } });
}
// What moves since the act and comes to an end, at which something may be done.
let hearsEnds = false;
export const hearEnds = () => { hearsEnds = true; };
const met: WeakSet<Animation> = new WeakSet();
const noteMoving = () => {
  const animations: any[] = isOpen() && document.getAnimations ? document.getAnimations() : [];
  for (const each of animations) {
    const begun_ms = each.startTime === null ? now() : Number(each.startTime), timing = each.effect && each.effect.getComputedTiming();
    if (met.has(each) || !timing || each.playState !== 'running' || begun_ms < last_ms - WITHIN_MS || (each.constructor !== Animation && !hearsEnds)) continue;
    if (begun_ms + timing.endTime - last_ms > SETTINGS.following_ms) continue;
    met.add(each);
    const item = begin('animation');
    // Until that was told, since a moment passes between an end and its event.
    const come = () => { if (counts(item)) own(); else excludeEvent(); end(item); };
    for (const type of ['finish', 'cancel', 'remove']) apply(listen, each, [type, come, { once: true }]);
  }
};
const list = () => {
  noteMoving();
  const names: string[] = [];
  let count = tasks ? 1 : 0, lasting = 0;
  if (tasks) names.push('message');
  // What goes off again and again may never end, and is then no answer to the act.
  for (const [kind, number] of pending) if (number > 0 && (kind !== 'interval' || isOpen())) { count += number; names.push(kind); }
  for (const [line, { kind, act: cause, hasAnswered }] of spoken) {
    if (cause !== act) { spoken.delete(line); continue; }
    names.push(kind);
    if (!hasAnswered) count += 1;
    lasting += 1;
  }
  return { count, lasting, names };
};
hearAsking(SETTINGS.ask_event, () => {
  isAsked = true;
  const { count, lasting, names } = list();
  const older = tellOlder(act, last_ms, last_ms + SETTINGS.settling_ms), later = tellOlder(act, last_ms, last_ms + SETTINGS.following_ms);
  const told: Record<string, number> = { pending: count, age_ms: Math.min(now() - last_ms, 1e6), requests, ...tellWaiting(), following_ms: Math.ceil(tellFollowing(act)),
    older_ms: Math.ceil(older.older_ms), older_late_ms: Math.ceil(later.older_ms), lasting };
  const texts = [[...names, ...(older.older ? [older.older] : [])].join(), failed.map(encodeURIComponent).join(), tellSaid()];
  apply(dispatch, window, [new Telling(SETTINGS.pending_event, { data: [...FIGURES.map((name) => Number(told[name])), ...texts.map(encodeURIComponent)].join(';') })]);
});
const beginAct = () => {
  act += 1;
  [requests, hops, failed.length] = [0, 0, 0];
  pending.clear();
  isAsked = false;
};
hearAsking(SETTINGS.begin_event, () => {
  // What was done to the page just before, to get there, is part of it.
  if (isAsked || now() - last_ms > WITHIN_MS) beginAct();
  last_ms = now();
});
// Some of what is done to fields are events that no hand has made.
const cause = (event: any) => {
  if (!(event.isTrusted || event.type === 'input' || event.type === 'change')) return;
  if (isAsked && event.isTrusted && !isOpen()) beginAct();
  last_ms = now();
  own();
};
for (const type of ['pointerover', 'pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'contextmenu', 'dblclick', 'keydown', 'keyup',
  'beforeinput', 'input', 'change', 'paste', 'drop', 'dragend', 'focus', 'focusin', 'blur', 'focusout', 'submit',
    'selectionchange']) apply(listen, window, [type, cause, { capture: true, passive: true }]);
