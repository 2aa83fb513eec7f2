/** What a field offers to choose from, and the parts of it that are touched for that. */
import { beginAct } from '../acting/settling.ts';
import { describe, nameOf } from '../names/naming.ts';
import { disabledBecause } from '../names/sight.ts';
import { above, allIn, aroundOf, findAll, holds, idsIn, innermost, kidsOf, outermost, scopeOf, tagOf, withId } from '../names/tree.ts';
import { pin, pinned } from './pinning.ts';
import { boxOf, cutsAway, fieldFor, isConcealed, isDrawn, isDrawnList, isList, isTyped, modelOf, openersIn, opensSomething, pressedPart, shownTexts, typedPart } from './widgets.ts';
import { isListening, isPressable, roleOf } from '../names/roles.ts';
import { fold } from '../names/texts.ts';

const ENTRIES = '[role=option], [role=treeitem], [role=menuitem], [role=menuitemradio], [role=menuitemcheckbox], [role=treegrid] [role=row], [role=grid] [role=row]';
const LISTED = '[role=listbox], [role=tree], [role=menu], [role=treegrid]'; // what says so has no options but those that say so
const PLAIN = '[aria-selected], li, [data-value]';
const STATES = ['aria-selected', 'aria-checked'];
const MOST_TEXTS = 6;

/** Also what was put into the slots of a list in a shadow tree. */
function within(list: Element, css: string) {
  const put = allIn(list, 'slot').flatMap((slot: any) => slot.assignedElements({ flatten: true })).flatMap((each) => [each, ...findAll(each, '*')]).filter((each) => each.matches(css));
  return [...new Set([...findAll(scopeOf(list), css), ...put, ...(list.shadowRoot ? findAll(list.shadowRoot, css) : [])])];
}

const says = (each: Element) => isDrawn(each) && Boolean(fold(each.textContent || '') || nameOf(each));

function pressed(list: Element) {
  const found = new Set(within(list, '*').filter((each) => says(each) && !each.matches('input, button, a') && isPressable(each)));
  return [...found].filter((each) => !found.has(each.parentElement as Element));
}

export function entriesIn(list: Element) {
  const told = within(list, ENTRIES).filter(says);
  if (told.length || [list, ...within(list, LISTED)].some((each) => each.matches(LISTED) && isDrawn(each))) return told;
  const plain = within(list, PLAIN).filter((each) => says(each) && !each.querySelector(PLAIN));
  return [plain, pressed(list)].find((some) => some.length) || (before.seen.has(list) ? [] : rowsIn(list));
}

/** The parts of the same kind that stand under each other in it. */
function stackIn(around: Element): Element[] {
  const parts = kidsOf(around).filter((each: any) => each.nodeType === Node.ELEMENT_NODE && says(each));
  const isBelow = (each: Element, other: Element) => each.getBoundingClientRect().top >= other.getBoundingClientRect().bottom - 1;
  return parts.every((each: Element, at: number) => tagOf(each) === tagOf(parts[0]) && (!at || isBelow(each, parts[at - 1]))) ? parts : [];
}

/** The rows of what has just come and doesn't say what it is: what listens to presses, the rows in it where one thing listens for all, else what stands in a stack. */
function rowsIn(list: Element) {
  const all = [list, ...within(list, '*')].filter(says);
  const heard = innermost(all.filter((each) => !each.matches('input, button, a') && isListening(each)));
  return [...(heard.length === 1 ? [stackIn(heard[0])] : []), heard, ...all.map(stackIn).filter((some) => some.length > 1)].find((some) => some.length) || [];
}

function ownTexts(entry: Element) {
  const texts: string[] = [];
  const walk = (node: any) => {
    if (node.nodeType === Node.TEXT_NODE) texts.push(fold(node.data));
    if (node.nodeType !== Node.ELEMENT_NODE || (node !== entry && (node.matches(`${ENTRIES}, [role=group], [role=menu], script, style, svg, [aria-hidden=true]`)
      || !node.checkVisibility({ visibilityProperty: true })))) return;
    if (tagOf(node) === 'IMG') texts.push(fold(node.alt));
    kidsOf(node).forEach(walk);
  };
  walk(entry);
  return texts.filter(Boolean);
}

