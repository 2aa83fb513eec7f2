import { nameOf, ownText } from '../names/naming.ts';
import { isPressable, PRESSED } from '../names/roles.ts';
import { disabledBecause, isVisible } from '../names/sight.ts';
import { fold, hasWords, key } from '../names/texts.ts';
import { above, activeElement, classText, findAll, holds, ledToBy, parentOf } from '../names/tree.ts';
import { languages } from './sections.ts';

const LEAST_DAYS = 20; // numbers beside each other that make a calendar; a month without its past days has fewer links
const LEAST_YEARS = 6, LEAST_DECADES = 4, MONTHS = 12;
const LEVELS_UP = 6; // from the days to what names their month
const DAY = /^(?:[1-9]|[12]\d|3[01])$/;
const YEAR = /^(?:19|20|21)\d\d$/;
const DECADE = /^((?:19|20|21)\d\d)\s*[-\u2010-\u2015]\s*((?:19|20|21)\d\d)$/;
const TURNS = `${PRESSED}, a, span, i, svg, th, td, div`;
const LEAVES = 'td, [role=gridcell], [role=option], [role=radio], button, a, span, div, li';
// A page may have a calendar in another language than its own.
const OTHER_LANGUAGES = ['de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ru', 'uk', 'cs', 'sv', 'da', 'nb', 'fi', 'tr', 'ja', 'zh', 'ko'];
let monthNames: any = null;
const monthWords: Map<string, number> = new Map();
/** What was on the page before a field was opened, so that it is not taken for what the field opens. */
let earlier = new WeakSet();

/** The names of the months, long and short, in the languages that the page may write them in: [name, number]. */
function listMonths() {
  if (monthNames) return monthNames;
  monthNames = [];
  for (const language of [...languages(), ...OTHER_LANGUAGES]) {
    for (const month of ['long', 'short'] as const) {
      let format;
      try { format = new Intl.DateTimeFormat(language, { month }); } catch { continue; }
      for (let at = 0; at < MONTHS; at += 1) {
        const name = key(format.format(new Date(2001, at, 15))).replace(/\.$/, '');
        if (!monthWords.has(name)) monthWords.set(name, at + 1);
        if (languages().includes(language) || (month === 'long' && name.length > 3)) monthNames.push([name, at + 1]);
      }
    }
  }
  monthNames.sort(([one]: any, [other]: any) => other.length - one.length);
  return monthNames;
}

const monthIn = (text: string) => (listMonths().find(([name]: any) => hasWords(key(text), name)) || [])[1] || 0;

const yearIn = (text: string) => Number((/(?:^|\D)((?:19|20|21)\d\d)(?!\d)/.exec(text) || [])[1] || 0);

const monthNamed = (text: string) => (listMonths() && monthWords.get(key(text).replace(/\.$/, ''))) || 0;

const dayText = (element: Element) => fold(element.textContent || '');

function leavesWith(fits: (text: string) => any) {
  const leaves = findAll(document, LEAVES).filter((each) => (each.textContent || '').length < 30 && fits(dayText(each)) && isVisible(each) && !earlier.has(each));
  const outer = new Set(leaves);
  return leaves.filter((each) => !outer.has(each.parentElement as any));
}

function climb(part: Element, fits: (holder: Element) => any, ends: (holder: Element) => any = () => false) {
  let holder = part;
  for (let level = 0; level < LEVELS_UP && !fits(holder); level += 1) {
    const up = parentOf(holder);
    if (!up || up === document.body || ends(up)) break;
    holder = up;
  }
  return holder;
}

/** Elements with the days of a month in them, each with these days: from the first 1 to where the numbers fall. */
function findGrids() {
  const holders = new Map();
  for (const cell of leavesWith((text) => DAY.test(text))) {
    for (let up = parentOf(cell), level = 0; up && level < 8; up = parentOf(up), level += 1) holders.set(up, [...(holders.get(up) || []), cell]);
  }
  const fitting = [...holders].filter(([, inner]) => inner.length >= LEAST_DAYS && inMonth(inner).length >= LEAST_DAYS);
  return fitting.filter(([holder]) => !fitting.some(([other]) => other !== holder && holds(holder, other)))
    .map(([grid, inner]) => ({ grid, days: inMonth(inner) }));
}

function inMonth(cells: Element[]) {
  const first = cells.findIndex((cell) => dayText(cell) === '1');
  if (first < 0) return [];
  const rest = cells.slice(first);
  const end = rest.findIndex((cell, at) => at > 0 && Number(dayText(cell)) <= Number(dayText(rest[at - 1])));
  return end < 0 ? rest : rest.slice(0, end);
}

