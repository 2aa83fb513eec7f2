import { nameOf } from '../names/naming.ts';
import { BOXES, CONTROLS, EDITABLE, PRESSED, roleOf } from '../names/roles.ts';
import { isVisible } from '../names/sight.ts';
import { fold } from '../names/texts.ts';
import { activeElement, findAll, holds, outermost, scopeOf } from '../names/tree.ts';

const CELL_ROLES = ['cell', 'gridcell', 'rowheader'];

const takesText = (element: Element) => element.matches(EDITABLE) && isVisible(element) && !element.matches(':disabled, [aria-disabled=true]');

function liesOver(part: Element, cell: Element) {
  const [one, other] = [part.getBoundingClientRect(), cell.getBoundingClientRect()];
  return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
}

export function findCellEditor(cell: Element): Element[] {
  const fields = findAll(scopeOf(cell), EDITABLE).filter(takesText);
  const outer = outermost(fields);
  const active = activeElement();
  const isActive = active && active !== cell && takesText(active);
  if (isActive && holds(cell, active)) return [outer.find((each) => each.contains(active)) || active];
  if (outer.length === 1) return outer;
  if (!outer.length && isActive && liesOver(active, cell)) return [active];
  const boxes = outer.length ? [] : findAll(scopeOf(cell), BOXES).filter(isVisible);
  return boxes.length === 1 ? boxes : [];
}

/** What a cell shows, without the buttons that come up in it where it is chosen. */
function shownIn(cell: Element) {
  const buttons = findAll(scopeOf(cell), PRESSED).filter(isVisible).map((each) => fold(each.innerText || '')).filter(Boolean);
  return buttons.reduce((text, button) => (text === button ? text : text.endsWith(button) ? text.slice(0, -button.length).trim()
    : text.startsWith(button) ? text.slice(button.length).trim() : text), fold(cell.innerText || nameOf(cell) || ''));
}

export function readCellState(cell: Element) {
  return { is_cell: CELL_ROLES.includes(roleOf(cell)), text: shownIn(cell), has_editor: findCellEditor(cell).length > 0,
    has_controls: findAll(scopeOf(cell), CONTROLS).some(isVisible) };
}
