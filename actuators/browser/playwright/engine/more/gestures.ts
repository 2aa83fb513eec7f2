import { describe, whereOf } from '../names/naming.ts';
import { CONTROLS } from '../names/roles.ts';
import { hitAtPoint } from '../names/sight.ts';
import { parentOf } from '../names/tree.ts';

export function canScroll(element: any, across: boolean) {
  if (!element) return false; // a document without an element, or of another kind than HTML
  const isLonger = across ? element.scrollWidth > element.clientWidth : element.scrollHeight > element.clientHeight;
  const { overflowX, overflowY } = getComputedStyle(element);
  return isLonger && (element === document.scrollingElement || ['auto', 'scroll', 'overlay'].includes(across ? overflowX : overflowY));
}

function scrollerOf(element: Element, across: boolean) {
  for (let each = element; each; each = parentOf(each)) if (canScroll(each, across)) return each;
  return canScroll(document.scrollingElement, across) ? document.scrollingElement : null;
}

export function scrollFrom(element: Element, { direction, amount, unit, to }: { direction: string, amount: number, unit: string, to: string }) {
  const across = !to && (direction === 'left' || direction === 'right');
  const isPage = element === document.documentElement;
  const middle = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  const scroller = isPage && !canScroll(document.scrollingElement, across) ? middle && scrollerOf(middle, across) : scrollerOf(element, across);
  if (!scroller && !isPage) return null;
  const moved = scroller || document.scrollingElement || element;
  const position = () => ({ x_px: Math.round(moved.scrollLeft), y_px: Math.round(moved.scrollTop) });
  const before = position();
  const back = to ? to === 'top' : direction === 'up' || direction === 'left';
  const page_px = across ? moved.clientWidth : moved.clientHeight;
  const distance_px = to ? moved.scrollHeight : amount * (unit === 'page' ? page_px : 1);
  moved.scrollBy({ [across ? 'left' : 'top']: back ? -distance_px : distance_px, behavior: 'instant' });
  const gone_px = across ? Math.abs(moved.scrollLeft) : moved.scrollTop;
  const whole_px = across ? moved.scrollWidth - moved.clientWidth : moved.scrollHeight - moved.clientHeight;
  return { before, after: position(), at_end: (back ? gone_px : whole_px - gone_px) < 1, element: describe(moved) };
}

/** How large the page is shown; "1" leaves it to the page. */
export function zoomPage(root: Root, { factor }: { factor: string }) {
  if (!root.style) return false;
  if (factor === '1') root.style.removeProperty('zoom');
  else root.style.setProperty('zoom', factor, 'important');
  if (!root.getAttribute('style')) root.removeAttribute('style');
  return true;
}

export const readZoom = (root: Root) => Number(getComputedStyle(root).zoom);
export function placeOf(element: Element) {
  const box = element.getBoundingClientRect();
  const slider = element.closest('[aria-valuenow], input[type=range]');
  const value = slider && (slider.getAttribute('aria-valuenow') ?? slider.value);
  return { x_px: Math.round(box.x + scrollX), y_px: Math.round(box.y + scrollY), ...(value !== null && { value }), inside: whereOf(element) };
}

/** What a pointer at that place is over: the control there, else what is drawn there; of what is in a frame, the frame. */
export function readUnder(_root: Root, { x_px, y_px }: { x_px: number, y_px: number }) {
  const hit = hitAtPoint(x_px, y_px);
  return hit && describe(hit.closest(CONTROLS) || hit);
}
