/** What a field has opened: what it says it controls, else what has come into sight since it was touched. */
import { roleOf } from '../names/roles.js';
import { findAll, holds, outermost, withId } from '../names/tree.js';
import { aroundOf, boxOf, cutsAway, isConcealed, isDrawn } from './widgets.js';
import { entriesIn } from './entries.js';

const LEADS = ['aria-controls', 'aria-owns', 'aria-activedescendant', 'list'];
const MOST_LEVELS = 3;

/** @type {{ token: string, seen: WeakSet<Element> }} */
let before = { token: '', seen: new WeakSet() };

/** @param {string} token */
export function noteSight(token) {
  if (before.token === token) return;
  const drawn = findAll(document, '*').filter((each) => isDrawn(each) && each.checkVisibility({ opacityProperty: true }));
  const cut = new Set(drawn.filter(cutsAway).flatMap((each) => [each, ...findAll(each, '*')]));
  before = { token, seen: new WeakSet(drawn.filter((each) => !cut.has(each))) };
}

/** @param {Element} element */
function ledTo(element) {
  const ids = LEADS.flatMap((name) => (element.getAttribute(name) || '').split(/\s+/)).filter(Boolean);
  return ids.flatMap((id) => withId(element, id) || document.getElementById(id) || []);
}

/** @param {Element} field */
function owned(field) {
  const holders = [field, ...findAll(field, '[aria-controls], [aria-owns]')];
  for (let around = aroundOf(field), level = 0; around && level < MOST_LEVELS; around = aroundOf(around), level += 1) {
    if (around.matches('[role=combobox], [aria-owns], [aria-controls]')) holders.push(around);
  }
  return [...new Set(holders.flatMap(ledTo))].map((each) => (['option', 'treeitem', 'menuitem'].includes(roleOf(each)) ? each.closest('[role=listbox], [role=tree], [role=menu]') || each : each))
    .filter((each) => !holds(each, field));
}

const LISTING = '[role=listbox], [role=menu], [role=tree], [role=treegrid], [role=grid], [role=dialog]';

/**
 * Whether it lies over the page, or says that it is a list; what a field just shows anew in its own line is neither.
 * @param {Element} each
 */
const isOver = (each) => ['absolute', 'fixed'].includes(getComputedStyle(each).position) || each.matches(LISTING) || Boolean(each.querySelector(LISTING));

/**
 * The outermost parts that have come into sight.
 * @param {Element} field
 */
export function appeared(field) {
  const fresh = findAll(document, '*').filter((each) => isDrawn(each) && !before.seen.has(each) && !each.matches('script, style'));
  const near = boxOf(field, []);
  return outermost(fresh).filter((each) => !isConcealed(each) && !holds(each, field) && (!holds(near, each) || isOver(each)));
}

/**
 * The parts that hold what can be chosen; those that say so come first.
 * @param {Element} field
 * @returns {Element[]}
 */
export function regionsOf(field) {
  const told = owned(field).filter((each) => !isConcealed(each) && entriesIn(each).length);
  if (told.length) return told;
  return appeared(field).filter((each) => !isConcealed(each) && entriesIn(each).length);
}

/** @param {Element} field */
export const openedBy = (field) => [...new Set([...owned(field).filter(isDrawn), ...appeared(field)])];
