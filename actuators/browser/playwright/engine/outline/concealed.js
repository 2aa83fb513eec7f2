/** Parts that can't be seen as they are: one thing each, with what brings them into sight. */
import { tagOf } from '../names/tree.js';
import { isTold } from '../names/texts.js';
import { openerOf, tellPart } from './hiding.js';
import { addHeld, countHeld } from './holdings.js';
import { overOf } from './hovering.js';
import { isField } from '../things/kinds.js';
import { look, put } from '../things/look.js';
import { firstText } from '../things/wording.js';
import { roleOf } from '../names/roles.js';

const MOST_NAMED = 20;

/**
 * @param {any} element
 * @param {number} level
 */
export function putHidden(element, level) {
  const over = overOf(element);
  if (!over && !element.firstChild && !element.shadowRoot) return;
  const holds = countHeld(element);
  if (!holds.length && !isTold(firstText(element, 200))) return;
  const opener = openerOf(element, holds.length > 0 && !over);
  if (opener ? isField(opener, roleOf(opener)) : !holds.length) return; // what a field offers is told with it
  if (over && !opener && holds.length) {
    keepHovered(over, holds);
    return;
  }
  const name = tellPart(element, !holds.length);
  if (opener || (name && look.things.filter((each) => each.kind === 'hidden').length < MOST_NAMED)) put({ element, level, kind: 'hidden', name, holds, opener });
  else look.spare.push(holds);
}

/**
 * What the mouse shows in one part is told once for all parts beside each other.
 * @param {any} over
 * @param {[string, number][]} holds
 */
function keepHovered(over, holds) {
  const known = look.hovered.get(over.parentNode) || { over, holds: [] };
  look.hovered.set(over.parentNode, { over: known.over, holds: addHeld([known.holds, holds]) });
}

/**
 * Tells what the mouse shows in what is in an element.
 * @param {any} element
 * @param {number} level
 */
export function putHovered(element, level) {
  const known = look.hovered.get(element);
  if (!known) return;
  look.hovered.delete(element);
  put({ element, level, kind: 'hidden', name: '', holds: known.holds, opener: known.over, takes: 'hover' });
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
