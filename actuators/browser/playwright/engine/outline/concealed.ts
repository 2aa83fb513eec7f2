/** Parts that can't be seen as they are: one thing each, with what brings them into sight. */
import { findAll, idsIn, tagOf } from '../names/tree.ts';
import { isTold } from '../names/texts.ts';
import { ACTED_ON, isField, STRUCTURES } from '../things/kinds.ts';
import { look, put } from '../things/look.ts';
import { firstText, tell } from '../things/wording.ts';
import { CONTROLS, EDITABLE, HEADINGS, isPressable, roleOf } from '../names/roles.ts';
import { nameOf } from '../names/naming.ts';
import { isVisible } from '../names/sight.ts';

const MOST_NAMED = 20;

export function putHidden(element: any, level: number) {
  const over = overOf(element);
  if (!over && !element.firstChild && !element.shadowRoot) return;
  const holds = countHeld(element);
  if (!holds.length && !isTold(firstText(element, 200))) return;
  const opener = openerOf(element, holds.length > 0 && !over);
  if (opener ? isField(opener, roleOf(opener)) : !holds.length) return; // what a field offers is told with it
  const name = tellPart(element, !holds.length);
  if (over && !opener && holds.length) keepHovered(over, holds);
  else if (opener || (name && look.things.filter((each) => each.kind === 'hidden').length < MOST_NAMED)) put({ element, level, kind: 'hidden', name, holds, opener });
  else look.spare.push(holds);
}

/** What the mouse shows in one part is told once for all parts beside each other. */
function keepHovered(over: any, holds: [string, number][]) {
  const known = look.hovered.get(over.parentNode) || { over, holds: [] };
  look.hovered.set(over.parentNode, { over: known.over, holds: addHeld([known.holds, holds]) });
}

export function putHovered(element: any, level: number) {
  const known = look.hovered.get(element);
  if (!known) return;
  look.hovered.delete(element);
  put({ element, level, kind: 'hidden', name: '', holds: known.holds, opener: known.over, takes: 'hover' });
}

export function putClosed(details: any, level: number) {
  const summary = Array.from<Element>(details.children).find((each) => tagOf(each) === 'SUMMARY');
  const holds = countHeld(details, (each) => !summary?.contains(each));
  if (details.childElementCount > 1 || holds.length) put({ element: details, level, kind: 'hidden', name: '', holds, opener: summary });
}

const MOST_COUNTED = 3000;

/** How many things to act on there are in a part that is not looked into, by kind; more than some thousands are not counted. */
export function countHeld(root: any, counts: (element: Element) => boolean = () => true): [string, number][] {
  const inside = findAll(root.shadowRoot || root, CONTROLS);
  const all: Element[] = root.matches?.(CONTROLS) ? [root, ...inside] : inside;
  const kinds = all.slice(0, MOST_COUNTED).filter(counts).map((element) => (element.matches(EDITABLE) ? 'field' : ACTED_ON[roleOf(element)]));
  return addHeld([kinds.filter(Boolean).map((kind) => [kind, 1])]);
}

export function addHeld(counts: [string, number][][]): [string, number][] {
  const held: Map<string, number> = new Map();
  for (const [kind, number] of counts.flat()) held.set(kind, (held.get(kind) || 0) + number);
  return [...held].sort((one, other) => other[1] - one[1]);
}

const LONGEST = 80;
const MOST_OPENERS = 5000;
const OPENERS = '[aria-controls], [popovertarget], [commandfor], [data-target], [data-bs-target], [href^="#"], label[for]';

let openers: Map<string, Element[]> | null = null;

export function forgetOpeners() { openers = null; }

function readOpeners() {
  const found = new Map();
  for (const each of findAll(document, OPENERS).slice(0, MOST_OPENERS)) {
    const told = ['aria-controls', 'popovertarget', 'commandfor', 'for'].flatMap((name) => idsIn(each, name));
    const anchored = ['data-target', 'data-bs-target', 'href'].flatMap((name) => idsIn(each, name)).filter((id) => id.length > 1 && id[0] === '#').map((id) => id.slice(1));
    for (const id of [...told, ...anchored]) found.set(id, [...(found.get(id) || []), each]);
  }
  return found;
}

const byId = (part: any) => {
  openers ||= readOpeners();
  const ids = [part, ...Array.from(part.querySelectorAll('[id]')).slice(0, 3)].map((each) => each.id).filter((id) => typeof id === 'string' && id);
  return ids.flatMap((id) => openers?.get(id) || []).find((each) => isVisible(each) && !part.contains(each));
};

const byLabel = (part: any) => {
  const told = [part, part.querySelector('[aria-labelledby]')].filter(Boolean).flatMap((each) => idsIn(each, 'aria-labelledby'));
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

export function tellPart(part: any, isText: boolean = false) {
  const inner = part.querySelector(Object.keys(STRUCTURES).map((role) => `[role=${role}]`).join(', '));
  const told = [part, inner].find((each) => each && STRUCTURES[roleOf(each)]);
  const kind = told ? STRUCTURES[roleOf(told)] : '';
  const heading = part.querySelector(`${HEADINGS}, legend, caption`);
  const named = told && nameOf(told) ? nameOf(told) : heading ? firstText(heading, 200) : isText ? firstText(part, 200) : '';
  const name = tell(named, LONGEST);
  return [kind, name && `"${name.replaceAll('"', "'")}"`].filter(Boolean).join(' ');
}

const MOST_RULES = 20_000;

type Showing = { shown: string, over: string }; // as CSS
let showings: Showing[] | null = null;

export function forgetShowings() { showings = null; }

const isShowing = (style: CSSStyleDeclaration) => (style.display && style.display !== 'none') || style.visibility === 'visible' || Number(style.opacity) > 0;

function readSelector(selector: string): Showing[] {
  const [over, ...rest] = selector.split(':hover');
  if (!rest.length || !/[\s>+~]/.test(rest.join(''))) return [];
  const shown = over + rest.join('');
  return CSS.supports(`selector(${shown})`) && CSS.supports(`selector(${over})`) ? [{ shown, over }] : [];
}

function readShowings(): Showing[] {
  const found: Showing[] = [];
  const lists = [...document.styleSheets, ...document.adoptedStyleSheets].map(rulesOf);
  for (let looked = 0; lists.length && looked < MOST_RULES;) {
    for (const rule of lists.pop() || []) {
      looked += 1;
      if (rule.cssRules?.length) lists.push(rule.cssRules);
      if (rule.selectorText?.includes(':hover') && isShowing(rule.style)) found.push(...rule.selectorText.split(',').flatMap((each: string) => readSelector(each.trim())));
    }
  }
  return found;
}

function rulesOf(sheet: CSSStyleSheet): any {
  try {
    return sheet.cssRules;
  } catch { // it is another site's
    return [];
  }
}

/** What the mouse must be over for a hidden part to be shown; null where no style says so. */
export function overOf(part: any): any {
  showings ||= readShowings();
  for (const { shown, over } of showings) {
    if (!part.matches(shown)) continue;
    const around = [part.parentElement?.closest(over), part.previousElementSibling].find((each) => each?.matches(over) && isVisible(each));
    if (around) return around;
  }
  return null;
}
