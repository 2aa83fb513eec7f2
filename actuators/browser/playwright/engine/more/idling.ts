/** Whether anything is going on in a document that may still bring what is looked for, and for how long nothing has been. */
import { askPending, isFetching, lastAct } from '../acting/settling.ts';
import { isVisible } from '../names/sight.ts';
import { findAll } from '../names/tree.ts';

const DRESSING_MS = 10_000; // what moves without end since the page was opened, or longer than the act before, is decoration
let watcher: MutationObserver | null = null;
let changed_ms = 0;

function watch() {
  if (watcher) return;
  changed_ms = performance.now();
  watcher = new MutationObserver(() => { changed_ms = performance.now(); });
  watcher.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}

/** An animation that ends may lead to something; one without an end says that the page is busy, if it began with the latest act. */
function tells(each: Animation) {
  if (each.playState !== 'running') return false;
  if (Number.isFinite(each.effect?.getComputedTiming().endTime)) return true;
  const began_ms = Number(each.startTime ?? performance.now());
  return lastAct() ? began_ms >= lastAct() : performance.now() < DRESSING_MS;
}

/**
 * What goes on in a document, and the milliseconds since the last thing that went on; also since the latest act, or since the document was
 * opened, and when that was. Asked once, the document is watched from then on.
 * @param query Timers that go off later don't count; wholly: what goes off again and again, and open lines, do.
 */
export function readIdle(_root: Root, { within_ms, wholly }: { within_ms: number, wholly: boolean }) {
  watch();
  const pending = askPending();
  const signs: [string, boolean][] = [
    ['loading', document.readyState !== 'complete' || isFetching()],
    ['requests', pending.open_requests > 0],
    ['timers', pending.late_ms > 0 && pending.late_ms <= within_ms],
    ['animations', document.getAnimations().some(tells)],
    ['busy', findAll(document, '[aria-busy=true]').some(isVisible)],
    ['loops', wholly && pending.repeated > 0],
    ['connections', wholly && pending.lines > 0],
  ];
  const busy = signs.filter(([, is]) => is).map(([name]) => name);
  if (busy.length) changed_ms = performance.now();
  const time_ms = performance.now();
  return { quiet_ms: time_ms - changed_ms, busy, lines: pending.lines, since_act_ms: time_ms - lastAct(), born_ms: performance.timeOrigin };
}
