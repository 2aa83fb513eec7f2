import { readTick } from '../acting/choices.ts';
import { isSecret } from '../names/secrecy.ts';
import { fieldOf } from '../acting/fields.ts';
import { once } from '../names/memory.ts';
import { childText, nameOf } from '../names/naming.ts';
import { shownText, typedValue } from '../acting/reading.ts';
import { roleOf } from '../names/roles.ts';
import { isVisible } from '../names/sight.ts';
import { fold, hasSome, hasWords, key } from '../names/texts.ts';
import { findAll, tagOf, unique } from '../names/tree.ts';

export function rowsOf(table: Element): Element[] {
  if (tagOf(table) === 'TABLE') return Array.from(table.rows);
  return findAll(table, '[role=row]').filter((row) => row.closest('[role=table], [role=grid], [role=treegrid]') === table);
}

export function cellsOf(row: Element): Element[] {
  if (tagOf(row) === 'TR') return Array.from(row.cells);
  return Array.from(row.querySelectorAll('[role=cell], [role=gridcell], [role=columnheader], [role=rowheader]'));
}

const spanOf = (cell: Element, native: string, aria: string) => Math.max(1, Math.min(1000, (cell as any)[native] || Number(cell.getAttribute(aria)) || 1));

export const isHeading = (cell: Element) => tagOf(cell) === 'TH' || cell.getAttribute('role') === 'columnheader';

export const cellText = (cell: Element) => {
  const field = cell.querySelector('input:not([type=hidden]), select, textarea');
  return fold(cell.innerText ?? cell.textContent) || (field ? String(typedValue(field) ?? '') : '');
};

export function layOut(rows: Element[]) {
  const grid: Element[][] = rows.map(() => []);
  rows.forEach((row, y) => {
    let x = 0;
    for (const cell of cellsOf(row)) {
      while (grid[y][x] !== undefined) x += 1;
      const wide = spanOf(cell, 'colSpan', 'aria-colspan'), high = spanOf(cell, 'rowSpan', 'aria-rowspan');
      for (let dy = 0; dy < high && y + dy < rows.length; dy += 1) for (let dx = 0; dx < wide; dx += 1) grid[y + dy][x + dx] = cell;
      x += wide;
    }
  });
  return grid;
}

export const TABLES = 'table, [role=table], [role=grid], [role=treegrid]';
export const ROW = 'tr, [role=row]';

export const columnsOf = (table: Element) => once(columnsOf, table, () => {
  const rows = rowsOf(table);
  const grid = layOut(rows);
  const head = grid.find((line) => line.length > 1 && line.every((each) => each && isHeading(each))) || [];
  return { rows, grid, head: head.map((each) => fold(childText(each))) };
});

export function inColumn(row: Root, name: string): Element[] {
  const table = row.nodeType === Node.ELEMENT_NODE && row.matches(ROW) && row.closest(TABLES);
  if (!table) return [];
  const wanted = key(name);
  const { rows, grid, head } = columnsOf(table);
  const line = grid[rows.indexOf(row)] || [];
  const tests = [(each: string) => key(each) === wanted, (each: string) => hasWords(key(each), wanted), (each: string) => hasSome(key(each), wanted)];
  const cells = tests.map((test) => unique(line.filter((_, place) => test(head[place] || '')))).find((found) => found.length) || [];
  return cells.filter((each) => !isHeading(each) || roleOf(each) === 'rowheader');
}

export function readTable(element: Element, { most }: { most: number }) {
  const table = element.closest(TABLES) || element.querySelector(TABLES);
  if (!table) return null;
  const rows = rowsOf(table).filter(isVisible);
  const grid = layOut(rows);
  let head = 0;
  while (head < rows.length && (tagOf(rows[head].parentElement) === 'THEAD' || (head === 0 && grid[0].length && grid[0].every(isHeading)))) head += 1;
  const width = Math.max(0, ...grid.map((line) => line.length));
  const headers = Array.from({ length: width }, (_, x) => {
    const names = [...new Set(grid.slice(0, head).map((line) => line[x] && cellText(line[x])).filter(Boolean))];
    return names.join(' / ') || `column ${x + 1}`;
  });
  const names = headers.map((name, x) => (headers.indexOf(name) < x ? `${name} (${headers.slice(0, x + 1).filter((one) => one === name).length})` : name));
  const records = [];
  let size = 0;
  for (const line of grid.slice(head)) {
    const texts = names.map((_, x) => (line[x] ? cellText(line[x]) : ''));
    size += texts.join().length;
    if (size > most) break;
    records.push(texts);
  }
  const caption = table.caption ? fold(table.caption.innerText) : nameOf(table);
  return { headers: names, rows: records, truncated: records.length < grid.length - head, caption, total: grid.length - head };
}

let counted = { token: '', rows: new Map() };

export function countRow(row: Element, { token }: { token: string }) {
  if (counted.token !== token) counted = { token, rows: new Map() };
  if (!counted.rows.has(row)) counted.rows.set(row, counted.rows.size);
  return [row];
}

export function readCell(element: Element, { attribute, type }: { attribute: string, type: string }) {
  let row = element;
  while (row && !counted.rows.has(row)) row = row.parentNode || row.host;
  const field = fieldOf(element);
  const link = type === 'url' && !attribute ? ['href', 'src', 'action'].find((name) => element.hasAttribute(name)) : attribute;
  const state = type === 'boolean' && !attribute && readTick(element)?.itself ? Boolean(readTick(element)?.checked) : null;
  const text = type === 'html' ? element.innerHTML : link ? element.getAttribute(link) : shownText(element);
  const url = type === 'url' && text !== null && URL.canParse(text.trim(), document.baseURI) ? new URL(text.trim(), document.baseURI).href : null;
  return { row: row ? counted.rows.get(row) : 0, text, state, url, secret: isSecret(field), lang: element.closest('[lang]')?.lang || '' };
}
