/** What a page waits for, whoever began it. Only while it waits for nothing is it known that nothing more comes by itself. */
import { apply, listen } from './originals.ts';

const now = performance.now.bind(performance);
const { toString: sourceOf } = Function.prototype;
const LATE_MS = 400; // what goes off earlier is seen as the change that it makes
const HANGING_MS = 10_000; // a request without an answer for so long is rather kept open on purpose
const MOST_LOOPS = 200;

const asked: Set<{ since_ms: number, isNew: boolean }> = new Set();
const timers: Map<any, { callback: any, due_ms: number, isCaused: boolean, act: number }> = new Map();
const loops = new Set();
const lines: Set<any> = new Set();
const CLOSED = 2; // the state of a closed line comes behind "closing" in sockets only

const met: Set<string> = new Set(); // addresses that were asked before: what asks them again and again isn't building itself
const MOST_MET = 1000;

export const awaitRequest = (address?: any) => {
  const place = address && (typeof address === 'string' ? address : address.href || address.url);
  const name = typeof place === 'string' ? place.split('?')[0] : '';
  const request = { since_ms: now(), isNew: name !== '' && met.size < MOST_MET && !met.has(name) };
  met.add(name);
  asked.add(request);
  return request;
};

let answered_ms = 0;

export const endRequest = (request: any) => { asked.delete(request); if (request.isNew) answered_ms = now(); };

/** @param act The act that has led to it; 0 where none has. */
export const planTimer = (id: any, callback: any, delay: any, act: number) => {
  if (Number(delay) >= LATE_MS || (act && Number(delay) > 0)) timers.set(id, { callback, due_ms: now() + Number(delay), isCaused: act > 0, act });
};

/** The milliseconds until the last timer goes off that an act has set, of those that people wait for; 0 without one. */
export const tellFollowing = (act: number) => {
  let left_ms = 0;
  const time_ms = now();
  for (const { due_ms, act: own } of timers.values()) {
    if (own === act && act && due_ms - time_ms <= SETTINGS.following_ms) left_ms = Math.max(left_ms, due_ms - time_ms, 1);
  }
  return left_ms;
};

export const endTimer = (id: any, goesOff?: boolean) => {
  const timer = timers.get(id);
  if (!timer) return;
  timers.delete(id);
  if (goesOff && loops.size < MOST_LOOPS) loops.add(apply(sourceOf, timer.callback, []));
};

/** What is waited for now, and the milliseconds since a request was answered, 0 where none was: requests, the milliseconds until the last timer goes off, lines, and what goes off again and again. */
export const tellWaiting = () => {
  let late_ms = 0, repeated = 0;
  const time_ms = now();
  for (const { callback, due_ms, isCaused } of timers.values()) {
    // What has gone off before, and was set again by nothing that was done to the page, is a loop.
    if (!isCaused && loops.has(apply(sourceOf, callback, []))) repeated += 1;
    else late_ms = Math.max(late_ms, due_ms - time_ms, 1);
  }
  for (const line of lines) if (line.readyState >= CLOSED) lines.delete(line);
  for (const request of asked) if (time_ms - request.since_ms >= HANGING_MS) asked.delete(request);
  return { requests: asked.size, isBuilding: Array.from(asked).some(({ isNew }) => isNew), fetched_ms: answered_ms && Math.max(1, time_ms - answered_ms), late_ms, lines: lines.size, repeated };
};

export const awaitLine = (line: any) => {
  lines.add(line);
  apply(listen, line, ['close', () => lines.delete(line)]);
};
