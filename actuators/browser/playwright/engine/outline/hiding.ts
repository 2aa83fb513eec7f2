import { nameOf } from '../names/naming.ts';
import { CONTROLS, HEADINGS, isPressable, roleOf } from '../names/roles.ts';
import { isVisible } from '../names/sight.ts';
import { findAll, tagOf } from '../names/tree.ts';
import { STRUCTURES } from '../things/kinds.ts';
import { firstText, tell } from '../things/wording.ts';

const LONGEST = 80;
const MOST_OPENERS = 5000;
const OPENERS = '[aria-controls], [popovertarget], [commandfor], [data-target], [data-bs-target], [href^="#"], label[for]';

let openers: Map<string, Element[]> | null = null;

export function forgetOpeners() { openers = null; }

/** What is said to open or hold the element of each id. */
function readOpeners() {
  const found = new Map();
  for (const each of findAll(document, OPENERS).slice(0, MOST_OPENERS)) {
    const told = [each.getAttribute('aria-controls'), each.getAttribute('popovertarget'), each.getAttribute('commandfor'), each.getAttribute('for'),
      ...['data-target', 'data-bs-target', 'href'].map((name) => /^#(.+)/.exec(each.getAttribute(name) || '')?.[1])];
    for (const id of told.flatMap((text) => (text || '').split(/\s+/)).filter(Boolean)) found.set(id, [...(found.get(id) || []), each]);
  }
  return found;
}

const byId = (part: any) => {
  openers ||= readOpeners();
  const ids = [part, ...Array.from(part.querySelectorAll('[id]')).slice(0, 3)].map((each) => each.id).filter((id) => typeof id === 'string' && id);
  return ids.flatMap((id) => openers?.get(id) || []).find((each) => isVisible(each) && !part.contains(each));
};

const byLabel = (part: any) => {
  const told = [part, part.querySelector('[aria-labelledby]')].filter(Boolean).flatMap((each) => (each.getAttribute('aria-labelledby') || '').split(/\s+/)).filter(Boolean);
  return told.map((id: string) => document.getElementById(id)).find((each: any) => each && isVisible(each) && isPressable(each) && !part.contains(each));
};

/** What stands right before it and is pressed, or is the only thing there that is. */
const byPlace = (part: any) => {
  const before = part.previousElementSibling;
  if (!before) return null;
  if (tagOf(before) === 'INPUT' && ['checkbox', 'radio'].includes(before.type)) return before;
  if (!isVisible(before) || before.matches('script, style, input, select, textarea')) return null;
  const inside = Array.from(before.querySelectorAll(CONTROLS)).filter(isVisible);
  if (inside.length) return inside.length === 1 ? inside[0] : null;
  return before.matches(CONTROLS) || before.hasAttribute('onclick') || getComputedStyle(before).cursor === 'pointer' ? before : null;
};

/** What brings a hidden part into sight, as far as that is told; where it holds something to act on, also what looks so. */
export const openerOf = (part: any, holds: boolean): any => byId(part) || byLabel(part) || (holds && byPlace(part)) || null;

/**
 * What a hidden part is called: its kind, and its name or heading.
 * @param isText Whether it is only read: then it goes by how it begins, too.
 */
export function tellPart(part: any, isText: boolean = false) {
  const inner = part.querySelector(Object.keys(STRUCTURES).map((role) => `[role=${role}]`).join(', '));
  const told = [part, inner].find((each) => each && STRUCTURES[roleOf(each)]);
  const kind = told ? STRUCTURES[roleOf(told)] : '';
  const heading = part.querySelector(`${HEADINGS}, legend, caption`);
  const named = told && nameOf(told) ? nameOf(told) : heading ? firstText(heading, 200) : isText ? firstText(part, 200) : '';
  const name = tell(named, LONGEST);
  return [kind, name && `"${name.replaceAll('"', "'")}"`].filter(Boolean).join(' ');
}
