/** Whether anything is going on in a document that may still bring what is looked for, and for how long nothing has been. */
import { askPending, isFetching, lastAct } from '../acting/settling.ts';
import { isVisible } from '../names/sight.ts';
import { findAll } from '../names/tree.ts';

const DRESSING_MS = 10_000; // what moves without end since the page was opened, or longer than the act before, is decoration
let watcher: MutationObserver | null = null;
let changed_ms = 0, busy_ms = 0;

function watch() {
  if (watcher) return;
  changed_ms = performance.now();
  watcher = new MutationObserver(() => { changed_ms = performance.now(); });
  watcher.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}

const isRunning = (each: Animation) => each.playState === 'running';
const ends = (each: Animation) => Number.isFinite(each.effect?.getComputedTiming().endTime);

/** An animation that ends may lead to something; one without an end says that the page is busy, if it began with the latest act. */
function tells(each: Animation) {
  if (ends(each)) return true;
  const began_ms = Number(each.startTime ?? performance.now());
  return lastAct() ? began_ms >= lastAct() : performance.now() < DRESSING_MS;
}

/**
 * What goes on in a document, and the milliseconds since the last thing that went on, also without what it only waits for (`rest_ms`); and since the latest act, or since the document was
 * opened, and when that was. Asked once, the document is watched from then on.
 * @param query Timers that go off later don't count; wholly: what goes off again and again, and open lines, do.
 */
export function readIdle(_root: Root, { within_ms, wholly }: { within_ms: number, wholly: boolean }) {
  watch();
  const pending = askPending(), animations = document.getAnimations().filter(isRunning);
  const isBusy = findAll(document, '[aria-busy=true]').some(isVisible);
  const signs: [string, boolean][] = [
    ['loading', document.readyState !== 'complete' || isFetching()],
    ['requests', pending.open_requests > 0],
    ['timers', pending.late_ms > 0 && pending.late_ms <= within_ms],
    ['animations', animations.some(tells)],
    ['busy', isBusy],
    ['loops', wholly && pending.repeated > 0],
    ['connections', wholly && pending.lines > 0],
  ];
  const busy = signs.filter(([, is]) => is).map(([name]) => name);
  const time_ms = performance.now();
  if (isBusy || animations.some(ends)) changed_ms = time_ms;
  if (busy.length) busy_ms = time_ms;
  return { rest_ms: time_ms - changed_ms, quiet_ms: time_ms - Math.max(changed_ms, busy_ms), busy, lines: pending.lines, since_act_ms: time_ms - lastAct(), born_ms: performance.timeOrigin };
}
