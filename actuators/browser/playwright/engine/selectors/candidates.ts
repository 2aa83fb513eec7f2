/** What a selector might have meant, and the selectors that name each of several elements that were told of. */
import { describe, whereOf } from '../names/naming.ts';
import { CONTROLS, HEADINGS } from '../names/roles.ts';
import { isVisible } from '../names/sight.ts';
import { findAll } from '../names/tree.ts';
import { nameElements } from './selectors.ts';

const SUITABLE = `${CONTROLS}, ${HEADINGS}, [onclick]`;
const MOST_CANDIDATES = 2000;

// What was told of under a token, until it is named.
let told: { token: string, elements: Element[] } = { token: '', elements: [] };

export function keepTold(element: Element, { token }: { token: string }) {
  if (told.token !== token) told = { token, elements: [] };
  return told.elements.push(element) - 1;
}

export function nameTold(_root: Root, { token, places, limit_ms }: { token: string, places: number[], limit_ms: number }) {
  const elements = told.token === token ? told.elements : [];
  told = { token: '', elements: [] };
  return nameElements(places.map((place) => elements[place] || null), { limit_ms }).map((named) => named && named.selector);
}

export function listCandidates(root: Root, { limit, token }: { limit: number, token: string }) {
  const found = findAll(root, SUITABLE).filter(isVisible).slice(0, MOST_CANDIDATES);
  const named = found.map((element) => ({ element, facts: { ...describe(element), in: whereOf(element) } })).filter(({ facts }) => facts.name).slice(0, limit);
  for (const { element } of named) keepTold(element, { token });
  return named.map(({ facts }) => facts);
}
