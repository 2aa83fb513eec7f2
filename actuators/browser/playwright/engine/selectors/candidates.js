/** What a selector might have meant, and the selectors that name each of several elements that were told of. */
import { describe, whereOf } from '../names/naming.js';
import { CONTROLS, HEADINGS } from '../names/roles.js';
import { isVisible } from '../names/sight.js';
import { findAll } from '../names/tree.js';
import { nameElements } from './selectors.js';

const SUITABLE = `${CONTROLS}, ${HEADINGS}, [onclick]`;
const MOST_CANDIDATES = 2000;

// What was told of under a token, until it is named.
/** @type {{ token: string, elements: Element[] }} */
let told = { token: '', elements: [] };

/**
 * Remembers an element that is told of; returns its place.
 * @param {Element} element
 * @param {{ token: string }} query
 */
export function keepTold(element, { token }) {
  if (told.token !== token) told = { token, elements: [] };
  return told.elements.push(element) - 1;
}

/**
 * The selectors of some of what was told of under a token.
 * @param {Root} root
 * @param {{ token: string, places: number[], limit_ms: number }} query
 */
export function nameTold(root, { token, places, limit_ms }) {
  const elements = told.token === token ? told.elements : [];
  told = { token: '', elements: [] };
  return nameElements(places.map((place) => elements[place] || null), { limit_ms }).map((named) => named && named.selector);
}

/**
 * What has a name and might have been meant.
 * @param {Root} root
 * @param {{ limit: number, token: string }} query
 */
export function listCandidates(root, { limit, token }) {
  const found = findAll(root, SUITABLE).filter(isVisible).slice(0, MOST_CANDIDATES);
  const named = found.map((element) => ({ element, facts: { ...describe(element), in: whereOf(element) } })).filter(({ facts }) => facts.name).slice(0, limit);
  for (const { element } of named) keepTold(element, { token });
  return named.map(({ facts }) => facts);
}
