/** Parts that structure a page: which of them are told, and what they are called. */
import { labelsOf, nameOf } from '../names/naming.ts';
import { CONTAINERS, HEADINGS } from '../names/roles.ts';
import { isTold } from '../names/texts.ts';
import { tagOf } from '../names/tree.ts';
import { tellName } from './facts.ts';
import { look, unwrap, type Thing } from './look.ts';
import { calledWordsOf } from './things.ts';
import { firstText, tell } from './wording.ts';

const LONGEST_NAME = 120, LONGEST_VALUE = 200;
const LEAST_FURNITURE = 3, LEAST_ENTRIES = 6, LEAST_MENU = 4;
const TICKED = new Set(['checkbox', 'radio', 'switch']); // they say what is done with a row, not which one it is

/** What a part is called; never by all that is written in it. */
export const partName = (element: any) => tell(element.matches(CONTAINERS) ? nameOf(element) : labelsOf(element)[0] || '', LONGEST_NAME);

export function isDataTable(table: any) {
  if (tagOf(table) !== 'TABLE') return true;
  if (['presentation', 'none'].includes(table.getAttribute('role') || '') || table.querySelector('table')) return false;
  if (table.hasAttribute('role') || table.caption || table.tHead || table.querySelector('th')) return true;
  const rows = Array.from<any>(table.rows).slice(0, 3);
  return rows.length > 1 && rows.every((row) => row.cells.length > 1 && row.cells.length === rows[0].cells.length);
}

const KEPT: Record<string, (name: string, inside: number, acts: number) => boolean> = {
  dialog: () => true, table: () => true, listbox: () => true, menu: () => true, form: (name) => Boolean(name), region: (name) => Boolean(name),
  group: (name) => Boolean(name), article: (name, inside) => Boolean(name) && inside > 1, list: (name, inside) => Boolean(name) || inside >= LEAST_ENTRIES,
  navigation: (name, _inside, acts) => acts >= LEAST_FURNITURE || Boolean(name), sidebar: (_name, inside) => inside >= LEAST_FURNITURE,
  banner: (_name, _inside, acts) => acts >= LEAST_FURNITURE, footer: (_name, inside) => inside >= LEAST_FURNITURE, search: () => true,
  toolbar: (name, inside) => Boolean(name) || inside >= LEAST_MENU, menubar: () => true, tablist: (name) => Boolean(name),
  tree: (name, inside) => Boolean(name) || inside >= LEAST_MENU,
};

/** Ends a part: without anything in it, or where it says nothing, it is not told. */
export function closePart(at: number) {
  const part = look.things[at];
  const inside = look.things.length - at - 1;
  if (!inside && part.kind !== 'dialog') {
    look.things.splice(at, 1);
    return;
  }
  const acts = look.things.slice(at + 1).filter((each) => each.acts).length;
  const heading = part.kind === 'article' && !part.name && part.element.querySelector(HEADINGS);
  if (heading) part.name = tell(firstText(heading, 300), LONGEST_NAME);
  if (!KEPT[part.kind]?.(part.name, inside, acts)) unwrap(at);
  else dropTwice(at);
}

function dropTwice(at: number) {
  const { name, level } = look.things[at];
  const twice = look.things.findIndex((each, place) => place > at && place <= at + 3 && each.level === level + 1 && ['heading', 'text'].includes(each.kind) && each.name === name);
  if (twice > 0) look.things.splice(twice, 1);
}

/** Ends an entry of a list: with one thing in it, or a sentence with its links, that stands for it. */
export function closeEntry(at: number) {
  const inside = look.things.slice(at + 1);
  if (inside.length > 1 && inside.some((each) => each.kind === 'heading' || (each.acts && each.kind !== 'link'))) nameByFirst(at);
  else standFor(at, inside);
}

/** Ends a card: it is one where there is something to act on in it beside what is read. */
export function closeCard(at: number) {
  const inside = look.things.slice(at + 1);
  const acts = inside.filter((each) => each.acts && each.kind !== 'field');
  if (inside.length > 1 && acts.length) nameByFirst(at);
  else standFor(at, inside);
}

function standFor(at: number, inside: Thing[]) {
  const entry = look.things[at];
  if (entry.acts && !inside.length && (entry.name = tellName(entry.element) || calledWordsOf(entry.element))) return;
  if (entry.acts && inside.length && !inside.some((each) => each.acts)) Object.assign(inside[0], { kind: entry.kind, element: entry.element, acts: true, heading: 0 });
  for (const each of inside) if (each.level === entry.level + 1) each.alike ||= entry.alike;
  unwrap(at);
}

function nameByFirst(at: number) {
  const entry = look.things[at];
  if (entry.name) return;
  const first = look.things.slice(at + 1).find((each) => isTold(each.name) && each.kind !== 'hidden');
  entry.name = (first?.name || '').slice(0, LONGEST_NAME);
}

/** Ends a row of a table, whose texts are told in one line with it. */
export function closeRow(at: number, isHead: boolean) {
  const row = look.things[at];
  const inside = look.things.splice(at + 1);
  const isWritten = (each: Thing) => each.kind === 'text' && each.level === row.level + 1;
  const others = inside.filter((each) => !isWritten(each)), written = inside.filter(isWritten);
  const line = tell(written.map((each) => each.name).join(' | '), LONGEST_VALUE);
  const told = inside.filter((each) => isTold(each.name));
  const named = told.find((each) => !TICKED.has(each.kind)) || told[0];
  const texts = line && !row.acts ? [{ element: written[0].element, level: row.level + 1, kind: 'text', name: line }] : [];
  const isGrid = others.length > 0 && others.every((each) => each.kind === 'cell');
  if (isHead || isGrid || !named || (others.length === 1 && !row.acts && !texts.length)) {
    for (const each of others) each.alike ||= row.alike;
    look.things.push(...texts, ...others);
    unwrap(at);
    return;
  }
  row.name = line && (row.acts || !others.length) ? line : named.name.slice(0, LONGEST_NAME);
  if (others.length) look.things.push(...texts, ...others);
}

export const isHeadRow = (row: any) => Boolean(row.closest('thead')) || (row.childElementCount > 1
  && Array.from<Element>(row.children).every((each) => tagOf(each) === 'TH' || each.getAttribute('role') === 'columnheader'));
