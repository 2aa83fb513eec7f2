import { once, remembered } from './memory.ts';
import { BUTTON_TYPES, CONTAINERS, EDITABLE, HEADINGS, roleOf } from './roles.ts';
import { isSecret } from './secrecy.ts';
import { cutName, fold, foldName } from './texts.ts';
import { idsIn, kidsOf, ledToBy, parentOf, tagOf, titleNow, withId } from './tree.ts';

// What was read in this query, in which the page can't change: the text of elements, and by root the labels of fields.
const texts = new Map();
const labels = new Map();
const contentNames = new Map();
const labelNames = new Map();
export function forgetTexts() { for (const known of [texts, labels, contentNames, labelNames]) known.clear(); }

export function textOf(node: any) {
  if (node.nodeType === 3) return node.data;
  if (node.nodeType !== 1) return '';
  if (!texts.has(node)) texts.set(node, textIn(node));
  return texts.get(node);
}

function textIn(node: any) {
  if (SKIPPED.includes(tagOf(node)) || node.getAttribute('aria-hidden') === 'true') return '';
  if (tagOf(node) === 'IMG') return ` ${node.alt} `;
  if (tagOf(node) === 'BR') return ' ';
  if (node.hasAttribute('aria-label')) return ` ${node.getAttribute('aria-label')} `;
  const style = getComputedStyle(node);
  if (style.display === 'none' || style.visibility === 'hidden') return '';
  const inner = kidsOf(node).map(textOf).join('');
  return style.display.startsWith('inline') ? inner : ` ${inner} `;
}

export const ownText = (node: any) => fold(Array.from(node.childNodes, (each: any) => (each.nodeType === 3 ? each.data : ' ')).join(''));

export const childText = (node: any) => Array.from((node.shadowRoot || node).childNodes, textOf).join('');

/** As element.labels, which goes through the whole document for each element. */
function labelsFor(element: Element) {
  const root = element.getRootNode();
  if (!labels.has(root)) labels.set(root, Map.groupBy(root.querySelectorAll('label'), (label: any) => label.control || withId(label, label.getAttribute('for') || '')));
  return labels.get(root).get(element) || [];
}

const MOST_AROUND = 6; // parts between a field and the part around it that a label leads to

/** The labels of the part that a field is in, where they lead to that part: HTML has no such label, but people read it as one of what is in there. */
export function labelsAround(element: Element) {
  for (let around = element.parentElement, level = 0; around && level < MOST_AROUND; around = around.parentElement, level += 1) {
    const found = around.id ? labelsFor(around) : [];
    if (found.length) return found.map((label: Element) => foldName(contentName(label, true))).filter(Boolean);
  }
  return [];
}

/** The parts of which a name is put together, where it is of several: each of them is one that people may say. */
export const nameParts = (element: Element) => once(nameParts, element, () => {
  const owners = ledToBy(element, 'aria-labelledby');
  return owners.length > 1 ? owners.map((owner) => foldName(partByReference(owner, element))) : [];
});

/** What stands in the labels that HTML leads to an element, and in each part of what names it: people read a label as it stands there, and a hint below it is no part of it. */
export const readLabelled = (element: Element) => once(readLabelled, element, () => {
  const owners = [...labelsFor(element), ...ledToBy(element, 'aria-labelledby').filter((each) => !element.contains(each))];
  const inner = owners.flatMap((owner) => (owner.childElementCount > 1 ? Array.from<Element>(owner.children) : [])).filter((part) => !part.contains(element));
  const isNamed = idsIn(element, 'aria-labelledby').length > 0 || element.hasAttribute('aria-label');
  return [...new Set([...(isNamed ? labelsFor(element) : []), ...inner])].map((each) => foldName(contentName(each, true))).filter(Boolean);
});

const SKIPPED = ['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE'];

