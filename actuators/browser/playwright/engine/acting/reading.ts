import { readTick } from './choices.ts';
import { editedText } from './entering.ts';
import { isSecret } from '../names/secrecy.ts';
import { fieldOf } from './fields.ts';
import { childText, nameOf } from '../names/naming.ts';
import { BUTTON_TYPES, PRESSED } from '../names/roles.ts';
import { disabledBecause, isVisible } from '../names/sight.ts';
import { cut, fold, key } from '../names/texts.ts';
import { findAll, scopeOf, tagOf, titleNow, wholeOf } from '../names/tree.ts';

export function shownText(element: Element) {
  if (parts.has(element)) return parts.get(element);
  const field = fieldOf(element);
  if (field.matches('input, textarea')) return isSecret(field) ? '' : BUTTON_TYPES.concat('checkbox', 'radio').includes(field.type) ? nameOf(field) : field.value;
  if (tagOf(field) === 'SELECT') return Array.from(field.selectedOptions, (option: any) => fold(option.label)).join(', ');
  return element.innerText ?? element.textContent ?? '';
}

export function typedValue(element: Element) {
  const field = fieldOf(element);
  if (isSecret(field)) return null;
  if (field.matches('input[type=checkbox], input[type=radio]')) return field.checked;
  if (field.matches('input[type=number], input[type=range]')) return field.value === '' ? null : Number(field.value);
  if (tagOf(field) === 'SELECT') {
    const values = Array.from(field.selectedOptions, (option: any) => option.value);
    return field.multiple ? values : values[0] ?? null;
  }
  if (field.matches('input, textarea')) return field.value;
  if (field.hasAttribute('aria-checked')) return field.getAttribute('aria-checked') === 'true';
  if (field.hasAttribute('aria-valuenow')) return Number(field.getAttribute('aria-valuenow'));
  return field.isContentEditable ? editedText(field) : fold(shownText(field));
}

export function readText(element: Element, { most }: { most: number }) { return cut(shownText(element), most); }

export function readWhole(root: Root, { most }: { most: number }) { return cut(shownText(wholeOf(root)), most); }

export function readTyped(element: Element, { most }: { most: number }) {
  const field = fieldOf(element);
  return { value: typedValue(element), secret: isSecret(field), ...cut(shownText(element), most) };
}

export function readHtml(element: Element, { most }: { most: number }) {
  if (!Array.from(element.querySelectorAll('input[value]')).concat(element).some((each) => tagOf(each) === 'INPUT' && isSecret(each))) {
    return cut(element.outerHTML, most);
  }
  const copy = element.cloneNode(true);
  for (const field of [copy, ...copy.querySelectorAll('input')]) if (tagOf(field) === 'INPUT' && isSecret(field)) field.removeAttribute('value');
  return cut(copy.outerHTML, most);
}

export function readSecrets(element: Element) { return findAll(element, 'input, textarea').filter((field) => isSecret(field) && field.value).map((field) => field.value); }

export function readLinks(element: Element) {
  const inside = findAll(scopeOf(element), 'a[href], area[href]');
  const all = element.matches('a[href]') ? [element, ...inside] : inside;
  return all.map((link) => ({ text: nameOf(link), url: link.href }));
}

/** The text as it is written, whatever a style makes of it; of a part only the part. */
function contentOf(element: Element) {
  const text = element.textContent || '';
  return parts.has(element) && key(parts.get(element)) !== key(text) ? parts.get(element) : text;
}

export function readState(element: Element) {
  const field = fieldOf(element);
  const tick = readTick(element);
  return { visible: isVisible(element) && element.getBoundingClientRect().width > 0 && element.getBoundingClientRect().height > 0,
    enabled: !disabledBecause(element), checked: tick && !tick.mixed ? tick.checked : tick ? null : undefined, tickable: Boolean(tick),
    text: shownText(element), content: contentOf(element), secret: isSecret(field),
    value: field.matches('input, textarea, select') ? field.value : field.isContentEditable ? editedText(field) : null };
}

const MOST_LINES = 2000;

export const listLines = (root: Root) => [...new Set(shownText(wholeOf(root)).split('\n').map((line: any) => line.trim()).filter(Boolean))].slice(0, MOST_LINES);

/** What is to be read on a page. A text that isn't to be found in it so is looked for as it is written, too: styles write capitals. */
export function pageText(root: Root, { text }: { text?: string }) {
  const shown = shownText(wholeOf(root));
  const isThere = !text || fold(shown).includes(fold(text));
  return { shown, title: titleNow(), written: isThere ? '' : childText(wholeOf(root)) };
}
export const parts = new Map(); // what of an element's text is the value, by element

export function keepPart(element: Element, text: string) {
  if (!parts.size) Promise.resolve().then(() => { parts.clear(); });
  parts.set(element, parts.has(element) && parts.get(element) !== text ? shownIn(element) : text);
  return element;
}

export function shownIn(element: Element) {
  const shown = (element.innerText || '').trim() || fold(childText(element));
  const pressed = Array.from(element.querySelectorAll(PRESSED)).filter(isVisible).map((each) => each.innerText || '');
  return pressed.length && fold(shown) === fold(pressed.join(' ')) ? '' : shown;
}
