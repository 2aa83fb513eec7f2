import { BUTTON_TYPES, CONTAINERS, EDITABLE, HEADINGS, roleOf } from './roles.js';
import { fold } from './texts.js';
import { tagOf, titleNow, withId } from './tree.js';

// What was read in this query, in which the page can't change: the text of elements, and by root the labels of fields.
let texts = new Map();
let labels = new Map();
export function forgetTexts() { texts = new Map(); labels = new Map(); }

/** @param {any} node */
export function textOf(node) {
  if (node.nodeType === 3) return node.data;
  if (node.nodeType !== 1) return '';
  if (!texts.has(node)) texts.set(node, textIn(node));
  return texts.get(node);
}

/** @param {any} node */
function textIn(node) {
  if (['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE'].includes(tagOf(node)) || node.getAttribute('aria-hidden') === 'true') return '';
  if (tagOf(node) === 'IMG') return ` ${node.alt} `;
  if (tagOf(node) === 'BR') return ' ';
  if (node.hasAttribute('aria-label')) return ` ${node.getAttribute('aria-label')} `;
  const style = getComputedStyle(node);
  if (style.display === 'none' || style.visibility === 'hidden') return '';
  const kids = node.shadowRoot ? node.shadowRoot.childNodes
    : tagOf(node) === 'SLOT' && node.assignedNodes().length ? node.assignedNodes() : node.childNodes;
  const inner = Array.from(kids, textOf).join('');
  return style.display.startsWith('inline') ? inner : ` ${inner} `;
}

/**
 * What stands in an element outside of the elements in it.
 * @param {any} node
 */
export const ownText = (node) => fold(Array.from(node.childNodes, (each) => (each.nodeType === 3 ? each.data : ' ')).join(''));

/** @param {any} node */
export const childText = (node) => Array.from((node.shadowRoot || node).childNodes, textOf).join('');

/**
 * As element.labels, which goes through the whole document for each element.
 * @param {Element} element
 */
function labelsFor(element) {
  const root = element.getRootNode();
  if (!labels.has(root)) {
    const found = new Map();
    for (const label of root.querySelectorAll('label')) found.set(label.control, [...(found.get(label.control) || []), label]);
    labels.set(root, found);
  }
  return labels.get(root).get(element) || [];
}

/** @param {Element} element */
export function labelsOf(element) {
  const ids = (element.getAttribute('aria-labelledby') || '').split(/\s+/).filter(Boolean);
  const owners = ids.map((id) => withId(element, id)).filter(Boolean);
  if (owners.length) return [fold(owners.map((owner) => owner.getAttribute('aria-label') || childText(owner)).join(' '))];
  const own = fold(element.getAttribute('aria-label') || '');
  if (own) return [own];
  return labelsFor(element).map((/** @type {Element} */ label) => fold(childText(label))).filter(Boolean);
}

/** @type {Record<string, string>} */
const BUTTON_NAMES = { submit: 'Submit', reset: 'Reset' };
/** @type {Record<string, string>} */
const TITLES = { FIELDSET: 'legend', TABLE: 'caption', FIGURE: 'figcaption', DETAILS: 'summary' };

/** @param {Element} element */
function ownNames(element) {
  if (tagOf(element) === 'INPUT' && BUTTON_TYPES.includes(element.type)) {
    return [element.value || element.alt || BUTTON_NAMES[element.type] || ''];
  }
  const title = TITLES[tagOf(element)];
  const holder = title && Array.from(element.children).find((child) => child.matches(title));
  if (holder) return [childText(holder)];
  if (tagOf(element) === 'IMG') return [element.alt];
  return element.matches(`${EDITABLE}, input, ${CONTAINERS}`) ? [] : [childText(element)];
}

/** @param {Element} element */
export function namesOf(element) {
  const labels = labelsOf(element);
  const names = labels.length ? labels : ownNames(element).map(fold).filter(Boolean);
  if (element.placeholder) names.push(fold(element.placeholder));
  const isSaid = names.some((/** @type {string} */ name) => /[\p{L}\p{N}]/u.test(name)); // an icon is not what people call a button
  return isSaid || !element.title ? names : [...names, fold(element.title)];
}

/** @param {Element} element */
export const nameOf = (element) => namesOf(element)[0] || '';

/** @param {Element} element */
export function describe(element) {
  if (element === document.documentElement) return { role: 'document', name: titleNow(), tag: element.nodeName.toLowerCase() };
  const heading = element.matches(CONTAINERS) && element.querySelector(HEADINGS);
  const name = nameOf(element) || fold(((heading || element).innerText || element.textContent || '').slice(0, 400));
  return { role: roleOf(element), name: name.length > 80 ? `${name.slice(0, 80)}…` : name, tag: element.nodeName.toLowerCase(),
    ...(element.id && typeof element.id === 'string' && { id: element.id }) };
}

/** @param {Element} element */
export function whereOf(element) {
  for (let each = element.parentElement || element.getRootNode().host; each; each = each.parentElement || each.getRootNode().host) {
    if (each.matches('tr, [role=row], li, [role=listitem]')) {
      const text = each.querySelector('th, td, [role=rowheader], [role=cell]') || each;
      const name = (text === each && ownText(each)) || fold(childText(text));
      if (name && name.length < 60 && name !== nameOf(element)) return name;
    } else if (each.matches(CONTAINERS)) {
      const heading = Array.from(each.querySelectorAll(HEADINGS)).find((one) => one.closest(CONTAINERS) === each);
      const name = nameOf(each) || (heading ? fold(childText(heading)) : '');
      if (name) return name;
    }
  }
  return '';
}