/** The calendars of a field: those in it or in what it controls, else those that have come up, else the last one of the page. */
function gridsOf(widget?: Element) {
  const grids = findGrids();
  if (!widget || grids.length < 2) return grids;
  const owned = ['aria-controls', 'aria-owns'].flatMap((name) => ledToBy(widget, name));
  const active = activeElement();
  const popup = active && active.closest('[role=dialog], dialog, [popover]');
  for (const holder of [widget, ...owned, popup]) {
    const inside = holder ? grids.filter(({ grid }) => holds(holder, grid) || holds(grid, holder)) : [];
    if (inside.length) return inside;
  }
  const last = popupOf(grids[grids.length - 1].grid, widget);
  return grids.filter(({ grid }) => holds(last, grid));
}

/** The largest element around a part of a calendar that the field is not in, and that is not most of the page. */
function popupOf(part: Element, widget?: Element) {
  const apart = above(part), end = apart.findIndex((up) => widget && holds(up, widget));
  const free = end < 0 ? apart : apart.slice(0, end);
  return free.find((up) => up.matches('[role=dialog], dialog, [popover]')) || free.at(-1) || part;
}

const turnName = (element: Element) => key(`${element.getAttribute('aria-label') || ''} ${element.title
  || ''} ${classText(element)} ${element.getAttribute('data-action') || ''} ${element.getAttribute('data-direction') || ''}`.replace(/[-_]+/g, ' '));
const TURN_WORDS = { next: /\b(next|forward|right|later)\b/, prev: /\b(prev|previous|back|left|last|earlier)\b/ };
const TURN_TEXTS = { next: /^(next|[›>→▶❯])(\s*month)?$/i, prev: /^(prev(ious)?|[‹<←◀❮])(\s*month)?$/i };
const LEAPS = { next: /^[»]$|^>>$/, prev: /^[«]$|^<<$/ };
const OTHER_BUTTON = /\b(today|close|clear|switch|view|open)\b/;
const FAR = /\b(year|decade|double|super)\b/;

/** Of buttons without words, or with those of another language, in a line with what names the month: those left of it turn back, those right of it forward, the outer ones farther. */
function unnamedTurn(some: Element[], side: 'next' | 'prev', isFar: boolean) {
  const titles = some.filter((each) => yearIn(dayText(each)) && dayText(each).length < 30 && !each.querySelector('button, [role=button]'));
  const title = titles.find((each) => each.matches(PRESSED)) || titles[0];
  if (!title) return null;
  const { left, right, top, bottom } = title.getBoundingClientRect();
  const beside = some.filter((each) => each.matches(PRESSED) && !dayText(each) && !OTHER_BUTTON.test(key(nameOf(each)))).map((each) => ({ each, box: each.getBoundingClientRect() }))
    .filter(({ box }) => box.bottom > top && box.top < bottom && (side === 'next' ? box.left >= right - 1 : box.right <= left + 1));
  const ordered = beside.sort((one, other) => (side === 'next' ? one.box.left - other.box.left : other.box.left - one.box.left));
  return ordered[isFar ? 1 : 0]?.each || null;
}

function turnIn(holder: Element, grids: Element[], side: 'next' | 'prev', isFar: boolean) {
  const outside = findAll(holder, TURNS).filter((each) => isVisible(each) && getComputedStyle(each).visibility === 'visible' && !(DAY.test(dayText(each)))
    && !each.querySelector('table, select') && !grids.some((grid) => each.contains(grid)) && !grids.some((grid) => grid.contains(each) && !each.closest('thead, caption, th')));
  const turns = outside.filter((each) => TURN_TEXTS[side].test(dayText(each)) || LEAPS[side].test(dayText(each))
    || (TURN_WORDS[side].test(turnName(each)) && dayText(each).length < 20));
  const near = turns.filter((each) => !FAR.test(turnName(each)));
  const single = near.filter((each) => !LEAPS[side].test(dayText(each))); // two signs mean farther only where one sign is there as well
  const found = isFar ? turns.filter((each) => !near.includes(each) || (single.length && !single.includes(each))) : single.length ? single : near;
  const pressed = found.find((each) => each.matches(`${PRESSED}, a`)) || found[0] || unnamedTurn(outside, side, isFar);
  return pressed ? pressed.closest(`${PRESSED}, a`) || pressed : null;
}

function headOf(grid: Element, others: Element[]) {
  const isNamed = (head: string) => monthIn(head) && yearIn(head);
  const holder = climb(grid, (each) => isNamed(headText(each, grid)), (up) => others.some((other) => holds(up, other)));
  return { holder, head: headText(holder, grid) };
}

function headText(holder: Element, grid: Element) {
  const marked = findAll(holder, '*').filter((each) => isVisible(each) && !holds(grid, each) && !each.querySelector('select') && !each.matches('option, style, script'));
  const fields = marked.filter((each) => each.matches('input')).map((each) => each.value);
  return [...marked.map(ownText), ...fields, fold(grid.closest('table')?.caption?.textContent || ''), grid.getAttribute('aria-label') || '',
    ...Array.from(grid.querySelectorAll('thead, caption, th'), (each) => fold(each.textContent))].join(' ');
}

