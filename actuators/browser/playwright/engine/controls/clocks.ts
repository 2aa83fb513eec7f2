import { nameOf } from '../names/naming.ts';
import { isPressable } from '../names/roles.ts';
import { disabledBecause, isVisible } from '../names/sight.ts';
import { fold } from '../names/texts.ts';
import { findAll, holds } from '../names/tree.ts';
import { calendarParts, isNewHere } from './calendars.ts';
import { unitOf } from './sections.ts';

const CLOCK = /^\d{1,2}[:.]\d{2}(?::\d{2})?(?:\s?[ap]\.?m\.?)?$/i;
const LEAST_TIMES = 3, LEAST_NUMBERS = 2;
const HALF = /^[ap]\.?m\.?$/i;
const NUMBER = /^\d{1,2}$/;
const CHOICES = 'li, [role=option], button, [role=button], td, [role=menuitem]';

const textOf = (element: Element) => fold(element.textContent || '') || nameOf(element);

const newBeside = (widget: Element, css: string, fits: (each: Element) => boolean) => findAll(document, css)
  .filter((each) => isVisible(each) && isNewHere(each) && !holds(widget, each) && fits(each));

const fieldsOf = (widget: Element) => newBeside(widget, 'input, select, [role=spinbutton], [role=slider]', (each) => ['hour', 'minute', 'second', 'dayPeriod', 'time'].includes(unitOf(each)));

function columnsOf(widget: Element) {
  const leaves = findAll(document, CHOICES).filter((each) => isVisible(each) && isNewHere(each) && !holds(each, widget) && (NUMBER.test(numberText(each)) || HALF.test(textOf(each))));
  const grids = (calendarParts(widget).grids || []).map(({ grid }: any) => grid);
  const inner = leaves.filter((each) => !grids.some((grid: Element) => holds(grid, each)) && !leaves.some((other) => other !== each && holds(each, other)));
  const lists = Map.groupBy(inner, (leaf) => leaf.closest('ul, ol, [role=listbox]') || leaf.parentElement?.parentElement || leaf);
  return [...lists.values()].filter((column) => column.length >= LEAST_NUMBERS);
}

/** The number that an option of a clock is for: "06", "6 hours". */
function numberText(element: Element) {
  const named = /^(\d{1,2}) (?:hours?|minutes?|seconds?)$/i.exec(element.getAttribute('aria-label') || '');
  return named ? named[1] : fold(element.textContent || '');
}

const timesOf = (widget: Element) => newBeside(widget, CHOICES, (each) => CLOCK.test(fold(each.textContent || '')));

/** What says which half of the day it is, and is pressed for the other one or by its name. */
function halvesOf(widget: Element) {
  const found = newBeside(widget, 'button, span, div, a, label', (each) => HALF.test(fold(each.textContent || '')) && isPressable(each));
  return found.filter((each) => !found.some((other) => other !== each && holds(other, each)));
}

export function clockParts(widget: Element, side: string): Element[] {
  if (side === 'half') return halvesOf(widget);
  if (side === 'field') return fieldsOf(widget);
  return side === 'time' ? timesOf(widget) : columnsOf(widget)[Number(side)] || [];
}

export function readClock(widget: Element) {
  const times = timesOf(widget).map((each) => ({ label: fold(each.textContent || ''), off: Boolean(disabledBecause(each)) }));
  const columns = columnsOf(widget)
    .map((column) => column.map((each: Element) => ({ label: NUMBER.test(numberText(each)) ? numberText(each) : textOf(each), off: Boolean(disabledBecause(each)) })));
  return { fields: fieldsOf(widget).map((each) => unitOf(each)), times: times.length >= LEAST_TIMES ? times : [], columns,
    halves: halvesOf(widget).map((each) => fold(each.textContent || '')) };
}
