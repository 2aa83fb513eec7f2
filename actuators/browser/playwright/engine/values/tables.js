import { readTick } from '../acting/choices.js';
import { isSecret } from '../names/secrecy.js';
import { fieldOf } from '../acting/fields.js';
import { once } from '../names/memory.js';
import { childText, nameOf } from '../names/naming.js';
import { shownText, typedValue } from '../acting/reading.js';
import { roleOf } from '../names/roles.js';
import { isVisible } from '../names/sight.js';
import { fold, hasSome, hasWords, key } from '../names/texts.js';
import { findAll, tagOf, unique } from '../names/tree.js';

/** @param {Element} table */
export function rowsOf(table) {
  if (tagOf(table) === 'TABLE') return Array.from(table.rows);
  return findAll(table, '[role=row]').filter((row) => row.closest('[role=table], [role=grid], [role=treegrid]') === table);
}

/** @param {Element} row */
export function cellsOf(row) {
  if (tagOf(row) === 'TR') return Array.from(row.cells);
  return Array.from(row.querySelectorAll('[role=cell], [role=gridcell], [role=columnheader], [role=rowheader]'));
}

/**
 * @param {Element} cell
 * @param {string} native
 * @param {string} aria
 */
const spanOf = (cell, native, aria) => Math.max(1, Math.min(1000, (/** @type {any} */ (cell))[native] || Number(cell.getAttribute(aria)) || 1));

/** @param {Element} cell */
export const isHeading = (cell) => tagOf(cell) === 'TH' || cell.getAttribute('role') === 'columnheader';

/** @param {Element} cell */
export const cellText = (cell) => {
  const field = cell.querySelector('input:not([type=hidden]), select, textarea');
  return fold(cell.innerText ?? cell.textContent) || (field ? String(typedValue(field) ?? '') : '');
};

/** @param {Element[]} rows */
export function layOut(rows) {
  /** @type {Element[][]} */
  const grid = rows.map(() => []);
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

const TABLES = 'table, [role=table], [role=grid], [role=treegrid]';
export const ROW = 'tr, [role=row]';

/**
 * The cells of a table as they are laid out, and what its columns are headed with.
 * @param {Element} table
 */
export const columnsOf = (table) => once(columnsOf, table, () => {
  const rows = rowsOf(table);
  const grid = layOut(rows);
  const head = grid.find((line) => line.length > 1 && line.every((each) => each && isHeading(each))) || [];
  return { rows, grid, head: head.map((each) => fold(childText(each))) };
});

/**
 * The cell of a row in the column that is headed so.
 * @param {Root} row
 * @param {string} name
 * @returns {Element[]}
 */
export function inColumn(row, name) {
  const table = row.nodeType === Node.ELEMENT_NODE && row.matches(ROW) && row.closest(TABLES);
  if (!table) return [];
  const wanted = key(name);
  const { rows, grid, head } = columnsOf(table);
  const line = grid[rows.indexOf(row)] || [];
  const tests = [(/** @type {string} */ each) => key(each) === wanted, (/** @type {string} */ each) => hasWords(key(each), wanted), (/** @type {string} */ each) => hasSome(key(each), wanted)];
  const cells = tests.map((test) => unique(line.filter((_, place) => test(head[place] || '')))).find((found) => found.length) || [];
  return cells.filter((each) => !isHeading(each) || roleOf(each) === 'rowheader');
}

/**
 * @param {Element} element
 * @param {{ most: number }} query
 */
export function readTable(element, { most }) {
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

/**
 * @param {Element} row
 * @param {{ token: string }} query
 */
export function countRow(row, { token }) {
  if (counted.token !== token) counted = { token, rows: new Map() };
  if (!counted.rows.has(row)) counted.rows.set(row, counted.rows.size);
  return [row];
}

/**
 * @param {Element} element
 * @param {{ attribute: string, type: string }} query
 */
export function readCell(element, { attribute, type }) {
  let row = element;
  while (row && !counted.rows.has(row)) row = row.parentNode || row.host;
  const field = fieldOf(element);
  const link = type === 'url' && !attribute ? ['href', 'src', 'action'].find((name) => element.hasAttribute(name)) : attribute;
  const state = type === 'boolean' && !attribute && readTick(element)?.itself ? Boolean(readTick(element)?.checked) : null;
  const text = type === 'html' ? element.innerHTML : link ? element.getAttribute(link) : shownText(element);
  const url = type === 'url' && text !== null && URL.canParse(text.trim(), document.baseURI) ? new URL(text.trim(), document.baseURI).href : null;
  return { row: row ? counted.rows.get(row) : 0, text, state, url, secret: isSecret(field), lang: element.closest('[lang]')?.lang || '' };
}
