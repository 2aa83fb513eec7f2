import { asSpelled, byName, captionsOf, textAround, withName } from '../names/matching.ts';
import { once } from '../names/memory.ts';
import { childText, labelsOf, namesOf, ownText } from '../names/naming.ts';
import { BOXES, BUTTON_TYPES, CONTROLS, isClosedList, isFilledIn, isPressable, PRESSED_ROLES, ROLE_TAGS, roleOf } from '../names/roles.ts';
import { best, firstStage, isSeen, isVisible } from '../names/sight.ts';
import { fieldKey, hasSome, hasWords, key } from '../names/texts.ts';
import { activeElement, findAll, innermost, isInSvg, scopeOf, tagOf } from '../names/tree.ts';
import { findHeaded } from './regions.ts';
import { later } from '../later.ts';

export const withRoles = (root: Root, roles: string[]) => once(`role ${roles}`, root, () => {
  const css = roles.flatMap((role) => [`[role~=${role}]`, ...(ROLE_TAGS[role] || [])]).join(', ');
  const found = findAll(scopeOf(root), roles.includes('textbox') ? `${css}, [contenteditable]` : css);
  return found.filter((element) => roles.includes(roleOf(element)));
});

const CELL_ROLES = ['cell', 'gridcell', 'rowheader'];

const controlsIn = (root: Root) => once('controls', root, () => findAll(scopeOf(root), CONTROLS).filter((each) => !isClosedList(each)));

export function findRoles(root: Root, { name, roles }: { name: string, roles: string[] }) {
  const fitting = withRoles(root, roles);
  if (!name) {
    const shown = inFront(best(fitting));
    const unmarked = shown.some(isVisible) ? [] : later().landmarksIn(root, roles);
    return unmarked.length ? unmarked : shown.length || root.nodeType !== Node.ELEMENT_NODE || !roles.includes(roleOf(root)) ? shown : [root];
  }
  const [same, shown, ...parts] = byName(fitting, name, key);
  const exact = firstStage([same, shown]);
  const inColumn = exact.length || !CELL_ROLES.some((role) => roles.includes(role)) ? [] : later().inColumn(root, name).filter((each) => roles.includes(roleOf(each)));
  const named = exact.length || inColumn.length ? [...exact, ...inColumn] : firstStage(parts);
  const popups = named.some(isVisible) ? [] : later().namedPopups(root, name, roles);
  if (named.length || popups.length) return popups.length ? popups : shownFor(root, named, { name, roles });
  const captioned = firstStage(byName(fitting.filter((each) => isFilledIn(each) && !namesOf(each).some(Boolean)), name, fieldKey, captionsOf));
  const boxed = captioned.length ? captioned
    : firstStage(byName(fitting.filter((each) => each.matches(BOXES) && !namesOf(each).some(Boolean)), name, fieldKey, textAround).slice(0, 1));
  const headed = boxed.length ? boxed : findHeaded(root, { name, roles });
  const pressed = headed.length ? headed : findPressed(root, { name, roles });
  return pressed.length ? pressed : findKin(root, { name, roles });
}

function inFront(found: Element[]) {
  const active = found.length > 1 ? activeElement() : null;
  if (!active || !found.includes(active)) return found;
  for (let each = active.parentElement; each && each !== document.body; each = each.parentElement) {
    if (found.some((other) => other !== active && each.contains(other))) return found;
    if (['absolute', 'fixed'].includes(getComputedStyle(each).position)) return [active];
  }
  return found;
}

/** What people see in the place of something that only programs are told of: it is there, and has no size, while something else to press reads the same. */
function shownFor(root: Root, named: Element[], query: { name: string, roles: string[] }) {
  const isTold = named.every((each) => isVisible(each) && !isSeen(each));
  const shown = isTold ? findPressed(root, query).filter(isSeen) : [];
  return shown.length ? shown : named;
}

/** Kinds that look the same to people, whatever their author has written. */
const KIN = [['checkbox', 'switch', 'radio'], ['menuitem', 'menuitemcheckbox', 'menuitemradio', 'option']];

