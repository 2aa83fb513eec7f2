import { CONTROLS, EDITABLE, roleOf } from '../names/roles.ts';
import { findAll } from '../names/tree.ts';
import { ACTED_ON } from '../things/kinds.ts';

const MOST_COUNTED = 3000;

/** How many things to act on there are in a part that is not looked into, by kind; more than some thousands are not counted. */
export function countHeld(root: any, counts: (element: Element) => boolean = () => true): [string, number][] {
  const held: Map<string, number> = new Map();
  const inside = root.shadowRoot ? findAll(root.shadowRoot, CONTROLS) : findAll(root, CONTROLS);
  const all = root.matches?.(CONTROLS) ? [root, ...inside] : inside;
  for (const element of all.slice(0, MOST_COUNTED).filter(counts)) {
    const kind = element.matches(EDITABLE) ? 'field' : ACTED_ON[roleOf(element)];
    if (kind) held.set(kind, (held.get(kind) || 0) + 1);
  }
  return [...held].sort((one, other) => other[1] - one[1]);
}

/** Several counts as one. */
export function addHeld(counts: [string, number][][]): [string, number][] {
  const held: Map<string, number> = new Map();
  for (const [kind, number] of counts.flat()) held.set(kind, (held.get(kind) || 0) + number);
  return [...held].sort((one, other) => other[1] - one[1]);
}
