/** What a field offers to choose from, and the parts of it that are touched for that. */
import { beginAct } from '../acting/settling.ts';
import { describe, nameOf } from '../names/naming.ts';
import { disabledBecause } from '../names/sight.ts';
import { aroundOf, findAll, holds, idsIn, outermost, withId } from '../names/tree.ts';
import { entriesIn, lineOf, readEntry, toggleOf } from './entries.ts';
import { pin, pinned } from './pinning.ts';
import { boxOf, cutsAway, fieldFor, isConcealed, isDrawn, isDrawnList, isList, isTyped, modelOf, openersIn, opensSomething, pressedPart, shownTexts, typedPart } from './widgets.ts';
import { isPressable, roleOf } from '../names/roles.ts';
import { fold } from '../names/texts.ts';

const BUSY = '[aria-busy=true], [role=progressbar]';
const MANY = '[aria-multiselectable=true], [role=menuitemcheckbox], [role=option] input[type=checkbox]';

const regionsFor = (field: Element) => (isList(field) ? [field] : regionsOf(field));

const entriesFor = (field: Element) => [...new Set(regionsFor(field).flatMap(entriesIn))];

function kindOf(field: any) {
  if (field.matches('select')) return 'native';
  if (isList(field)) return 'list';
  if (opensSomething(field) || field.matches('button, [role=button], [tabindex="0"]')) return isTyped(field) || opensSomething(field) ? 'opens' : 'pressed';
  if (isDrawnList(field)) return isTyped(field) ? 'opens' : 'pressed';
  return isTyped(field) ? 'typed' : 'other';
}

function expansionOf(field: Element) {
  const told = field.closest('[aria-expanded]');
  return told && (told === field || told.matches('[role=combobox]')) ? told.getAttribute('aria-expanded') === 'true' : null;
}

export function readOffer(element: Element, { token }: { token: string }) {
  const known = pinned(token);
  const field: any = known || pin(token, fieldFor(element));
  if (!known) noteSight(token);
  const regions = regionsFor(field), shut = openedBy(field);
  const model = findAll(document, 'select').length ? modelOf(field, shut) : null;
  return { kind: kindOf(field), element: describe(field), disabled: disabledBecause(field), open: regions.some(isDrawn), expanded: expansionOf(field), model,
    typed: Boolean(typedPart(field, regions, shut)),
    text: isTyped(field) ? field.value ?? field.textContent ?? '' : null, invalid: field.getAttribute('aria-invalid') === 'true',
    multiple: field.matches('[aria-multiselectable=true]') || regions.some((each) => each.matches(MANY) || Boolean(each.querySelector(MANY))),
    busy: [field, ...shut].some((each) => each.matches(BUSY) || findAll(each, BUSY).some(isDrawn)), in_form: Boolean(field.closest('form')),
    chips: isList(field) ? [] : chipsOf(field, shut).map(({ text }) => text), shown: isList(field) ? [] : shownTexts(field, shut), options: entriesFor(field).map(readEntry) };
}

export function findOffered(_root: Root, { token, what, index = 0 }: { token: string, what: string, index?: number }) {
  const field = pinned(token);
  if (!field) return [];
  const parts: Record<string, () => (Element | null | undefined)> = {
    asked: () => field, field: () => field, press: () => pressedPart(field, openedBy(field)),
    text: () => typedPart(field, regionsFor(field), openedBy(field)), opener: () => openersIn(field, openedBy(field))[index],
    remover: () => chipsOf(field, openedBy(field))[index]?.remover,
    entry: () => { const entry = entriesFor(field)[index]; return entry && lineOf(entry); }, toggle: () => { const entry = entriesFor(field)[index]; return entry && toggleOf(entry); },
  };
  const part = parts[what]();
  if (part && what !== 'asked') beginAct(); // asking is no act: what the last one began still counts
  return part ? [part] : [];
}

function aboveOf(element: Element) {
  const found = [];
  for (let each = element.parentElement; each && each !== document.body; each = each.parentElement) found.push(each);
  return found;
}

export function scrollOffer(_root: Root, { token, from_start }: { token: string, from_start?: boolean }) {
  const field = pinned(token);
  const all = field ? regionsFor(field) : [];
  const inside = all.flatMap((region) => [region, ...findAll(region, '*')]);
  const around = all.flatMap((region) => aboveOf(region).filter((each) => field && !holds(each, field)));
  const scrollers = [...inside, ...around].filter((each) => each.scrollHeight > each.clientHeight + 1 && each.clientHeight > 0 && getComputedStyle(each).overflowY !== 'visible');
  for (const each of scrollers) {
    const start = each.scrollTop;
    each.scrollTo({ top: from_start ? 0 : start + each.clientHeight * 0.95, behavior: 'instant' });
    if (each.scrollTop !== start) return true;
  }
  return false;
}

const REMOVERS = 'button, a, [role=button], [role=img], svg, i, span, [aria-label], [title]';
const MOST_UP = 4;

const wordsOf = (element: Element) => fold(element.textContent || '').replace(/^[\u00d7\u2715\u2716\u2a2f\u2573xX]$/, '');

const isRemover = (element: Element) => isDrawn(element) && !wordsOf(element) && (isPressable(element) || element.matches('svg, [role=img]'));

function chipAround(remover: Element, box: Element) {
  for (let each = aroundOf(remover), level = 0; each && each !== box && level < MOST_UP; each = aroundOf(each), level += 1) {
    if (wordsOf(each)) return findAll(each, 'input, textarea, select, [role=combobox], [contenteditable=true]').length ? null : each;
  }
  return null;
}

const withoutSigns = (text: string) => text.replace(/^[\u00d7\u2715\u2716\u2a2f\u2573]\s*|\s*[\u00d7\u2715\u2716\u2a2f\u2573]$/g, '');

/** What a field shows one by one of what was chosen, each with something to take it out again. */
export function chipsOf(field: Element, regions: Element[]): { text: string, remover: Element }[] {
  const box = boxOf(field, regions);
  const removers: Map<Element, Element> = new Map();
  for (const remover of findAll(box, REMOVERS)) {
    if (!isRemover(remover) || regions.some((region) => holds(region, remover)) || holds(remover, field)) continue;
    const chip = chipAround(remover, box);
    if (chip && !holds(chip, field) && !removers.has(chip)) removers.set(chip, remover);
  }
  const inner = [...removers].filter(([chip]) => ![...removers.keys()].some((other) => other !== chip && holds(chip, other)));
  return inner.map(([chip, remover]) => ({ text: withoutSigns(wordsOf(chip)) || nameOf(chip), remover }));
}

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

export function regionsOf(field: Element): Element[] {
  const offering = (some: Element[]) => some.filter((each) => !isConcealed(each) && entriesIn(each).length);
  const told = offering(owned(field));
  return told.length ? told : offering(appeared(field));
}

export const openedBy = (field: Element) => [...new Set([...owned(field).filter(isDrawn), ...appeared(field)])];
