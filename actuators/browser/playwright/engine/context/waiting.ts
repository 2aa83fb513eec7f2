/** What a page waits for, whoever began it. Only while it waits for nothing is it known that nothing more comes by itself. */
import { apply, listen } from './originals.ts';

const now = performance.now.bind(performance);
const { toString: sourceOf } = Function.prototype;
const LATE_MS = 400; // what goes off earlier is seen as the change that it makes
const HANGING_MS = 10_000; // a request without an answer for so long is rather kept open on purpose
const MOST_LOOPS = 200;

/** A callback that is to be called, by the act that has led to it, 0 where none has; counted where it is waited for as the act's. */
export interface Plan { kind: string, callback: any, act: number, isCounted: boolean, delay_ms: number, since_ms: number }

const asked: Set<{ since_ms: number, isNew: boolean }> = new Set();
const all: Set<Map<any, Plan>> = new Set();
const loops = new Set();
const lines: Set<any> = new Set();
const CLOSED = 2; // the state of a closed line comes behind "closing" in sockets only

const met: Set<string> = new Set(); // addresses that were asked before: what asks them again and again isn't building itself
const MOST_MET = 1000;

export const addressOf = (asked: any) => asked && (typeof asked === 'string' ? asked : asked.href || asked.url);

export const awaitRequest = (address?: any) => {
  const place = addressOf(address);
  const name = typeof place === 'string' ? place.split('?')[0] : '';
  const request = { since_ms: now(), isNew: name !== '' && met.size < MOST_MET && !met.has(name) };
  met.add(name);
  asked.add(request);
  return request;
};

let answered_ms = 0;

export const endRequest = (request: any) => { asked.delete(request); if (request.isNew) answered_ms = now(); };

export const keep = (plans: Map<any, Plan>, id: any, plan: Plan) => { all.add(plans); plans.set(id, plan); };

const isLate = ({ kind, act, isCounted, delay_ms }: Plan) => kind === 'timer' && !isCounted && (delay_ms >= LATE_MS || (act > 0 && delay_ms > 0));

export const drop = (plans: Map<any, Plan>, id: any, goesOff?: boolean) => {
  const plan = plans.get(id);
  plans.delete(id);
  if (plan && goesOff && isLate(plan) && loops.size < MOST_LOOPS) loops.add(apply(sourceOf, plan.callback, []));
};

function* plansOf(isMeant: (plan: Plan) => boolean) {
  for (const plans of all) for (const plan of plans.values()) if (isMeant(plan)) yield plan;
}

const leftOf = ({ since_ms, delay_ms }: Plan) => Math.max(since_ms + delay_ms - now(), 1);

/** The milliseconds until the last timer goes off that an act has set, of those that people wait for; 0 without one. */
export const tellFollowing = (act: number) => {
  let left_ms = 0;
  for (const plan of plansOf((each) => isLate(each) && act > 0 && each.act === act)) if (leftOf(plan) <= SETTINGS.following_ms) left_ms = Math.max(left_ms, leftOf(plan));
  return left_ms;
};

/** What was planned before an act by something else and is to come until some time, the kind of the last and the milliseconds until then; 0 without one. */
export const tellOlder = (act: number, act_ms: number, until_ms: number) => {
  const told = { older: '', older_ms: 0 };
  for (const plan of plansOf((each) => each.act !== act && each.since_ms < act_ms && each.since_ms + each.delay_ms <= until_ms)) {
    if (leftOf(plan) > told.older_ms) [told.older, told.older_ms] = [`older ${plan.kind}`, leftOf(plan)];
  }
  return told;
};

/** What is waited for now, and the milliseconds since a request was answered, 0 where none was: requests, the milliseconds until the last timer goes off, lines, and what goes off again and again. */
export const tellWaiting = () => {
  let late_ms = 0, repeated = 0;
  const time_ms = now();
  for (const plan of plansOf(({ kind }) => kind === 'timer' || kind === 'interval')) {
    // What has gone off before, and was set again by nothing that was done to the page, is a loop.
    if (plan.kind === 'interval' || (isLate(plan) && !plan.act && loops.has(apply(sourceOf, plan.callback, [])))) repeated += 1;
    else if (isLate(plan)) late_ms = Math.max(late_ms, leftOf(plan));
  }
  for (const line of lines) if (line.readyState >= CLOSED) lines.delete(line);
  for (const request of asked) if (time_ms - request.since_ms >= HANGING_MS) asked.delete(request);
  return { open_requests: asked.size, is_building: Number(Array.from(asked).some(({ isNew }) => isNew)),
    fetched_ms: answered_ms && Math.ceil(Math.max(1, time_ms - answered_ms)), late_ms, lines: lines.size, repeated };
};

export const awaitLine = (line: any) => {
  lines.add(line);
  apply(listen, line, ['close', () => lines.delete(line)]);
};