/** What a style puts before or behind an element: its words, but no signs and no letters of icon fonts. */
function putBy(element: Element, place: '::before' | '::after') {
  const style = getComputedStyle(element, place), { content } = style;
  if (content === 'none' || content === 'normal' || style.display === 'none') return '';
  const [, plain, alternative] = /^((?:"(?:\\.|[^"])*"|[^/"])*)(?:\/(.*))?$/s.exec(content) || [];
  const words = [...(alternative || plain || '').matchAll(/"((?:\\.|[^"\\])*)"/g)].map(([, text]) => text.replace(/\\(.)/g, '$1')).join('');
  return /[\p{L}\p{N}]/u.test(words) ? (style.display.startsWith('inline') ? words : ` ${words} `) : '';
}

/** What a control holds, where it stands in the label of another (accname 1.2, 4.3.2, 2C); null for what is no such control. */
function embeddedValue(element: Element): string | null {
  switch (roleOf(element)) {
    case 'textbox': case 'searchbox': return isSecret(element) ? '' : element.value ?? element.textContent ?? '';
    case 'combobox': case 'listbox': return tagOf(element) === 'SELECT'
      ? Array.from(element.selectedOptions, (option: any) => fold(option.label)).join(' ')
      : element.value ?? Array.from(element.querySelectorAll('[role=option][aria-selected=true]'), childText).join(' ');
    case 'slider': case 'spinbutton': case 'progressbar': case 'meter': case 'scrollbar':
      return element.getAttribute('aria-valuetext') ?? element.getAttribute('aria-valuenow') ?? String(element.value ?? '');
    default: return null;
  }
}

/** The text of a part of a name (accname 1.2, 4.3.2, 2A to 2I). In the label of something else controls stand for what they hold. */
function partOfName(node: any, isLabel: boolean): string {
  if (node.nodeType === Node.TEXT_NODE) return cutName(node.data);
  if (node.nodeType !== Node.ELEMENT_NODE || SKIPPED.includes(tagOf(node)) || node.getAttribute('aria-hidden') === 'true') return '';
  const { display, visibility } = getComputedStyle(node);
  if (display === 'none' || visibility !== 'visible') return '';
  const inner = insideOfName(node, isLabel);
  return display.startsWith('inline') || display === 'contents' ? inner : ` ${inner} `;
}

function insideOfName(node: any, isLabel: boolean): string {
  if (tagOf(node) === 'BR') return ' ';
  const value = isLabel ? embeddedValue(node) : null;
  if (value !== null) return ` ${value} `;
  const label = cutName(node.getAttribute('aria-label') || '').trim();
  if (label) return ` ${label} `;
  const own = pictureName(node);
  const inner = own ?? (node.matches('input, select, textarea') ? '' : contentName(node, isLabel));
  return fold(inner) || !node.title ? inner : ` ${node.title} `;
}

function pictureName(element: Element) {
  if (element.matches('img, area')) return ` ${element.alt || ''} `;
  if (tagOf(element) !== 'svg') return null;
  const title = element.querySelector(':scope > title');
  return title ? ` ${title.textContent} ` : null;
}

/** What is written in an element, with what its style puts before and behind it (accname 1.2, 4.3.2, 2F). */
export function contentName(element: any, isLabel: boolean = false) {
  const known = isLabel ? labelNames : contentNames;
  if (!known.has(element)) {
    const inner = kidsOf(element).map((each) => partOfName(each, isLabel)).join('');
    known.set(element, cutName(putBy(element, '::before') + inner + putBy(element, '::after')));
  }
  return known.get(element) as string;
}

/** The text of what an `aria-labelledby` leads to; it counts where it is hidden, too (accname 1.2, 4.3.2, 2A and 2B). */
const referredName = (element: Element) => foldName(ledToBy(element, 'aria-labelledby').map((owner) => partByReference(owner, element)).join(' '));

/** An element that refers to itself goes by what it is called apart from that. */
const partByReference = (owner: Element, element: Element): string => (owner !== element ? insideOfName(owner, true)
  : (element.getAttribute('aria-label') || '').trim() || ownNames(element)[0] || element.title || '');

