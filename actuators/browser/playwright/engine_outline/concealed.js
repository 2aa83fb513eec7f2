/** Parts that can't be seen as they are: one thing each, with what brings them into sight. */
import { tagOf } from '../engine_names/tree.js';
import { isTold } from '../engine_names/texts.js';
import { openerOf, tellPart } from './hiding.js';
import { countHeld } from './holdings.js';
import { isField } from './kinds.js';
import { look, put } from './look.js';
import { firstText } from './wording.js';
import { roleOf } from '../engine_names/roles.js';

const MOST_NAMED = 20;

/**
 * @param {any} element
 * @param {number} level
 */
export function putHidden(element, level) {
  if (!element.firstChild && !element.shadowRoot) return;
  const holds = countHeld(element);
  if (!holds.length && !isTold(firstText(element, 200))) return;
  const opener = openerOf(element, holds.length > 0);
  if (opener ? isField(opener, roleOf(opener)) : !holds.length) return; // what a field offers is told with it
  const name = tellPart(element);
  if (opener || (name && look.things.filter((each) => each.kind === 'hidden').length < MOST_NAMED)) put({ element, level, kind: 'hidden', name, holds, opener });
  else look.spare.push(holds);
}

/**
 * What is in details that are closed.
 * @param {any} details
 * @param {number} level
 */
export function putClosed(details, level) {
  const summary = Array.from(details.children).find((each) => tagOf(each) === 'SUMMARY');
  const holds = countHeld(details, (each) => !summary?.contains(each));
  if (details.childElementCount > 1 || holds.length) put({ element: details, level, kind: 'hidden', name: '', holds, opener: summary });
}