/** The month that the cells say themselves: in a name that is a whole date, or an attribute that is one. */
function monthOfCells(days: Element[]) {
  for (const cell of days.slice(0, 2)) {
    const inner = [cell, ...cell.querySelectorAll('*'), ...(cell.parentElement ? [cell.parentElement] : [])];
    const told = inner.flatMap((each) => Array.from(each.attributes, ({ name, value }) => (/^(aria-label|title|datetime|data-.*)$/.test(name) ? value : '')));
    for (const text of told) {
      const iso = /^((?:19|20|21)\d\d)-(\d\d)-(\d\d)/.exec(text);
      if (iso && Number(iso[3]) === Number(dayText(cell))) return { year: Number(iso[1]), month: Number(iso[2]) };
      if (monthIn(text) && yearIn(text) && hasWords(key(text).replace(/(\d)(st|nd|rd|th)\b/g, '$1'), dayText(cell))) {
        return { year: yearIn(text), month: monthIn(text) };
      }
    }
  }
  return null;
}

function titleIn(holder: Element, cells: Element[]) {
  const found = findAll(holder, '*').filter((each) => isVisible(each) && !cells.some((cell) => holds(cell, each) || holds(each, cell)) && !each.matches('select, option, input')
    && !each.querySelector('select, input') && isPressable(each) && dayText(each).length < 40);
  const named = found.filter((each) => yearIn(dayText(each)) || DECADE.test(dayText(each)) || /\byear\b/.test(key(nameOf(each))));
  const fitting = named.filter((each) => !/\b(next|previous|prev|last)\b/.test(turnName(each)));
  return fitting.filter((each) => !fitting.some((other) => other !== each && holds(each, other)))[0] || null;
}

/** Twelve words side by side that have come up with a field: months, whatever the language. */
function twelveIn(widget?: Element) {
  const words = leavesWith((text) => /^\p{L}[\p{L}.]{1,11}$/u.test(text)).filter((each) => widget && isNewHere(each) && !holds(widget, each));
  return words.filter((each) => words.filter((other) => other.parentElement === each.parentElement).length === MONTHS);
}

function largerParts(widget?: Element) {
  const years = leavesWith((text) => YEAR.test(text)), months = leavesWith(monthNamed), decades = leavesWith((text) => DECADE.test(text));
  const [view, cells] = years.length >= LEAST_YEARS ? ['years', years] : months.length >= MONTHS ? ['months', months.slice(-MONTHS)]
    : decades.length >= LEAST_DECADES ? ['decades', decades] : ['months', twelveIn(widget)];
  if (!cells.length) return null;
  let all = cells[0] as Element;
  while (all && !cells.every((each) => holds(all, each))) all = parentOf(all);
  const holder = climb(all, (each) => turnIn(each, cells, 'next', false) || turnIn(each, cells, 'next', true), (up) => widget && holds(up, widget));
  const head = fold(findAll(holder, '*').filter((each) => isVisible(each) && !cells.includes(each)).map((each) => ownText(each)).join(' '));
  return { view, cells, holder, year: view === 'months' ? yearIn(head) : 0 };
}

export function calendarParts(widget?: Element): any {
  const found = gridsOf(widget);
  if (!found.length) return { view: '', days: [], grids: [], cells: [], ...largerParts(widget) };
  const all = found.map(({ grid }) => grid);
  const grids = found.map(({ grid, days }) => ({ grid, days, ...headOf(grid, all.filter((other) => other !== grid)) }));
  const isWhole = (each: Element) => all.every((grid) => holds(each, grid)) && (turnIn(each, all, 'next', false) || turnIn(each, all, 'prev', false));
  const holder = climb(grids[0].holder, isWhole), days = grids.flatMap((each) => each.days);
  const selects = findAll(holder, 'select').filter(isVisible);
  const month = selects.find((each) => Array.from(each.options).filter((option: any) => monthIn(option.label)).length >= 1);
  const year = selects.find((each) => each !== month && Array.from(each.options).some((option: any) => yearIn(option.label)))
    || findAll(holder, 'input').find((each) => isVisible(each) && YEAR.test(each.value) && each !== widget);
  const turns = Object.fromEntries((['next', 'prev'] as const).flatMap((side) => [[side, turnIn(holder, all, side, false)], [`${side}_far`, turnIn(holder, all, side, true)]]));
  return { view: 'days', grids, days, cells: [], holder, month, year, ...turns, title: titleIn(holder, days) };
}