function findKin(root: Root, { name, roles }: { name: string, roles: string[] }) {
  const kin = KIN.filter((kinds) => kinds.some((kind) => roles.includes(kind))).flat().filter((kind) => !roles.includes(kind));
  return kin.length ? firstStage(byName(withRoles(root, kin), name, key).slice(0, 2)) : [];
}

export function findControls(root: Root, query: any) {
  const [same, shown, ...parts] = byName(controlsIn(root), query.name, key);
  const exact = firstStage([same, shown]);
  if (exact.length) return exact;
  const read = findTexts(root, query);
  // "2" is rather what says just that and is pressed than a link with a 2 in it.
  const pressed = read.filter((element) => saysJust(element, key(query.name)) && isVisible(element) && isPressable(element));
  const found = pressed.length ? [] : firstStage(parts);
  if (found.length) return found;
  if (read.some((element) => saysJust(element, key(query.name)))) return pressedFirst(read);
  const unnamed = firstStage(later().unnamedStages(root, query.name));
  const other = unnamed.length ? unnamed : later().findAlike(root, query.name);
  const told = other.length ? other : read.filter((element) => !isProse(element, key(query.name)));
  // "Options", where nothing is called so, are those on the page.
  const roles = told.length ? [] : later().rolesCalled(query.name);
  return roles.length ? best(withRoles(root, roles)) : told;
}

