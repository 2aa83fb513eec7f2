/** What a field has opened: what it says it controls, else what has come into sight since it was touched. */
import { roleOf } from '../names/roles.ts';
import { aroundOf, findAll, holds, idsIn, outermost, withId } from '../names/tree.ts';
import { boxOf, cutsAway, isConcealed, isDrawn } from './widgets.ts';
import { entriesIn } from './entries.ts';

const LEADS = ['aria-controls', 'aria-owns', 'aria-activedescendant', 'list'];
const MOST_LEVELS = 3;

let before: { token: string, seen: WeakSet<Element> } = { token: '', seen: new WeakSet() };

export function noteSight(token: string) {
  if (before.token === token) return;
  const drawn = findAll(document, '*').filter((each) => isDrawn(each) && each.checkVisibility({ opacityProperty: true }));
  const cut = new Set(drawn.filter(cutsAway).flatMap((each) => [each, ...findAll(each, '*')]));
  before = { token, seen: new WeakSet(drawn.filter((each) => !cut.has(each))) };
}

const ledTo = (element: Element) => LEADS.flatMap((name) => idsIn(element, name)).flatMap((id) => withId(element, id) || document.getElementById(id) || []);

function owned(field: Element) {
  const holders = [field, ...findAll(field, '[aria-controls], [aria-owns]')];
  for (let around = aroundOf(field), level = 0; around && level < MOST_LEVELS; around = aroundOf(around), level += 1) {
    if (around.matches('[role=combobox], [aria-owns], [aria-controls]')) holders.push(around);
  }
  return [...new Set(holders.flatMap(ledTo))].map((each) => (['option', 'treeitem', 'menuitem'].includes(roleOf(each)) ? each.closest('[role=listbox], [role=tree], [role=menu]') || each : each))
    .filter((each) => !holds(each, field));
}

const LISTING = '[role=listbox], [role=menu], [role=tree], [role=treegrid], [role=grid], [role=dialog]';

/** Whether it lies over the page, or says that it is a list; what a field just shows anew in its own line is neither. */
const isOver = (each: Element) => ['absolute', 'fixed'].includes(getComputedStyle(each).position) || each.matches(LISTING) || Boolean(each.querySelector(LISTING));

export function appeared(field: Element) {
  const fresh = findAll(document, '*').filter((each) => isDrawn(each) && !before.seen.has(each) && !each.matches('script, style'));
  const near = boxOf(field, []);
  return outermost(fresh).filter((each) => !isConcealed(each) && !holds(each, field) && (!holds(near, each) || isOver(each)));
}

/** The parts that hold what can be chosen; those that say so come first. */
export function regionsOf(field: Element): Element[] {
  const offering = (some: Element[]) => some.filter((each) => !isConcealed(each) && entriesIn(each).length);
  const told = offering(owned(field));
  return told.length ? told : offering(appeared(field));
}

export const openedBy = (field: Element) => [...new Set([...owned(field).filter(isDrawn), ...appeared(field)])];
