import { isVisible } from '../names/sight.ts';
import { findAll, outermost, scopeOf } from '../names/tree.ts';
import { canGrab } from './dragging.ts';

const LEAST_IN_LINE = 2;

/** In lines as they are drawn: what overlaps by half in height stands in one line. */
function linesOf(elements: Element[]): { element: Element, box: DOMRect }[][] {
  const boxes = elements.filter(isVisible).map((element) => ({ element, box: element.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 0 && box.height > 0).sort((one, other) => one.box.top - other.box.top);
  const lines: { element: Element, box: DOMRect }[][] = [];
  for (const each of boxes) {
    const line = lines.at(-1);
    const shared = line && Math.min(line[0].box.bottom, each.box.bottom) - Math.max(line[0].box.top, each.box.top);
    if (line && Number(shared) > Math.min(line[0].box.height, each.box.height) / 2) line.push(each);
    else lines.push([each]);
  }
  for (const line of lines) line.sort((one, other) => one.box.left - other.box.left);
  return lines;
}

/** Which of so many is meant: from 1, from the end where negative, the one in the middle where 0; undefined where there is none. */
function indexAt(place: number, count: number) {
  if (place === 0) return count % 2 ? (count - 1) / 2 : undefined;
  return place < 0 ? count + place : place - 1;
}

export function atSpot(found: Element[], { row, column }: { row: number, column: number }) {
  const lines = linesOf(found);
  const line = lines[indexAt(row, lines.length) ?? -1];
  const each = line && line[indexAt(column, line.length) ?? -1];
  return each ? [each.element] : [];
}

function isGrid(elements: Element[]) {
  const lines = elements.length < LEAST_IN_LINE ** 2 || elements.some((each) => each.tagName !== elements[0].tagName) ? [] : linesOf(elements);
  return lines.length >= LEAST_IN_LINE && lines[0].length >= LEAST_IN_LINE && lines.every((line) => line.length === lines[0].length);
}

/** The cells of what is drawn as a grid and not marked as one: like parts beside and below each other, as many in each line. Nothing where several are. */
export function drawnCells(root: Root) {
  const grids: Element[][] = [];
  for (const each of [scopeOf(root), ...findAll(scopeOf(root), '*')]) {
    const parts = Array.from<Element>(each.children);
    const found = [parts, parts.flatMap((part) => Array.from<Element>(part.children))].find(isGrid);
    if (found && !grids.some((grid) => grid.some((cell) => cell.contains(each) || found.includes(cell)))) grids.push(found);
  }
  return grids.length === 1 ? grids[0] : [];
}

/** What looks as if it were there to be moved, beside others of its kind: the entries of a list that is not marked as one. */
export function movableEntries(root: Root) {
  const movable = findAll(scopeOf(root), '*').filter((each) => isVisible(each) && canGrab(each));
  const likes = (each: Element) => movable.filter((other) => other !== each && other.parentElement === each.parentElement && other.tagName === each.tagName);
  return outermost(movable.filter((each) => likes(each).length));
}