const SENTENCE = /[.!?]["')\u201d\u2019]?$/;
const MORE_WORDS = 3; // words that a sentence has at least besides the name

/** Whether a name is only a part of a sentence that nobody presses: what is said of a thing is not the thing. */
function isProse(element: Element, wanted: string) {
  const text = key(element.textContent || '');
  const more = text.split(' ').length - wanted.split(' ').length;
  return SENTENCE.test(text) && more >= MORE_WORDS && !isPressable(element) && !element.closest('label');
}

/** What shows in a shadow tree what was put into its slots: that text is the part's own, not that of what is around the host. */
function aroundSlots(elements: Element[]) {
  const around = new Set();
  for (const slot of elements) {
    if (slot.nodeName === 'SLOT') for (let up = slot.parentElement; up && !around.has(up); up = up.parentElement) around.add(up);
  }
  return around;
}

const readTexts = (root: Root) => once('texts', root, () => {
  const all = findAll(scopeOf(root), '*');
  const slotted = aroundSlots(all);
  const told = (element: Element) => (element.matches('input') ? (BUTTON_TYPES.includes(element.type) ? element.value : '')
    : element.shadowRoot || element.nodeName === 'SLOT' ? '' : slotted.has(element) ? childText(element) : element.textContent);
  const read: [Element, string[]][] = all.map((element) => [element, [key(told(element))]]);
  return { told, read };
});

/** Whether just that is written in an element, or is to be read there: what stands in blocks of its own is apart. */
const saysJust = (element: Element, wanted: string) => key(element.textContent || '') === wanted || isApart([element, [key(element.textContent || '')]], wanted);

const isApart = ([element, [text]]: [Element, string[]], wanted: string) => text.length < wanted.length && text.length > wanted.length / 2 && element.childElementCount > 0
  && text.replaceAll(' ', '') === wanted.replaceAll(' ', '') && key(childText(element)) === wanted;

const UNREAD = 'script, style, noscript, template, head, head *';

export function findTexts(root: Root, { name }: { name: string }) {
  const wanted = key(name);
  const { told, read } = readTexts(root);
  // A drawn text is one thing with its only part, which pages replace whenever they draw it anew.
  const isPiece = (element: Element) => tagOf(element) === 'tspan' && element.parentElement?.textContent === element.textContent;
  const isRead = (element: Element) => !element.querySelector('script, style, noscript, template') || key(childText(element)).includes(wanted);
  const isShown = (element: Element) => !element.matches(UNREAD) && !isPiece(element) && isRead(element);
  const exact = innermost(withName(read, wanted).filter(isShown));
  const spelled = asSpelled(exact.filter(isVisible), name, (element) => [told(element)]);
  if (spelled.length) return spelled;
  const apart = wanted.includes(' ') ? innermost(read.filter((each) => isApart(each, wanted) && isVisible(each[0]) && isShown(each[0])).map(([element]) => element)) : [];
  if (apart.length) return apart;
  const holding = read.filter(([element, [text]]) => text.includes(wanted) && isShown(element));
  const pick = (test: any) => innermost(holding.filter(([element, [text]]) => test(text, wanted, element)).map(([element]) => element));
  // What is written only in something hidden in it, such as a menu, is not to be read on an element.
  const reads = (element: Element, part: any) => !element.firstElementChild || !('innerText' in element)
    || element.shadowRoot || key(element.innerText).includes(part);
  const shown = (test: any) => (text: string, part: any, element: Element) => isVisible(element)
    && test(text, part) && reads(element, part);
  const stages = [() => pick(shown(hasWords)), () => pick(shown(hasSome)), () => exact, () => pick(hasWords), () => pick(hasSome)];
  return stages.map((stage) => stage()).find((stage) => stage.length) || [];
}

export function findLabels(root: Root, { name }: { name: string }) {
  return firstStage(byName(findAll(scopeOf(root), 'input, select, textarea, button, meter, output, progress, [aria-label], [aria-labelledby]'),
    name, fieldKey, labelsOf));
}

export function findPlaceholders(root: Root, { name }: { name: string }) {
  return firstStage(byName(findAll(scopeOf(root), '[placeholder]'), name, key, (element) => [element.getAttribute('placeholder') || '']));
}

/** Whether it is a word or two of a sentence, such as a name in bold print in what a page says about the thing of that name. */
export const isInSentence = (element: Element) => Boolean(element.parentElement) && /[\p{L}\p{N}]/u.test(ownText(element.parentElement))
  && getComputedStyle(element).display === 'inline' && !isInSvg(element);

/** Of what reads alike: what is pressed, though it is no control, else what stands by itself. */
function pressedFirst(found: Element[]) {
  if (found.length < 2) return found.map(underLabel).map(pressedWhole);
  const left = [isPressable, (element: Element) => !isInSentence(element)].map((test) => found.filter(test)).find((some) => some.length) || found;
  return [...new Set(left.map(underLabel).map(pressedWhole))];
}

/** What is pressed where its only text is: that may stand in elements of its own. */
function pressedWhole(element: Element) {
  if (!isPressable(element) || isInSvg(element)) return element;
  let whole = element;
  for (let up = element.parentElement; up && up !== document.body && isPressable(up) && key(up.textContent || '') === key(element.textContent || ''); up = up.parentElement) whole = up;
  return whole;
}

function underLabel(element: Element) {
  const text = isInSvg(element) && getComputedStyle(element).pointerEvents === 'none' ? element.closest('text') || element : null;
  const beside = text && Array.from(text.parentElement?.children || []).filter((each) => each !== text && each.matches('circle, ellipse, rect, polygon, path, image, use'));
  return beside && beside.length === 1 ? beside[0] : element;
}

/** What people call a button or a link though its author did not: something to press that has exactly that to read on it, or no name. */
function findPressed(root: Root, { name, roles }: { name: string, roles: string[] }) {
  if (!roles.some((role) => PRESSED_ROLES.includes(role))) return [];
  const wanted = key(name);
  const reads = (element: Element) => key(element.textContent || '') === wanted && isVisible(element) && isPressable(element);
  const texts = () => innermost(findAll(scopeOf(root), '*').filter((element) => !element.closest(`${CONTROLS}, label`) && reads(element)));
  return firstStage([texts, ...later().unnamedStages(root, name)]);
}

export function findTestIds(root: Root, { name }: { name: string }) {
  return findAll(scopeOf(root), '[data-testid]').filter((each) => each.getAttribute('data-testid') === name);
}
