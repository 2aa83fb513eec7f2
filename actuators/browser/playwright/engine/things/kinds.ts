import { once } from '../names/memory.ts';
import { CONTROLS, isListening } from '../names/roles.ts';
import { isVisible } from '../names/sight.ts';
import { countsOf } from '../names/texts.ts';
import { findAll, tagOf } from '../names/tree.ts';
import { refOf } from './refs.ts';

const MOST_INSIDE = 12; // elements in what is pressed as a whole

/** What people act on, by role: the words of selectors. */
export const ACTED_ON: Record<string, string> = {
  button: 'button', link: 'link', checkbox: 'checkbox', radio: 'radio', switch: 'switch', tab: 'tab', menuitem: 'menuitem', menuitemcheckbox: 'menuitem',
  menuitemradio: 'menuitem', option: 'option', treeitem: 'treeitem',
};

export const STRUCTURES: Record<string, string> = {
  dialog: 'dialog', alertdialog: 'dialog', table: 'table', grid: 'table', treegrid: 'table', row: 'row', list: 'list', listitem: 'listitem', form: 'form',
  article: 'article', toolbar: 'toolbar', tablist: 'tablist', menu: 'menu', menubar: 'menubar', group: 'group', radiogroup: 'group', region: 'region',
  navigation: 'navigation', banner: 'banner', contentinfo: 'footer', complementary: 'sidebar', search: 'search', tree: 'tree', listbox: 'listbox',
  alert: 'alert', status: 'status', tooltip: 'tooltip',
};

const FILLED_IN = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton', 'slider']);

const FIELDS_INSIDE = 'input:not([type=hidden]), textarea, select, [role=textbox]:not([aria-readonly=true]), [role=searchbox]';

/** What is to be filled in or chosen from, and is that itself: a box around a field is not. */
export function isField(element: Element, role: string) {
  const tag = tagOf(element);
  if (tag === 'INPUT') return !['hidden', 'button', 'submit', 'reset', 'image', 'checkbox', 'radio'].includes(element.type);
  if (tag === 'TEXTAREA' || tag === 'SELECT') return true;
  if (element.isContentEditable) return element.matches('[contenteditable]:not([contenteditable=false])') && !element.parentElement?.isContentEditable;
  const isOnlyShown = element.matches('[aria-readonly=true]') && element.closest('[role=combobox]') !== null; // it is what the box around it shows
  return FILLED_IN.has(role) && !isOnlyShown && !element.querySelector(FIELDS_INSIDE);
}

/** Whether there is something to press in it: in its shadow root, in what it is given, or in what its slots show. */
export const holdsControls = (element: Element): boolean => once(holdsControls, element, () => [element, element.shadowRoot].some((root) => root && (findAll(root, CONTROLS).length > 0
  || [...(tagOf(element) === 'SLOT' ? [element] : []) as any[], ...findAll(root, 'slot')].some((slot) => slot.assignedElements().some(isOrHolds)))));

const isOrHolds = (element: Element) => element.matches(CONTROLS) || holdsControls(element);

const holdsListening = (element: Element) => Boolean(element.firstElementChild) && !isListening(element)
  && Array.from(element.querySelectorAll('*')).slice(0, MOST_INSIDE).some((each) => isVisible(each) && isListening(each));

/** Whether a script waits for it to be pressed. What holds controls, or very much, may listen for what is in it. */
export function isListeningThing(element: Element) {
  if (element.shadowRoot || !element.firstChild || !isListening(element) || holdsControls(element)) return false;
  const inside = Array.from(element.querySelectorAll('*'));
  return inside.length <= MOST_INSIDE && !inside.some(isListening);
}

const MOST_DAYS = 49; // cells of a month

const isDay = (cell: Element) => /^\s*\d{1,2}\s*$/.test(cell.textContent || '') && (cell.closest('[role=grid], table')?.querySelectorAll('[role=gridcell]').length || 0) <= MOST_DAYS;

/** Whether only its author's script or style says that it is pressed. What is around it hands its pointer down; what takes the focus may do so only to be scrolled or to hold others. */
export function isPressedThing(element: Element, style: CSSStyleDeclaration, isInPointer: boolean) {
  if (style.cursor === 'pointer' && !isInPointer && !holdsListening(element)) return true;
  if (element.matches('[onclick], [draggable=true]')) return true;
  if (element.matches('[role=gridcell][tabindex]') && isDay(element)) return true;
  return (element.matches('[tabindex]:not([tabindex="-1"], [role])') && !element.childElementCount && !/auto|scroll/.test(style.overflow)) || isListeningThing(element);
}

const LEAST_ALIKE = 3, MOST_COMPARED = 3000;
const NEVER_CARDS = new Set('P BR HR B I EM STRONG SMALL SPAN A BUTTON LABEL INPUT SELECT TEXTAREA DT DD TD TH TBODY THEAD OPTION IMG SVG SCRIPT STYLE FIELDSET SECTION CODE PRE'.split(' '));
const ENTRIES = new Set(['LI', 'TR']);

const shapeOf = (element: Element) => {
  const tag = tagOf(element);
  return ENTRIES.has(tag) || element.hasAttribute('role') ? `${tag} ${element.getAttribute('role') || ''}` : `${tag}.${element.classList[0] || ''}`;
};

export const countShapes = (kids: Iterable<any>) => countsOf(Array.from(kids).filter((kid) => kid.nodeType === 1).slice(0, MOST_COMPARED).map(shapeOf));

export const countAlike = (element: any, shapes: Map<string, number>) => shapes.get(shapeOf(element)) || 0;

/** The sign that it shares with those that are built alike beside it; empty where it stands alone. */
export const likenessOf = (element: any, shapes: Map<string, number>) => (countAlike(element, shapes) >= LEAST_ALIKE && element.parentNode?.nodeType === 1
  ? `${refOf(element.parentNode)} ${shapeOf(element)}` : '');

export const isCard = (element: Element) => !NEVER_CARDS.has(tagOf(element)) && element.childElementCount > 0 && (element.classList.length > 0 || tagOf(element).includes('-'));
