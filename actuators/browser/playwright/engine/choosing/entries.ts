/** What can be chosen in a list, tree, menu or whatever a page has made in their place. */
import { nameOf } from '../names/naming.ts';
import { isPressable } from '../names/roles.ts';
import { disabledBecause } from '../names/sight.ts';
import { fold } from '../names/texts.ts';
import { allIn, findAll, kidsOf, scopeOf, tagOf } from '../names/tree.ts';
import { isDrawn } from './widgets.ts';

export const ENTRIES = '[role=option], [role=treeitem], [role=menuitem], [role=menuitemradio], [role=menuitemcheckbox], [role=treegrid] [role=row], [role=grid] [role=row]';
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
  return plain.length ? plain : pressed(list);
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
    disabled: Boolean(disabledBecause(entry)) || entry.hasAttribute('disabled') || entry.hasAttribute('data-disabled'),
    folds: foldsUp(entry), expanded: entry.getAttribute('aria-expanded') === null ? null : entry.getAttribute('aria-expanded') === 'true', role: entry.getAttribute('role') || '' };
}

/** What opens the entries below an entry: something without words before its text, in it or beside it. */
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

/** Where an entry is pressed: its own line, where others stand below it. */
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
