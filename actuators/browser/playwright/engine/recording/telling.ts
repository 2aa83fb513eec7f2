/** What is told to whoever records: through a binding that is in this world alone, so that no page can see or use it. */
import { selectorOf } from '../selectors/selectors.ts';
import { forgetTexts, nameOf } from '../names/naming.ts';
import { CONTROLS, isFilledIn, isPressable, roleOf } from '../names/roles.ts';
import { tagOf } from '../names/tree.ts';
import { readTick } from '../acting/choices.ts';

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

const BOX_ROLES = ['checkbox', 'radio', 'switch'];
const TYPED = 'input:not([type=button], [type=submit], [type=reset], [type=image], [type=checkbox], [type=radio], [type=file], [type=color], [type=range]), textarea';
const MOST_UP = 12;
// What holds many things to press: where one of them was pressed, it isn't the whole.
const COMPOSITES = 'ul, ol, menu, table, [role=menu], [role=menubar], [role=listbox], [role=list], [role=grid], [role=treegrid],'
  + ' [role=table], [role=tree], [role=tablist], [role=radiogroup], [role=toolbar]';

export const pathOf = (event: Event): Element[] => event.composedPath().filter((each: any) => each instanceof Element).slice(0, 60);

export function pressedIn(path: Element[]): Element | null {
  const near = path.slice(0, MOST_UP);
  const at = near.findIndex(isPressable);
  if (at < 0) return null;
  const parts = near.filter((each, place) => place <= at || !each.matches(COMPOSITES));
  const control = parts.find((each) => each.matches(CONTROLS) && !each.matches('[contenteditable]'));
  if (control) return control.matches('option') ? control.closest('select') || control : control;
  const explicit = parts.find((each) => each.matches('[onclick], [tabindex]:not([tabindex="-1"]), [draggable=true]'));
  if (explicit) return explicit;
  let outer = at; // all that is inside shows the same pointer
  while (near[outer + 1] && parts.includes(near[outer + 1]) && near[outer + 1] !== document.body && isPressable(near[outer + 1])) outer += 1;
  return near[outer];
}

/** The label that a press went to, where the browser presses its control next. */
export function labelPressed(path: Element[]) {
  const at = path.findIndex((each) => each.nodeName === 'LABEL');
  const label = path[at] && path[at].control ? path[at] : null;
  return label && !path.slice(0, at).some((each) => each === label.control || each.matches('a[href], button, input, select, textarea')) ? label : null;
}

export const isBox = (element: Element) => element.matches('input[type=checkbox], input[type=radio]') || BOX_ROLES.includes(roleOf(element));

export function tickOfBox(element: Element) {
  const tick = isBox(element) ? readTick(element) : null;
  return tick ? tick.checked : null;
}

export const isWrittenIn = (element: Element) => element.matches(TYPED) || Boolean(element.isContentEditable);

export function fieldIn(path: Element[]): Element | null {
  const field = path[0];
  if (!field) return null;
  if (!field.isContentEditable) return field.matches('input, textarea, select') ? field : null;
  let host = field;
  while (host.parentElement?.isContentEditable) host = host.parentElement;
  return host;
}

export const choosesByKeys = (element: Element) => element.matches('[role=combobox], [aria-haspopup], [aria-autocomplete], [aria-expanded], [aria-controls], [aria-owns], [list]');

export const isPlainField = (element: Element) => isFilledIn(element) && (isWrittenIn(element) || element.nodeName === 'SELECT');
