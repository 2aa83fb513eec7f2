import { readTick } from './choices.js';
import { editedText } from './entering.js';
import { isSecret } from '../names/secrecy.js';
import { fieldOf } from './fields.js';
import { childText, nameOf } from '../names/naming.js';
import { BUTTON_TYPES, PRESSED } from '../names/roles.js';
import { disabledBecause, isVisible } from '../names/sight.js';
import { cut, fold, key } from '../names/texts.js';
import { findAll, scopeOf, tagOf, titleNow, wholeOf } from '../names/tree.js';

/** @param {Element} element */
export function shownText(element) {
  if (parts.has(element)) return parts.get(element);
  const field = fieldOf(element);
  if (field.matches('input, textarea')) return isSecret(field) ? '' : BUTTON_TYPES.concat('checkbox', 'radio').includes(field.type) ? nameOf(field) : field.value;
  if (tagOf(field) === 'SELECT') return Array.from(field.selectedOptions, (option) => fold(option.label)).join(', ');
  return element.innerText ?? element.textContent ?? '';
}

/** @param {Element} element */
export function typedValue(element) {
  const field = fieldOf(element);
  if (isSecret(field)) return null;
  if (field.matches('input[type=checkbox], input[type=radio]')) return field.checked;
  if (field.matches('input[type=number], input[type=range]')) return field.value === '' ? null : Number(field.value);
  if (tagOf(field) === 'SELECT') {
    const values = Array.from(field.selectedOptions, (option) => option.value);
    return field.multiple ? values : values[0] ?? null;
  }
  if (field.matches('input, textarea')) return field.value;
  if (field.hasAttribute('aria-checked')) return field.getAttribute('aria-checked') === 'true';
  if (field.hasAttribute('aria-valuenow')) return Number(field.getAttribute('aria-valuenow'));
  return field.isContentEditable ? editedText(field) : fold(shownText(field));
}

/**
 * @param {Element} element
 * @param {{ most: number }} query
 */
export function readText(element, { most }) { return cut(shownText(element), most); }

/**
 * @param {Root} root
 * @param {{ most: number }} query
 */
export function readWhole(root, { most }) { return cut(shownText(wholeOf(root)), most); }

/**
 * @param {Element} element
 * @param {{ most: number }} query
 */
export function readTyped(element, { most }) {
  const field = fieldOf(element);
  return { value: typedValue(element), secret: isSecret(field), ...cut(shownText(element), most) };
}

/**
 * @param {Element} element
 * @param {{ most: number }} query
 */
export function readHtml(element, { most }) {
  if (!Array.from(element.querySelectorAll('input[value]')).concat(element).some((each) => tagOf(each) === 'INPUT' && isSecret(each))) {
    return cut(element.outerHTML, most);
  }
  const copy = element.cloneNode(true);
  for (const field of [copy, ...copy.querySelectorAll('input')]) if (tagOf(field) === 'INPUT' && isSecret(field)) field.removeAttribute('value');
  return cut(copy.outerHTML, most);
}

/** @param {Element} element */
export function readSecrets(element) { return findAll(element, 'input, textarea').filter((field) => isSecret(field) && field.value).map((field) => field.value); }

/** @param {Element} element */
export function readLinks(element) {
  const inside = findAll(scopeOf(element), 'a[href], area[href]');
  const all = element.matches('a[href]') ? [element, ...inside] : inside;
  return all.map((link) => ({ text: nameOf(link), url: link.href }));
}

/**
 * The text as it is written, whatever a style makes of it; of a part only the part.
 * @param {Element} element
 */
function contentOf(element) {
  const text = element.textContent || '';
  return parts.has(element) && key(parts.get(element)) !== key(text) ? parts.get(element) : text;
}

/** @param {Element} element */
export function readState(element) {
  const field = fieldOf(element);
  const tick = readTick(element);
  return { visible: isVisible(element) && element.getBoundingClientRect().width > 0 && element.getBoundingClientRect().height > 0,
    enabled: !disabledBecause(element), checked: tick && !tick.mixed ? tick.checked : tick ? null : undefined, tickable: Boolean(tick),
    text: shownText(element), content: contentOf(element), secret: isSecret(field),
    value: field.matches('input, textarea, select') ? field.value : field.isContentEditable ? editedText(field) : null };
}

const MOST_LINES = 2000;

/** @param {Root} root */
export const listLines = (root) => [...new Set(shownText(wholeOf(root)).split('\n').map((/** @type {any} */ line) => line.trim()).filter(Boolean))].slice(0, MOST_LINES);

/**
 * What is to be read on a page. A text that isn't to be found in it so is looked for as it is written, too: styles write capitals.
 * @param {Root} root
 * @param {{ text?: string }} query
 */
export function pageText(root, { text }) {
  const shown = shownText(wholeOf(root));
  const isThere = !text || fold(shown).includes(fold(text));
  return { shown, title: titleNow(), written: isThere ? '' : childText(wholeOf(root)) };
}
export const parts = new Map(); // what of an element's text is the value, by element

/**
 * @param {Element} element
 * @param {string} text
 */
export function keepPart(element, text) {
  if (!parts.size) Promise.resolve().then(() => { parts.clear(); });
  parts.set(element, parts.has(element) && parts.get(element) !== text ? shownIn(element) : text);
  return element;
}

/** @param {Element} element */
export function shownIn(element) {
  const shown = (element.innerText || '').trim() || fold(childText(element));
  const pressed = Array.from(element.querySelectorAll(PRESSED)).filter(isVisible).map((each) => each.innerText || '');
  return pressed.length && fold(shown) === fold(pressed.join(' ')) ? '' : shown;
}
