/**
 * Refs: what finds an element again for as long as it lives, whatever becomes of the page around it.
 *
 * Numbers are given out by Python, so that no two documents of a session have the same; a ref of a page that was left names nothing.
 */

/** @type {WeakMap<Element, string>} */
const refs = new WeakMap();
/** @type {Map<string, WeakRef<Element>>} */
const elements = new Map();
const gone = new FinalizationRegistry((/** @type {string} */ ref) => { elements.delete(ref); });
let next = 0;

/**
 * From here on new refs are counted.
 * @param {number} number
 */
export function countFrom(number) { next = number; }

/** The number of the next new ref. */
export const nextNumber = () => next;

/**
 * The ref of an element, which it keeps.
 * @param {Element} element
 */
export function refOf(element) {
  const known = refs.get(element);
  if (known) return known;
  const ref = `e${next}`;
  next += 1;
  refs.set(element, ref);
  elements.set(ref, new WeakRef(element));
  gone.register(element, ref);
  return ref;
}

/**
 * What has that ref, if it is on the page.
 * @param {string} ref
 */
export function elementWith(ref) {
  const element = elements.get(ref)?.deref();
  return element && element.isConnected ? element : null;
}

/**
 * @param {any} root
 * @param {{ name: string }} query
 */
export function findRef(root, { name }) {
  const element = elementWith(name);
  return element ? [element] : [];
}
