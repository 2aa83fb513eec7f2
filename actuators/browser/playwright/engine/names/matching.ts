import { isRemembering, once } from './memory.ts';
import { childText, labelsAround, nameParts, namesOf } from './naming.ts';
import { CONTAINERS, CONTROLS, EDITABLE, isSliderLike } from './roles.ts';
import { isVisible } from './sight.ts';
import { fold, hasSome, hasWords, isTold, LONGEST_CAPTION } from './texts.ts';
import { innermost } from './tree.ts';

const shownOn = (element: Element) => once(shownOn, element, () => (element.matches('[aria-label], [aria-labelledby]') && !element.matches(`${EDITABLE}, input, ${CONTAINERS}`)
  ? [element.innerText || ''] : []));

/** Of what differs in capitals only, what is spelled as it was said. */
export function asSpelled(found: Element[], name: string, read: (element: Element) => string[]) {
  const same = found.length > 1 ? found.filter((element) => read(element).some((text) => fold(text) === fold(name))) : [];
  return same.some(isVisible) ? same : found;
}

const indexed = (named: [Element, string[]][]) => Map.groupBy(named.flatMap(([element, names]) => [...new Set(names)].map((name) => ({ name, element }))), ({ name }) => name);

export const withName = (named: [Element, string[]][], wanted: string) => (isRemembering() ? (once(indexed, named, indexed).get(wanted) || []).map(({ element }) => element)
  : named.filter(([, names]) => names.includes(wanted)).map(([element]) => element));

/** What elements are called, each with its names. The same list is read once in a question that remembers. */
export function readNamed(elements: Element[], normalise: (text: string) => string, read: (element: Element) => string[]): [Element, string[]][] {
  const byReader = once(normalise, elements, () => new Map());
  if (!byReader.has(read)) byReader.set(read, elements.map((element) => [element, read(element).map(normalise)]));
  return byReader.get(read);
}

/** Whether just that stands in an element of its own in another: what people read as its name, with a short cut or a number behind it. */
const standsIn = (element: Element, wanted: string, normalise: (text: string) => string) => Array.from(element.querySelectorAll('*')).some((each) => (each.textContent || '').length <= MOST_BEFORE
  && normalise(each.textContent || '') === wanted && isVisible(each));

export function byName(elements: Element[], name: string, normalise: (text: string) => string, read: (element: Element) => string[] = namesOf) {
  const wanted = normalise(name);
  const named = readNamed(elements, normalise, read);
  const pick = (test: (name: string, element: Element) => boolean) => innermost(named.filter(([element, names]) => names.some((each) => test(each, element))).map(([element]) => element));
  const saying = (texts: (element: Element) => string[]) => innermost(elements.filter((element) => texts(element).some((text) => normalise(text) === wanted)));
  const byParts = [() => saying(shownOn), () => saying(nameParts), () => pick((each, element) => each.startsWith(wanted) && standsIn(element, wanted, normalise))];
  return [() => asSpelled(innermost(withName(named, wanted)), name, read), ...(read === namesOf ? byParts : [() => [], () => [], () => []]),
    () => pick((each) => hasWords(each, wanted)), () => pick((each) => hasSome(each, wanted))];
}

const MOST_BEFORE = 4000; // characters in front of a field, with all that is blank

/** The label that an author has put on the host of a shadow tree, whose only field it means. */
function labelOfHost(field: Element) {
  const root = field.getRootNode();
  const label = root.host ? fold(root.host.getAttribute('aria-label') || '') : '';
  return label && root.querySelectorAll(EDITABLE).length === 1 ? [label] : [];
}

/** What stands for the label of a field that has none: that of the part around it or of its host, else the text right in front of it. */
export const captionsOf = (field: Element): string[] => [labelsAround, labelOfHost].map((read) => read(field)).find((found) => found.length) || textBefore(field);

export const CHANGING = 'output, progress, meter, time, [role=status], [role=timer], [role=log], [aria-live]:not([aria-live=off])';

/** Whether it shows what a field holds, which is no name: it is made for what changes, says just that, or lies where the chosen is drawn. */
export function showsValue(each: Element, field: Element) {
  const text = fold(each.textContent || ''), held = fold(String(field.value ?? field.getAttribute('aria-valuenow') ?? ''));
  if (each.matches(CHANGING) || (/\d/.test(held) && text.replace(/^[^\p{L}\d-]+/u, '').startsWith(held))) return true;
  if (!field.matches('[role=combobox], [aria-haspopup], [aria-autocomplete]')) return false;
  const [one, other] = [each, field].map((part) => part.getBoundingClientRect());
  return one.left < other.right && other.left < one.right && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > one.height / 2;
}

/** The text right in front of a field: "Date: ", in the same line, the one above or the cell before. */
function textBefore(field: Element) {
  const beside = textBeside(field), text = beside.length > MOST_BEFORE || fold(beside) ? beside : textOver(field);
  return text.length <= MOST_BEFORE && fold(text) && fold(text).length <= LONGEST_CAPTION ? [text] : [];
}

function textBeside(field: Element) {
  let text = '', line = 0;
  for (let each: any = field.previousSibling; each && text.length <= MOST_BEFORE; each = each.previousSibling) {
    if (each.nodeName === 'BR' && !fold(text) && line === 0) { line = 1; continue; }
    const isElement = each.nodeType === Node.ELEMENT_NODE, isDrawn = isElement && isVisible(each);
    if (isElement && (each.matches('br, hr') || (isDrawn && (each.matches(CONTROLS) || each.querySelector(CONTROLS) || isSliderLike(each))))) break;
    if (each.nodeType === Node.TEXT_NODE || (isDrawn && !showsValue(each, field))) text = each.textContent + text;
  }
  return text;
}

function textOver(field: Element) {
  for (let around = field.parentElement, level = 0; around && isAlone(around, field) && level < 3; around = around.parentElement, level += 1) {
    let before = around.previousElementSibling;
    while (before && showsValue(before, field)) before = before.previousElementSibling;
    if (before && isVisible(before) && !before.matches(EDITABLE) && !before.querySelector(CONTROLS) && !isSliderLike(before)) return before.textContent || '';
    if (before || around.previousElementSibling) break;
  }
  return '';
}

const MOST_ABOVE = 4; // parts around a box in which its text is looked for

/** What is written around a box that has no name, in a part that holds nothing else to act on: an entry of a list of boxes, a branch of a tree. */
export function textAround(box: Element) {
  for (let around = box.parentElement, level = 0; around && level < MOST_ABOVE; around = around.parentElement, level += 1) {
    if (Array.from(around.querySelectorAll(CONTROLS)).some((each) => each !== box && !each.contains(box))) return [];
    const text = fold(childText(around));
    if (isTold(text)) return text.length <= LONGEST_CAPTION ? [text] : [];
  }
  return [];
}

/** Whether a part holds nothing else but what is pressed for its field, such as the button of its calendar, or drawn around it, such as the track of a slider. */
const isAlone = (around: Element, field: Element) => Array.from(around.children).filter((each) => !each.contains(field) && isVisible(each)).every((each) => each.matches(CONTROLS)
  ? !each.matches(EDITABLE) && !isSliderLike(each) && !(isTold(each.textContent || '') && each.compareDocumentPosition(field) & Node.DOCUMENT_POSITION_FOLLOWING)
  : !each.querySelector(CONTROLS) && !isSliderLike(each) && !fold(each.textContent || '') && !each.matches('img, svg, canvas'));
