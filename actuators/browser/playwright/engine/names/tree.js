import { isRemembering, once } from './memory.js';

/**
 * As in HTML, also where the document is XHTML, which writes its own small.
 * @param {any} node
 */
export const tagOf = (node) => (node.nodeName === node.localName && node.namespaceURI === 'http://www.w3.org/1999/xhtml' ? node.nodeName.toUpperCase() : node.nodeName);

/**
 * @param {Element} element
 * @param {string} id
 */
export const withId = (element, id) => id && element.getRootNode().querySelector(`#${CSS.escape(id)}`);

/**
 * @param {Root} root
 * @returns {ShadowRoot[]}
 */
const shadowsIn = (root) => once('shadows', root, () => {
  const whole = root.getRootNode();
  if (isRemembering() && whole !== root) return shadowsIn(whole).filter(({ host }) => host !== root && root.contains(host));
  /** @type {ShadowRoot[]} */
  const found = [];
  for (const element of root.querySelectorAll('*')) if (element.shadowRoot) found.push(element.shadowRoot);
  return found;
});

/**
 * What fits, in shadow trees, too. Nobody may change the list, which others may be given as well.
 * @param {Root} root
 * @param {string} css
 * @returns {Element[]}
 */
export const findAll = (root, css) => once(css, root, () => {
  const found = Array.from(root.querySelectorAll(css));
  for (const shadow of shadowsIn(root)) for (const each of findAll(shadow, css)) found.push(each);
  return found;
});

/** @param {Root} root */
export const scopeOf = (root) => (root.shadowRoot && !root.childElementCount ? root.shadowRoot : root);

/**
 * Around an element as it is drawn: what is put into a slot stands inside of the shadow tree that the slot is in.
 * @param {any} node
 */
const drawnIn = (node) => node.assignedSlot || node.parentElement || node.getRootNode().host || null;

/** @param {Element[]} elements */
export function innermost(elements) {
  const outer = new Set();
  for (const one of elements) for (let up = drawnIn(one); up && !outer.has(up); up = drawnIn(up)) outer.add(up);
  return elements.filter((one) => !outer.has(one));
}

/** @param {Element} element */
export const classText = (element) => element.getAttribute('class') || '';

/** @param {Element} element */
export const isInSvg = (element) => Boolean(element.ownerSVGElement);

/** @param {Element} element */
export const isDrawing = (element) => element.matches('svg *');

/** Where a page names something "title", that stands before its own. */
export const titleNow = () => String(document.title ?? '');

/** @param {Root} root */
export const wholeOf = (root) => document.body || root;

/**
 * @template T
 * @param {T[]} elements
 */
export const unique = (elements) => [...new Set(elements)];

/** @param {any} element */
export const classOf = (element) => String(element.getAttribute('class') || '');

/** @param {Element[]} elements */
export function outermost(elements) {
  const all = new Set(elements);
  return elements.filter((element) => {
    for (let up = element.parentElement; up; up = up.parentElement) if (all.has(up)) return false;
    return true;
  });
}

/**
 * @param {any} outer
 * @param {any} inner
 */
export function holds(outer, inner) {
  for (let each = inner; each; each = each.parentNode || each.host) if (each === outer) return true;
  return false;
}

/**
 * What an act on an element would really act on. Attributes are read past what a form's own fields may stand in front of.
 * @param {Element} element
 * @param {string} name
 */
export function attributeOf(element, name) { return Element.prototype.getAttribute.call(element, name); }

/** @param {string} text */
export function addressOf(text) { try { return new URL(text, document.baseURI).href; } catch { return text; } }

export function activeElement() {
  let active = document.activeElement;
  while (active && active.shadowRoot && active.shadowRoot.activeElement) active = active.shadowRoot.activeElement;
  return active;
}
