import { shownBox, drawnBy } from '../names/areas.ts';
import { aroundOf } from '../names/tree.ts';
import { elementWith } from '../things/refs.ts';

type Sides = { left: number, top: number, right: number, bottom: number };

const isEmpty = ({ left, top, right, bottom }: Sides) => right <= left || bottom <= top;

const overlapOf = (one: Sides, other: Sides) => ({
  left: Math.max(one.left, other.left), top: Math.max(one.top, other.top),
  right: Math.min(one.right, other.right), bottom: Math.min(one.bottom, other.bottom),
});

function drawnAt(element: any): Sides {
  if (drawnBy(element) !== element) return shownBox(element);
  const inside = document.createRange();
  inside.selectNodeContents(element);
  const drawn = [element, ...(element.labels || []), inside].map((each) => each.getBoundingClientRect());
  return drawn.find((each) => !isEmpty(each)) || drawn[0];
}

/** What of an element nothing around it cuts off, such as a list that is scrolled; null for nothing. */
function seenBoxOf(element: any) {
  let seen: Sides = drawnAt(element);
  let position = getComputedStyle(element).position;
  for (let each = aroundOf(element); each && position !== 'fixed' && each !== document.body; each = aroundOf(each)) {
    const style = getComputedStyle(each);
    if (position === 'absolute' && style.position === 'static') continue;
    position = style.position;
    if (each !== document.documentElement && style.overflow !== 'visible') seen = overlapOf(seen, each.getBoundingClientRect());
  }
  if (window !== window.top) seen = overlapOf(seen, { left: 0, top: 0, right: innerWidth, bottom: innerHeight });
  return isEmpty(seen) ? null : [seen.left, seen.top, seen.right - seen.left, seen.bottom - seen.top];
}

export function boxesOf(_: any, { refs }: { refs: string[] }) {
  const boxes = refs.map(elementWith).map((element) => element && seenBoxOf(element));
  const root: any = document.documentElement;
  const ground = root.getBoundingClientRect();
  const parts = [root, document.body].filter(Boolean);
  const longest = (side: string) => Math.max(...parts.flatMap((each) => ['scroll', 'offset', 'client'].map((kind) => Number(each[kind + side]) || 0)));
  return { boxes, ground: [ground.x, ground.y], scrolled: [scrollX, scrollY], window: [innerWidth, innerHeight], page: [longest('Width'), longest('Height')] };
}