const isNest = (entry: Element) => Boolean(entry.querySelector(`${ENTRIES}, [role=group], [role=menu], ul`)) || entry.matches('[role=row], [role=treeitem]');

function stateOf(entry: any) {
  const told = STATES.map((name) => entry.getAttribute(name)).filter((value) => value === 'true' || value === 'false');
  const box = isNest(entry) ? null : entry.querySelector('input[type=checkbox], input[type=radio]');
  return box ? box.checked : told.length ? told.includes('true') : null;
}

/** Whether something without words stands before the text of a branch of a tree, which may open it. */
function foldsUp(entry: Element) {
  if (!entry.matches('[role=treeitem]') || entry.hasAttribute('aria-expanded') || within(entry, ENTRIES).some(isDrawn)) return false;
  const toggle = toggleOf(entry), line = lineOf(entry);
  return Boolean(toggle) && line !== entry && (toggle as Element).getBoundingClientRect().left < line.getBoundingClientRect().left;
}

export function readEntry(entry: any) {
  const texts = ownTexts(entry);
  const label = fold(entry.getAttribute('aria-label') || texts.join(' ') || nameOf(entry));
  const value = entry.getAttribute('data-value') ?? entry.getAttribute('value') ?? (typeof entry.value === 'string' ? entry.value : '');
  return { label, texts: [...new Set([label, ...texts, texts.join('')])].slice(0, MOST_TEXTS), value, selected: stateOf(entry),
    disabled: Boolean(disabledBecause(entry)) || entry.matches('[disabled], [data-disabled]:not([data-disabled=false])'),
    folds: foldsUp(entry), expanded: entry.getAttribute('aria-expanded') === null ? null : entry.getAttribute('aria-expanded') === 'true', role: entry.getAttribute('role') || '' };
}

export function toggleOf(entry: Element) {
  const isSilent = (each: Element) => isDrawn(each) && !fold(each.textContent || '') && (isPressable(each) || each.matches('svg, i, span'));
  const around = entry.parentElement as Element;
  const beside = around && findAll(around, ENTRIES).filter((each) => each.parentElement === around).length === 1
    ? Array.from(around.children).slice(0, Array.from(around.children).indexOf(entry)).filter(isSilent) : [];
  const nested = new Set(within(entry, `${ENTRIES}, [role=group]`).flatMap((each) => [each, ...findAll(each, '*')]));
  const parts = within(entry, '*').filter((each) => !nested.has(each) && isDrawn(each));
  const silent = parts.filter((each) => isSilent(each) && (isPressable(each) || each.matches('svg')) && !each.matches('input, [role=checkbox]'));
  return [...beside, ...silent][0] || parts.find((each) => each.matches('button, [role=button]')) || null;
}

export function lineOf(entry: Element) {
  if (!isNest(entry)) return entry;
  let line: any = null;
  const walk = (node: any) => {
    if (line || node.nodeType !== Node.ELEMENT_NODE || (node !== entry && node.matches(`${ENTRIES}, [role=group], button, svg, [aria-hidden=true]`)) || !isDrawn(node)) return;
    if (Array.from(node.childNodes).some((each: any) => each.nodeType === Node.TEXT_NODE && fold(each.data))) line = node;
    else kidsOf(node).forEach(walk);
  };
  walk(entry);
  return line || entry;
}

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

export function scrollOffer(_root: Root, { token, from_start }: { token: string, from_start?: boolean }) {
  const field = pinned(token);
  const all = field ? regionsFor(field) : [];
  const inside = all.flatMap((region) => [region, ...findAll(region, '*')]);
  const around = all.flatMap((region) => above(region).filter((each) => field && !holds(each, field)));
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
