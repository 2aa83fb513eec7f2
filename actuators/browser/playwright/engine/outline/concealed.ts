/** Parts that can't be seen as they are: one thing each, with what brings them into sight. */
import { tagOf } from '../names/tree.ts';
import { isTold } from '../names/texts.ts';
import { openerOf, tellPart } from './hiding.ts';
import { addHeld, countHeld } from './holdings.ts';
import { overOf } from './hovering.ts';
import { isField } from '../things/kinds.ts';
import { look, put } from '../things/look.ts';
import { firstText } from '../things/wording.ts';
import { roleOf } from '../names/roles.ts';

const MOST_NAMED = 20;

export function putHidden(element: any, level: number) {
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

/** What the mouse shows in one part is told once for all parts beside each other. */
function keepHovered(over: any, holds: [string, number][]) {
  const known = look.hovered.get(over.parentNode) || { over, holds: [] };
  look.hovered.set(over.parentNode, { over: known.over, holds: addHeld([known.holds, holds]) });
}

/** Tells what the mouse shows in what is in an element. */
export function putHovered(element: any, level: number) {
  const known = look.hovered.get(element);
  if (!known) return;
  look.hovered.delete(element);
  put({ element, level, kind: 'hidden', name: '', holds: known.holds, opener: known.over, takes: 'hover' });
}

/** What is in details that are closed. */
export function putClosed(details: any, level: number) {
  const summary = Array.from<Element>(details.children).find((each) => tagOf(each) === 'SUMMARY');
  const holds = countHeld(details, (each) => !summary?.contains(each));
  if (details.childElementCount > 1 || holds.length) put({ element: details, level, kind: 'hidden', name: '', holds, opener: summary });
}