export const labelsOf = remembered((element: Element): string[] => {
  const own = referredName(element) || foldName(element.getAttribute('aria-label') || '');
  return own ? [own] : labelsFor(element).map((label: Element) => foldName(contentOfLabel(label, element))).filter(Boolean);
});

/** The label of a field says the values of other fields in it, and nothing of the field itself. */
function contentOfLabel(label: Element, field: Element) {
  if (!label.contains(field) || !label.querySelector('input, select, textarea, [role]')) return contentName(label, true);
  const kids = Array.from(label.childNodes, (each) => (each === field ? '' : partWithout(each, field)));
  return putBy(label, '::before') + kids.join('') + putBy(label, '::after');
}

function partWithout(node: any, field: Element): string {
  if (node === field) return '';
  if (!node.contains(field)) return partOfName(node, true);
  const text = Array.from(node.childNodes, (each) => partWithout(each, field)).join('');
  return getComputedStyle(node).display.startsWith('inline') ? text : ` ${text} `;
}

const BUTTON_NAMES: Record<string, string> = { submit: 'Submit', reset: 'Reset' };
const TITLES: Record<string, string> = { FIELDSET: 'legend', TABLE: 'caption', FIGURE: 'figcaption', DETAILS: 'summary' };

/** What HTML calls an element by (HTML-AAM 1.0, 4.1), else what is written in it. */
function ownNames(element: Element): string[] {
  if (element.matches('input[type=image]')) return [element.alt || element.title || element.value || 'Submit Query'];
  if (tagOf(element) === 'INPUT' && BUTTON_TYPES.includes(element.type)) return [element.value || BUTTON_NAMES[element.type] || ''];
  const title = TITLES[tagOf(element)];
  const holder = title && Array.from(element.children).find((child) => child.matches(title));
  if (holder) return [contentName(holder)];
  if (element.matches('option[label], optgroup[label]')) return [element.getAttribute('label') || ''];
  const picture = pictureName(element);
  if (picture !== null) return [picture];
  return element.matches(`${EDITABLE}, input, ${CONTAINERS}`) ? [] : [contentName(element)];
}

export const namesOf = remembered((element: Element): string[] => {
  const labels = labelsOf(element);
  const names = labels.length > 1 ? [...labels, labels.join(' ')] : labels.length ? labels : ownNames(element).map(foldName).filter(Boolean);
  const isSaid = names.some((name: string) => /[\p{L}\p{N}]/u.test(name)); // an icon is not what people call a button
  if (!isSaid && element.title) names.push(foldName(element.title));
  const placeholder = element.placeholder || element.getAttribute('aria-placeholder');
  return placeholder ? [...names, foldName(placeholder)] : names;
});

export function nameOf(element: Element) {
  const labels = labelsOf(element);
  return labels.length > 1 ? labels.join(' ') : namesOf(element)[0] || '';
}

export function describe(element: Element) {
  if (element === document.documentElement) return { role: 'document', name: titleNow(), tag: element.nodeName.toLowerCase() };
  const heading = element.matches(CONTAINERS) && element.querySelector(HEADINGS);
  const name = nameOf(element) || fold(((heading || element).innerText || element.textContent || '').slice(0, 400));
  return { role: roleOf(element), name: name.length > 80 ? `${name.slice(0, 80)}…` : name, tag: element.nodeName.toLowerCase(),
    ...(element.id && typeof element.id === 'string' && { id: element.id }) };
}

export function whereOf(element: Element) {
  for (let each = parentOf(element); each; each = parentOf(each)) {
    if (each.matches('tr, [role=row], li, [role=listitem]')) {
      const text = each.querySelector('th, td, [role=rowheader], [role=cell]') || each;
      const name = (text === each && ownText(each)) || fold(childText(text));
      if (name && name.length < 60 && name !== nameOf(element)) return name;
    } else if (each.matches(CONTAINERS)) {
      const heading = Array.from<Element>(each.querySelectorAll(HEADINGS)).find((one) => one.closest(CONTAINERS) === each);
      const name = nameOf(each) || (heading ? fold(childText(heading)) : '');
      if (name) return name;
    }
  }
  return '';
}
