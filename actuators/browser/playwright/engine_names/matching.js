import { isRemembering, once } from './memory.js';
import { namesOf } from './naming.js';
import { CONTAINERS, CONTROLS, EDITABLE, isSliderLike } from './roles.js';
import { isVisible } from './sight.js';
import { fold, hasSome, hasWords, LONGEST_CAPTION } from './texts.js';
import { innermost } from './tree.js';

/**
 * What is read on something that is named differently.
 * @param {Element} element
 */
const shownOn = (element) => once(shownOn, element, () => (element.matches('[aria-label], [aria-labelledby]') && !element.matches(`${EDITABLE}, input, ${CONTAINERS}`)
  ? [element.innerText || ''] : []));

/**
 * Of what differs in capitals only, what is spelled as it was said.
 * @param {Element[]} found
 * @param {string} name
 * @param {(element: Element) => string[]} read
 */
export function asSpelled(found, name, read) {
  const same = found.length > 1 ? found.filter((element) => read(element).some((text) => fold(text) === fold(name))) : [];
  return same.some(isVisible) ? same : found;
}

/**
 * The elements by each of their names, in the order in which they are listed.
 * @param {[Element, string[]][]} named
 * @returns {Map<string, Element[]>}
 */
function indexed(named) {
  const index = new Map();
  for (const [element, names] of named) {
    for (const name of new Set(names)) {
      const same = index.get(name);
      if (same) same.push(element);
      else index.set(name, [element]);
    }
  }
  return index;
}

/**
 * Those of exactly that name.
 * @param {[Element, string[]][]} named
 * @param {string} wanted
 */
export const withName = (named, wanted) => (isRemembering() ? once(indexed, named, indexed).get(wanted) || []
  : named.filter(([, names]) => names.includes(wanted)).map(([element]) => element));

/**
 * What elements are called, each with its names. The same list is read once in a question that remembers.
 * @param {Element[]} elements
 * @param {(text: string) => string} normalise
 * @param {(element: Element) => string[]} read
 * @returns {[Element, string[]][]}
 */
export function readNamed(elements, normalise, read) {
  const byReader = once(normalise, elements, () => new Map());
  if (!byReader.has(read)) byReader.set(read, elements.map((element) => [element, read(element).map(normalise)]));
  return byReader.get(read);
}

/**
 * @param {Element[]} elements
 * @param {string} name
 * @param {(text: string) => string} normalise
 * @param {(element: Element) => string[]} [read]
 */
export function byName(elements, name, normalise, read = namesOf) {
  const wanted = normalise(name);
  const named = readNamed(elements, normalise, read);
  const pick = (/** @type {any} */ test) => innermost(named.filter(([, names]) => names.some(test)).map(([element]) => element));
  return [
    () => asSpelled(innermost(withName(named, wanted)), name, read),
    () => (read === namesOf ? innermost(elements.filter((element) => shownOn(element).some((each) => normalise(each) === wanted))) : []),
    () => pick((/** @type {string} */ each) => hasWords(each, wanted)),
    () => pick((/** @type {string} */ each) => hasSome(each, wanted)),
  ];
}

const MOST_BEFORE = 4000; // characters in front of a field, with all that is blank

/**
 * The text right in front of a field that has no label: "Date: ", in the same line or in the cell before.
 * @param {Element} field
 */
export function captionsOf(field) {
  let text = '';
  /** @type {any} */
  let each = field.previousSibling;
  for (; each && text.length <= MOST_BEFORE; each = each.previousSibling) {
    if (each.nodeType === Node.ELEMENT_NODE && (each.matches(`br, hr, ${CONTROLS}`) || each.querySelector(CONTROLS) || isSliderLike(each))) break;
    if (each.nodeType === Node.TEXT_NODE || (each.nodeType === Node.ELEMENT_NODE && isVisible(each))) text = each.textContent + text;
  }
  const isBlank = () => text.length <= MOST_BEFORE && !fold(text);
  for (let around = field.parentElement, level = 0; isBlank() && around && isAlone(around) && level < 3; around = around.parentElement, level += 1) {
    const before = around.previousElementSibling;
    if (before && isVisible(before) && !before.querySelector(CONTROLS)) text = before.textContent;
    if (before) break;
  }
  return text.length <= MOST_BEFORE && fold(text) && fold(text).length <= LONGEST_CAPTION ? [text] : [];
}

/** @param {Element} around */
const isAlone = (around) => Array.from(around.children).filter(isVisible).length === 1;
