/** Elements that a job goes on with, though what names them may name something else meanwhile: a list that has opened has the same label. */

/** @typedef {{ element: Element, path: [Element, number][] }} Pin */
/** @type {Map<string, Pin>} */
const pins = new Map();
const MOST_PINS = 20;

/** @param {Element} element */
const aroundOf = (element) => element.parentElement || /** @type {any} */ (element.getRootNode()).host || null;

/** @param {any} around */
const childrenOf = (around) => Array.from((around.shadowRoot && !around.childElementCount ? around.shadowRoot : around).children);

/**
 * @param {string} token
 * @param {Element} element
 */
export function pin(token, element) {
  /** @type {[Element, number][]} */
  const path = [];
  for (let each = element, around = aroundOf(each); around; each = around, around = aroundOf(each)) path.push([around, childrenOf(around).indexOf(each)]);
  pins.delete(token);
  pins.set(token, { element, path });
  if (pins.size > MOST_PINS) pins.delete(/** @type {string} */ (pins.keys().next().value));
  return element;
}

/**
 * What stands now where the element stood that the page has made anew.
 * @param {Pin} pinned
 */
function standingIn({ element, path }) {
  const known = path.findIndex(([around]) => around.isConnected);
  if (known < 0) return null;
  /** @type {any} */
  let each = path[known][0];
  for (let level = known; level >= 0 && each; level -= 1) each = childrenOf(each)[path[level][1]];
  return each && each.nodeName === element.nodeName ? each : null;
}

/**
 * Keeps an element under a name, whatever it is called later.
 * @param {Element} element
 * @param {{ token: string }} query
 */
export const keepPinned = (element, { token }) => { pin(token, element); return true; };

/**
 * @param {Root} root
 * @param {{ token: string, is_same: boolean }} query Whether only the very element counts, not one that the page has made in its place.
 */
export function findPinned(root, { token, is_same }) {
  const found = is_same ? pins.get(token)?.element : pinned(token);
  return found && found.isConnected ? [found] : [];
}

/**
 * @param {string} token
 * @returns {Element | null}
 */
export function pinned(token) {
  const found = pins.get(token);
  if (!found) return null;
  if (found.element.isConnected) return found.element;
  const other = standingIn(found);
  return other && pin(token, other);
}
