import { shownBox, drawnBy } from '../names/areas.ts';
import { childText } from '../names/naming.ts';
import { CONTROLS, isListening, isPressable } from '../names/roles.ts';
import { disabledBecause, hitAt, hitAtPoint, isVisible } from '../names/sight.ts';
import { key } from '../names/texts.ts';
import { above, allIn, holds, isDrawing, isInSvg } from '../names/tree.ts';
import { later } from '../later.ts';

const SPOTS = 9; // across and down
const AROUND_PX = 2;
const OUTLINE_SPOTS = 32;
const AREA_SPOTS = 45; // thin parts of areas that have corners are met as well

const hitsAt = (element: Element, x: number, y: number) => holds(element, hitAtPoint(x, y));

const LINKS = 'a[href], button, [role=link], [role=button]';

/** What takes a press on an element in its place: the link of its card, which is stretched over it, or what is around it and says nothing else, where it lets the pointer through. */
export function takerOf(element: Element): Element | null {
  const isThrough = getComputedStyle(element).pointerEvents === 'none';
  if (disabledBecause(element) || (!isThrough && element.closest(CONTROLS))) return null;
  if (!hitAt(element)) element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const hit = hitAt(element);
  if (!hit || holds(element, hit)) return null;
  return isThrough ? hostOf(element, hit) : linkOver(element, hit);
}

function hostOf(element: Element, hit: Element) {
  const isSame = (each: Element) => holds(each, element) && key(childText(each)) === key(childText(element)) && allIn(each, CONTROLS).every((other) => other === element || holds(element, other));
  return [hit, ...above(hit)].filter(isSame).find((each) => isPressable(each) || isListening(each)) || null;
}

function linkOver(element: Element, hit: Element) {
  const link = hit.closest(LINKS), card = link?.offsetParent;
  if (!link || !card || card === document.body || !holds(card, element) || holds(link, element)) return null;
  const { left, top, width, height } = element.getBoundingClientRect();
  return [0.05, 0.5, 0.95].every((across) => [0.1, 0.9].every((down) => holds(link, hitAtPoint(left + across * width, top + down * height)))) ? link : null;
}

/** Whether it is an outline whose middle lets the pointer through to what it is drawn on; an overlay over it is something else. */
export function isHollow(element: Element) {
  if (!isDrawing(element) || later().drawnColours(element).fill) return false;
  const hit = hitAt(element);
  return !hit || (!holds(element, hit) && (holds(hit, element) || isInSvg(hit) || hit.matches('svg')));
}

function outlineSpots(element: Element) {
  const matrix = element.getScreenCTM && element.getScreenCTM();
  const length = matrix && element.getTotalLength ? element.getTotalLength() : 0;
  return Array.from({ length: length > 0 ? OUTLINE_SPOTS : 0 }, (_, place) => {
    const point = element.getPointAtLength((length * place) / OUTLINE_SPOTS).matrixTransform(matrix);
    return [point.x, point.y];
  });
}

/** Where a text is drawn in an element; where it goes over several pieces, the first of them. */
export function textBoxes(element: Element, text: string) {
  const wanted = key(text);
  const pieces = textNodesIn(element).filter((node) => key(node.data) && isVisible(node.parentElement));
  const node = pieces.find((each) => key(each.data).includes(wanted)) || pieces.find((each) => wanted.includes(key(each.data)));
  if (!node) return [];
  const range = document.createRange();
  range.selectNodeContents(node);
  const at = node.data.toLowerCase().indexOf(text.toLowerCase());
  if (at >= 0) { range.setStart(node, at); range.setEnd(node, at + text.length); }
  return Array.from(range.getClientRects());
}

/** Whether a press in the middle of a box comes down on an element, as it does not where the box is cut off, covered or out of sight. */
export const canPress = (element: Element, { x, y, width, height }: DOMRect) => width > AROUND_PX && height > AROUND_PX && hitsAt(element, x + width / 2, y + height / 2);

export function spotOfText(element: Element, text: string) {
  if (!textBoxes(element, text).length) return null;
  element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  const box = textBoxes(element, text).find((each) => canPress(element, each));
  return box ? { x_px: box.x + box.width / 2 - (element.clientLeft || 0), y_px: box.y + box.height / 2 - (element.clientTop || 0) } : null;
}

/** A point of the window at which a click reaches an element, its border taken off; null where its middle is one, or none is. */
export function spotOf(element: Element) {
  let box = element.getBoundingClientRect();
  const middle = () => [box.x + box.width / 2, box.y + box.height / 2];
  const isInWindow = ([x, y]: any) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
  if (!isInWindow(middle())) element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  box = element.getBoundingClientRect();
  const centre = middle();
  if (hitsAt(element, centre[0], centre[1])) return null;
  const steps = Array.from({ length: SPOTS }, (_, place) => (place + 0.5) / SPOTS);
  const grid = steps.flatMap((down) => steps.map((across) => [box.x + across * box.width, box.y + down * box.height]));
  const near = ([x, y]: any) => Math.hypot(x - centre[0], y - centre[1]);
  const spots = [...grid.sort((one, other) => near(one) - near(other)), ...outlineSpots(element)].filter(isInWindow).filter(([x, y]) => hitsAt(element, x, y));
  const isWide = ([x, y]: any) => [[AROUND_PX, 0], [-AROUND_PX, 0], [0, AROUND_PX], [0, -AROUND_PX]].every(([right, down]) => hitsAt(element, x + right, y + down));
  const spot = spots.find(isWide) || spots[0];
  return spot ? { x_px: spot[0] - (element.clientLeft || 0), y_px: spot[1] - (element.clientTop || 0) } : null;
}

export function textNodesIn(element: Element) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes: any[] = [];
  while (walker.nextNode()) if (isVisible(walker.currentNode.parentElement)) nodes.push(walker.currentNode);
  return nodes;
}

/** Where an area of a picture is pressed, from the edge of the picture; null for what is no area of a picture that is shown. */
export function spotOfArea(area: Element) {
  const picture = drawnBy(area);
  if (picture === area || !isVisible(area)) return null;
  picture.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const { left, top, right, bottom } = shownBox(area);
  const steps = Array.from({ length: AREA_SPOTS }, (_, place) => (place + 0.5) / AREA_SPOTS).sort((one, other) => Math.abs(one - 0.5) - Math.abs(other - 0.5));
  const places = steps.flatMap((down) => steps.map((across) => [left + (right - left) * across, top + (bottom - top) * down]));
  const place = places.find(([x, y]) => hitAtPoint(x, y) === area); // what is round or has corners may not hold its own middle
  if (!place) return null;
  const box = picture.getBoundingClientRect();
  return { x_px: place[0] - box.x - picture.clientLeft, y_px: place[1] - box.y - picture.clientTop };
}
