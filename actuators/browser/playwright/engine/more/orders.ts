import { isVisible } from '../names/sight.ts';
import { holds } from '../names/tree.ts';

const ALIKE = 1.6;
const LEAST_PX = 4;

const middleOf = (element: Element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2, width, height };
};

/** What of it stands beside what of another one: the outermost parts around each that don't hold the other. */
function besides(element: Element, other: Element) {
  let part = element;
  while (part.parentElement && !holds(part.parentElement, other)) part = part.parentElement;
  return part;
}

/** Whether a part is little more than the element in it, as what a list wraps around each entry. */
function isWrap(part: Element, element: Element) {
  const [outer, inner] = [part.getBoundingClientRect(), element.getBoundingClientRect()];
  return outer.width <= inner.width * ALIKE + LEAST_PX && outer.height <= inner.height * ALIKE + LEAST_PX;
}

/** Whether one stands before another as they are read: in a row above, or in the same row nearer to its beginning. */
function standsBefore(one: Element, other: Element) {
  const [first, second] = [middleOf(one), middleOf(other)];
  const isBeside = Math.abs(first.y - second.y) < Math.min(first.height, second.height) / 2;
  if (!isBeside) return first.y < second.y;
  return getComputedStyle(one).direction === 'rtl' ? first.x > second.x : first.x < second.x;
}

/** On which side of another entry of the same list an element stands, and whether right beside it; null where they are not of one list. */
export function orderOf(element: Element, other: Element) {
  if (!element.isConnected || !other.isConnected || holds(element, other) || holds(other, element)) return null;
  const [one, two] = [besides(element, other), besides(other, element)];
  // An element may also be what its entry is moved by.
  if (one.parentElement !== two.parentElement || !isWrap(two, other) || !(isWrap(one, element) || isWrap(one, two))) return null;
  const isFirst = standsBefore(one, two);
  const [from, to] = isFirst ? [one, two] : [two, one];
  const entries = Array.from(two.parentElement?.children || []).filter((each) => each !== one && each !== two && isVisible(each) && each.getBoundingClientRect().height > LEAST_PX);
  const isBetween = entries.some((each) => isWrap(each, other) && standsBefore(from, each) && standsBefore(each, to));
  return { side: isFirst ? 'before' : 'after', is_next: !isBetween };
}