const isOff = (element: Element) => {
  const cell = element.closest('td, [role=gridcell]') || element;
  return [cell, element, ...element.querySelectorAll('button, [aria-disabled]')].some((each) => Boolean(disabledBecause(each))
    || /(^|[\s_-])(disabled|unselectable|unavailable|off)([\s_-]|$)/i.test(classText(each)));
};

function readLarger(parts: any) {
  const turns = (['next', 'prev'] as const).map((side) => [side, Boolean(turnIn(parts.holder, parts.cells, side, false) || turnIn(parts.holder, parts.cells, side, true))]);
  const number = (text: string, at: number) => (parts.view === 'months' ? monthNamed(text) || at + 1
    : Number((YEAR.exec(text) || DECADE.exec(text) || [])[parts.view === 'years' ? 0 : 1]));
  return { view: parts.view, month: 0, year: parts.year, days: [], months: [], years: [], ...Object.fromEntries(turns), title: Boolean(titleIn(parts.holder, parts.cells)),
    cells: parts.cells.map((each: Element, at: number) => ({ number: number(dayText(each), at), off: isOff(each) })) };
}

const isMoved = (part: Element) => document.getAnimations().some(({ playState, effect }) => playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime)
  && Boolean(effect && effect.target && holds(effect.target, part)));

export function readCalendar(widget?: Element) {
  const parts = calendarParts(widget);
  if (!parts.view) return null;
  return { moved: isMoved(parts.holder || parts.grids[0].grid), ...(parts.view === 'days' ? readDays(parts) : readLarger(parts)) };
}

function readDays(parts: any) {
  const chosen = (part: any) => (part.matches('input') ? part.value : part.selectedOptions[0]?.label || '');
  const months = parts.grids.map((each: any) => monthOfCells(each.days) || { month: monthIn(each.head), year: yearIn(each.head) });
  if (parts.month) months[0].month = monthIn(chosen(parts.month));
  if (parts.year) months[0].year = yearIn(chosen(parts.year));
  const days = parts.grids.flatMap((grid: any, at: number) => grid.days.map((each: Element) => ({ day: Number(dayText(each)), off: isOff(each), ...months[at] })));
  const turns = Object.fromEntries(['next', 'prev', 'next_far', 'prev_far', 'title'].map((side) => [side, Boolean(parts[side]) && !isOff(parts[side])]));
  const listed = (part: any, read: (text: string) => number) => (part?.matches('select') ? Array.from(part.options, (option: any) => read(option.label)) : []);
  return { view: 'days', ...months[0], ...turns, days, cells: [], months: listed(parts.month, monthIn), years: listed(parts.year, yearIn), year_field: Boolean(parts.year?.matches('input')) };
}

export function partsOfCalendar(widget: Element, what: string, side: string): Element[] {
  const parts = calendarParts(widget);
  if (what === 'day') return parts.days;
  if (what === 'cell') return parts.cells;
  if (parts.view === 'days') return [parts[side]].filter(Boolean);
  if (!parts.view) return [];
  const found = side === 'title' ? titleIn(parts.holder, parts.cells)
    : [false, true].map((isFar) => turnIn(parts.holder, parts.cells, side as 'next' | 'prev', isFar)).find(Boolean);
  return found ? [found] : [];
}

/** Whether the field has opened a calendar already. If not, what is on the page now is none that it opens. */
export function noteCalendars(element: Element) {
  const active = activeElement();
  const isFocused = Boolean(active && (active === element || holds(element, active)));
  earlier = new WeakSet();
  if (isFocused || element.querySelector('table, [role=grid]')) return isFocused || Boolean(findGrids().some(({ grid }) => holds(element, grid)));
  const near = parentOf(parentOf(element) || element) || element; // a calendar beside a field may belong to it without being opened
  const beside = near === document.body || near === document.documentElement ? element : near;
  for (const each of findAll(document, `${LEAVES}, input, select, [role]`)) if (isVisible(each) && !holds(beside, each)) earlier.add(each);
  return false;
}

const ACCEPTS = /^(ok|okay|done|apply|set|confirm|choose|select|accept|save)$/;

export function findAccept(widget: Element) {
  const part = calendarParts(widget);
  const inside = part.days[0] || part.cells[0];
  const active = activeElement();
  const popup = inside ? popupOf(inside, widget) : active && active.closest('[role=dialog], dialog, [popover]');
  const found = popup ? findAll(popup, PRESSED).filter((each) => isVisible(each) && !disabledBecause(each) && ACCEPTS.test(key(nameOf(each) || dayText(each)))) : [];
  return found.slice(-1);
}

export const isNewHere = (element: Element) => !earlier.has(element);

export const liesOver = (widget: Element) => findAll(document, '[role=dialog], dialog, [popover], [role=listbox]').some((each) => isVisible(each) && isNewHere(each) && !holds(each, widget));
