import { namesOf } from './naming.js';
import { CONTAINERS, CONTROLS, EDITABLE, isSliderLike } from './roles.js';
import { isVisible } from './sight.js';
import { fold, hasSome, hasWords, LONGEST_CAPTION } from './texts.js';
import { innermost } from './tree.js';

/**
 * What is read on something that is named differently.
 * @param {Element} element
 */
const shownOn = (element) => (element.matches('[aria-label], [aria-labelledby]') && !element.matches(`${EDITABLE}, input, ${CONTAINERS}`)
  ? [element.innerText || ''] : []);

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
 * @param {Element[]} elements
 * @param {string} name
 * @param {(text: string) => string} normalise
 * @param {(element: Element) => string[]} [read]
 */
export function byName(elements, name, normalise, read = namesOf) {
  const wanted = normalise(name);
  /** @type {[Element, string[]][]} */
  const named = elements.map((element) => [element, read(element).map(normalise)]);
  const pick = (/** @type {any} */ test) => innermost(named.filter(([, names]) => names.some(test)).map(([element]) => element));
  return [
    () => asSpelled(pick((/** @type {string} */ each) => each === wanted), name, read),
    () => (read === namesOf ? innermost(elements.filter((element) => shownOn(element).some((each) => normalise(each) === wanted))) : []),
    () => pick((/** @type {string} */ each) => hasWords(each, wanted)),
    () => pick((/** @type {string} */ each) => hasSome(each, wanted)),
  ];
}

/**
 * The text right in front of a field that has no label: "Date: ", in the same line or in the cell before.
 * @param {Element} field
 */
export function captionsOf(field) {
  let text = '';
  /** @type {any} */
  let each = field.previousSibling;
  for (; each; each = each.previousSibling) {
    if (each.nodeType === Node.ELEMENT_NODE && (each.matches(`br, hr, ${CONTROLS}`) || each.querySelector(CONTROLS) || isSliderLike(each))) break;
    if (each.nodeType === Node.TEXT_NODE || (each.nodeType === Node.ELEMENT_NODE && isVisible(each))) text = each.textContent + text;
  }
  for (let around = field.parentElement, level = 0; !fold(text) && around && isAlone(around) && level < 3; around = around.parentElement, level += 1) {
    const before = around.previousElementSibling;
    if (before && isVisible(before) && !before.querySelector(CONTROLS)) text = before.textContent;
    if (before) break;
  }
  return fold(text) && fold(text).length <= LONGEST_CAPTION ? [text] : [];
}

/** @param {Element} around */
const isAlone = (around) => Array.from(around.children).filter(isVisible).length === 1;
