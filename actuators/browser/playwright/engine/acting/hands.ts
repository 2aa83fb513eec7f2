/** What the direct way asks of a document in one message: to find an element, to aim at it or write in it, and to read it back. */
import { findBox, readTick } from './choices.ts';
import { enterText } from './entering.ts';
import { fieldOf } from './fields.ts';
import { isMine } from './presses.ts';
import { armReceipt, endReceipt, isLeaving, pressedFor, report, watchKey } from './receipts.ts';
import { beginAct } from './settling.ts';
import { askProbe } from '../finding/probes.ts';
import { disabledBecause, hitAtPoint, isMoved, isVisible } from '../names/sight.ts';
import { activeElement, findAll, unique } from '../names/tree.ts';

const OWN = 'surehand=';
const FOREIGN = /^(?:[\w:*+-]+=|\/\/|\.\.|\(|["'])/; // of another engine of Playwright's
const LEAST_PX = 0.99; // of a piece that can be pressed
const AGAIN_MS = 10, MOST_AGAIN_MS = 80;
const LINES = 'textarea, input:not([type]), input:is([type=text], [type=search], [type=tel], [type=url], [type=password], [type=email], [type=number])';

/** Why something is left to Playwright. */
class Unknown extends Error {}

type Order = Record<string, any>;

let ask: Finder = () => [];

/** @param answers Answers a selector part. */
export function provideAsk(answers: Finder) { ask = answers; }

function findPart(root: any, part: string): any[] {
  if (part.startsWith(OWN)) return ask(root, JSON.parse(decodeURIComponent(part.slice(OWN.length))));
  if (part === 'visible=true') return isShown(root) ? [root] : [];
  const css = part.startsWith('css=') ? part.slice(4) : part;
  if (FOREIGN.test(css) || findAll(document, '*').some((each) => each.shadowRoot)) throw new Unknown('selector');
  try { return Array.from(root.querySelectorAll(css)); } catch { throw new Unknown('selector'); }
}

/** @param parts The parts of a selector of Playwright's; each is looked for in what the one before has found. */
function resolve(parts: string[]) {
  let found: any[] = [document];
  for (const part of parts) {
    const place = /^nth=(-?\d+)$/.exec(part);
    found = place ? found.slice(Number(place[1])).slice(0, 1) : unique(found.flatMap((root) => findPart(root, part)));
  }
  return found;
}

const inOrder = (found: any[]) => found.sort((one, other) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));

function isShown(element: Element) {
  const { width, height } = element.getBoundingClientRect();
  return isVisible(element) && width > 0 && height > 0;
}

function pathTo(element: any) {
  const path = [];
  for (let each = element; each; each = each.assignedSlot || each.parentNode || each.host) path.push(each);
  return path;
}

const inWindow = ({ left, right, top, bottom }: DOMRect) => ({ left: Math.max(left, 0), right: Math.min(right, innerWidth), top: Math.max(top, 0), bottom: Math.min(bottom, innerHeight) });

/** The point of the window at which an element is pressed: the middle of what is seen of its first piece, where it has to lie open. */
function pointOn(element: Element) {
  const piece = () => Array.from(element.getClientRects()).find(({ width, height }) => width * height > LEAST_PX);
  const first = piece();
  if (first && (first.left < 0 || first.top < 0 || first.right > innerWidth || first.bottom > innerHeight)) {
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  }
  const box = piece();
  if (!box) return { no: 'hidden' };
  const { left, right, top, bottom } = inWindow(box);
  const x = (left + right) / 2, y = (top + bottom) / 2;
  const hit = right > left && bottom > top ? hitAtPoint(x, y) : null;
  return hit && isMine(pathTo(hit), element) ? { x, y } : { no: 'covered' };
}

/** Why an element can't be used as it is, which may pass; empty where it can. */
function unusableBecause(element: Element) {
  if (!isShown(element)) return 'hidden';
  if (disabledBecause(element)) return 'disabled';
  const isFading = element.parentElement?.checkVisibility({ opacityProperty: true }) === false; // before it grows, what opens is often there and clear
  return isFading || isMoved(element) ? 'moving' : '';
}

function aim(element: Element) {
  const why = unusableBecause(element);
  return why ? { no: why } : pointOn(element);
}

/** Arms a receipt for a press on an element, and tells where to press it. */
function aimPress(named: Element, receipt: any) {
  const point = aim(pressedFor(named));
  if (!point.no) armReceipt(named, receipt);
  return point;
}

/** What the orders about one element do; `no` says why nothing was done. */
const ORDERS: Record<string, (element: any, order: Order) => Order> = {
  press: (element, { receipt }) => aimPress(element, receipt),
  tick: (element, { token, checked, receipt }) => {
    const [box] = findBox(element, { token, refuses_entries: checked });
    const tick = readTick(element);
    if (!tick || tick.mixed || (!checked && tick.role === 'radio')) return { no: 'unsuitable' };
    return tick.checked === checked ? { already: true } : aimPress(box, receipt);
  },
  hover: aim,
  write: (element, { value, token }) => {
    const field = fieldOf(element);
    if (!field.matches(LINES) || field.readOnly || (field.type === 'number' && isNaN(value))) return { no: 'unsuitable' };
    const why = unusableBecause(field);
    if (why && why !== 'moving') return { no: why };
    field.focus({ preventScroll: true });
    if (activeElement() !== field) return { no: 'unfocused' };
    report(token, {}); // what replaces the document from here on has come of the act
    beginAct();
    enterText(element, { value });
    return {};
  },
  key: (element, { token }) => {
    const field = fieldOf(element);
    field.focus();
    if (activeElement() !== field) return { no: 'unfocused' };
    watchKey(field, { token });
    return {};
  },
  text: (element) => ({ text: element.textContent }),
  visible: (element) => (isShown(element) ? {} : { no: 'hidden' }),
};

/** What the orders do that are not about one element. */
const WHOLES: Record<string, (order: Order) => Order> = {
  count: ({ parts }) => ({ count: resolve(parts).length }),
  each: ({ parts, what, options, is_sorted }) => ({ answers: (is_sorted ? inOrder(resolve(parts)) : resolve(parts)).map((element) => askProbe(what, element, options)) }),
  attached: ({ parts }) => (resolve(parts).length ? {} : { no: 'missing' }),
  told: ({ token }) => ({ told: endReceipt(token), is_leaving: isLeaving() }),
};

function carryOut(order: Order): Order {
  if (WHOLES[order.do]) return WHOLES[order.do](order);
  const found = resolve(order.parts);
  if (found.length !== 1) return { no: found.length ? 'ambiguous' : 'missing' };
  return ORDERS[order.do](found[0], order);
}

/** What parts of a selector read after an order, in a task of its own, so that the page has had its say; absent where that isn't to be said directly. */
async function readThen(parts: string[]) {
  await scheduler.postTask(() => {});
  try {
    const found = resolve(parts);
    return found.length === 1 ? found[0].textContent : undefined;
  } catch { return undefined; }
}

const PASSING = ['missing', 'hidden', 'disabled', 'moving', 'covered'];
const MOST_FOUND_MS = 150; // what stands against an element that is there for longer is told by Playwright's way, which needs its time

/** Carries an order out, and reads what is to be read then. */
export async function serve(order: Order) {
  const told = await insist(order);
  return order.then && !told.no && !told.is_leaving ? { ...told, then: await readThen(order.then) } : told;
}

/** As long as what stands against an order may pass, again until its time is over. */
async function insist(order: Order) {
  let ends_ms = performance.now() + (order.limit_ms || 0), isFound = false;
  for (let pause_ms = AGAIN_MS; ; pause_ms = Math.min(pause_ms * 1.5, MOST_AGAIN_MS)) {
    let told: Order;
    try { told = carryOut(order); } catch (error: any) {
      if (!(error instanceof Unknown)) throw error;
      told = { no: error.message };
    }
    if (told.no && told.no !== 'missing' && !isFound) [isFound, ends_ms] = [true, Math.min(ends_ms, performance.now() + MOST_FOUND_MS)];
    if (!PASSING.includes(told.no) || performance.now() >= ends_ms) return told;
    await new Promise((resume) => { setTimeout(resume, pause_ms); });
  }
}
