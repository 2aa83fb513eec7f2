import { ownText } from '../engine_names/naming.js';
import { PRESSED } from '../engine_names/roles.js';
import { disabledBecause, isVisible } from '../engine_names/sight.js';
import { fold, hasWords, key } from '../engine_names/texts.js';
import { classOf, findAll } from '../engine_names/tree.js';

const LEAST_DAYS = 20; // numbers beside each other that make a calendar; a month without its past days has fewer links
const DAY = /^(?:[1-9]|[12]\d|3[01])$/;
const TURNS = `${PRESSED}, a, span, i, svg, th, td, div`;
/** @type {any} */
let monthNames = null;

/** As it is now: while a page is being loaded, its document has no element yet. */
const languages = () => [...new Set([document.documentElement?.lang, navigator.language, 'en'].filter(Boolean))];

/** The names of the months, long and short, in the languages that the page may write them in: [name, number]. */
function listMonths() {
  if (monthNames) return monthNames;
  monthNames = [];
  for (const language of languages()) {
    for (const month of /** @type {const} */ (['long', 'short'])) {
      let format;
      try { format = new Intl.DateTimeFormat(language, { month }); } catch { continue; }
      for (let at = 0; at < 12; at += 1) monthNames.push([key(format.format(new Date(2001, at, 15))).replace(/\.$/, ''), at + 1]);
    }
  }
  monthNames.sort((/** @type {any} */ [one], /** @type {any} */ [other]) => other.length - one.length);
  return monthNames;
}

/** @param {string} text */
const monthIn = (text) => (listMonths().find((/** @type {any} */ [name]) => hasWords(key(text), name)) || [])[1] || 0;

/** @param {string} text */
const yearIn = (text) => Number((/(?:^|\D)((?:19|20|21)\d\d)(?!\d)/.exec(text) || [])[1] || 0);

/** @param {Element} element */
const dayText = (element) => fold(element.textContent);

function dayCells() {
  const leaves = findAll(document, 'td, [role=gridcell], button, a, span, div, li').filter((each) => DAY.test(dayText(each)) && isVisible(each));
  const outer = new Set(leaves);
  return leaves.filter((each) => !outer.has(/** @type {any} */ (each.parentElement)));
}

/** The smallest element with the days of a month in it, and these days: from the first 1 to where the numbers fall. */
function findCalendar() {
  const cells = dayCells();
  const holders = new Map();
  for (const cell of cells) {
    for (let up = cell.parentElement, level = 0; up && level < 8; up = up.parentElement, level += 1) holders.set(up, [...(holders.get(up) || []), cell]);
  }
  const fitting = [...holders].filter(([, inner]) => inner.length >= LEAST_DAYS && inMonth(inner).length >= LEAST_DAYS);
  const inner = fitting.filter(([holder]) => !fitting.some(([other]) => other !== holder && holder.contains(other)));
  return inner.length ? { grid: inner[inner.length - 1][0], days: inMonth(inner[inner.length - 1][1]) } : null;
}

/** @param {Element[]} cells */
function inMonth(cells) {
  const first = cells.findIndex((cell) => dayText(cell) === '1');
  if (first < 0) return [];
  const rest = cells.slice(first);
  const end = rest.findIndex((cell, at) => at > 0 && Number(dayText(cell)) <= Number(dayText(rest[at - 1])));
  return end < 0 ? rest : rest.slice(0, end);
}

/** @param {Element} element */
const turnName = (element) => key(`${element.getAttribute('aria-label') || ''} ${element.title
  || ''} ${classOf(element)} ${element.getAttribute('data-action') || ''}`.replace(/[-_]+/g, ' '));
const TURN_WORDS = { next: /\b(next|forward|right)\b/, prev: /\b(prev|previous|back|left)\b/ };
const TURN_TEXTS = { next: /^(next|[›>→▶❯»])(\s*month)?$/i, prev: /^(prev(ious)?|[‹<←◀❮«])(\s*month)?$/i };

/**
 * @param {Element} holder
 * @param {Element} grid
 * @param {'next' | 'prev'} side
 */
function turnIn(holder, grid, side) {
  const outside = Array.from(holder.querySelectorAll(TURNS)).filter((each) => isVisible(each) && !(DAY.test(dayText(each)))
    && !each.querySelector('table, select') && !each.contains(grid));
  const isYear = (/** @type {Element} */ each) => /\byear\b/.test(turnName(each));
  const found = outside.filter((each) => !isYear(each) && (TURN_TEXTS[side].test(dayText(each)) || (TURN_WORDS[side].test(turnName(each)) && dayText(each).length < 20)));
  const pressed = found.find((each) => each.matches(`${PRESSED}, a`)) || found[0];
  return pressed ? pressed.closest(`${PRESSED}, a`) || pressed : null;
}

/** @returns {any} */
export function calendarParts() {
  const found = findCalendar();
  if (!found) return { days: [] };
  let holder = found.grid;
  for (let level = 0; level < 5 && holder.parentElement && holder !== document.body; level += 1) {
    const shown = fold(holder.innerText || '');
    const hasPickers = holder.querySelector('select');
    if (hasPickers || (monthIn(shown) && yearIn(shown) && turnIn(holder, found.grid, 'next'))) break;
    if (holder.parentElement === document.body) break;
    holder = holder.parentElement;
  }
  const selects = Array.from(holder.querySelectorAll('select')).filter(isVisible);
  const month = selects.find((each) => Array.from(each.options).filter((option) => monthIn(option.label)).length >= 1);
  const year = selects.find((each) => each !== month && Array.from(each.options).some((option) => yearIn(option.label)));
  return { ...found, holder, month, year, next: turnIn(holder, found.grid, 'next'), prev: turnIn(holder, found.grid, 'prev') };
}

/** @param {Element} element */
const isOff = (element) => {
  const cell = element.closest('td, [role=gridcell]') || element;
  return Boolean(disabledBecause(element) || disabledBecause(cell) || /(^|[\s_-])(disabled|unselectable|unavailable|off)([\s_-]|$)/i.test(`${classOf(cell)} ${classOf(element)}`));
};

/** @param {any} parts */
function headText(parts) {
  const marked = Array.from(parts.holder.querySelectorAll('*')).filter((each) => isVisible(each) && !parts.grid.contains(each)
    && !each.querySelector('select') && !each.matches('option'));
  const caption = parts.grid.closest('table')?.caption;
  return [...marked.map((each) => ownText(each)), caption ? fold(caption.textContent) : '', parts.grid.getAttribute('aria-label') || '',
    ...Array.from(parts.grid.querySelectorAll('thead, caption, th'), (each) => fold(each.textContent))].join(' ');
}

export function readCalendar() {
  const parts = calendarParts();
  if (!parts.days.length) return null;
  const head = headText(parts);
  const chosen = (/** @type {any} */ select) => select.selectedOptions[0]?.label || '';
  return { month: parts.month ? monthIn(chosen(parts.month)) : monthIn(head), year: parts.year ? yearIn(chosen(parts.year)) : yearIn(head),
    days: parts.days.map((/** @type {Element} */ each) => ({ day: Number(dayText(each)), off: isOff(each) })), next: Boolean(parts.next)
      && !isOff(parts.next), prev: Boolean(parts.prev) && !isOff(parts.prev),
    months: parts.month ? Array.from(parts.month.options, (option) => monthIn(option.label)) : [],
    years: parts.year ? Array.from(parts.year.options, (option) => yearIn(option.label)) : [] };
}
