/** What is told to whoever records: through a binding that is in this world alone, so that no page can see or use it. */
import { selectorOf } from '../selectors/selectors.ts';
import { forgetTexts, nameOf } from '../names/naming.ts';
import { roleOf } from '../names/roles.ts';
import { tagOf } from '../names/tree.ts';

/** What is told of an element: the selector that a look would print for it now, and where nothing names it its place in the document. */
export type Told = { selector: Plain | null, css: string, role: string, name: string };

const LONGEST_NAME = 80;
const DOCUMENT = Math.random().toString(36).slice(2, 10);
let acts = 0, wishes = 0;

export const listen = (type: string, hear: (event: any) => void) => window.addEventListener(type, (event) => {
  try { if (event.isTrusted) hear(event); } catch (error) { tellRecorder('fault', { message: String(error).slice(0, 300), event: type }); }
}, { capture: true, passive: true });

/** A name for an act, so that more can be told of it later; no two documents give the same. */
export const nextAct = () => `${DOCUMENT}.${acts += 1}`;

export const nextWish = () => `${DOCUMENT}.expect.${wishes += 1}`; // no act

export const hasActed = () => acts > 0;

export function tellRecorder(type: string, facts: Record<string, unknown> = {}) {
  (globalThis as any).surehandTell(JSON.stringify({ type, document: DOCUMENT, ...facts }));
}

export function toldOfTarget(element: Element): Told {
  forgetTexts();
  const selector = selectorOf(element);
  return { selector, css: selector ? '' : cssPathOf(element), role: roleOf(element), name: nameOf(element).slice(0, LONGEST_NAME) };
}

/** A CSS selector that leads to an element alone: from the nearest part with an id of its own, by what stands where. */
export function cssPathOf(element: Element) {
  const steps = [];
  for (let each = element; each && each !== document.documentElement; each = each.parentElement || each.getRootNode().host) {
    const id = /^[a-z][a-z_-]*$/i.test(each.id) ? `#${CSS.escape(each.id)}` : '';
    const alike = Array.from<Element>((each.parentElement || each.getRootNode()).children).filter((other: Element) => other.localName === each.localName);
    const step = tagOf(each).toLowerCase();
    steps.unshift(id || (alike.length > 1 ? `${step}:nth-of-type(${alike.indexOf(each) + 1})` : step));
    if (id && each.getRootNode().querySelectorAll(id).length === 1) break;
  }
  return steps.join(' > ');
}
