import { labelOf } from '../acting/choices.ts';
import { isVisible } from '../names/sight.ts';

/** Whether people can't see it though it is drawn: it is clipped away, faded out, or beyond the edge of the page. */
export function isOutOfSight(element: Element, style: CSSStyleDeclaration) {
  if (style.opacity === '0' && style.pointerEvents === 'none') return true;
  const isLaid = style.position === 'absolute' || style.position === 'fixed';
  if (style.clipPath === 'inset(50%)' || style.clipPath === 'inset(100%)' || (isLaid && /^rect\(([01]px,? ?)+\)$/.test(style.clip))) return true;
  if (style.overflow !== 'visible' && style.display !== 'inline' && element !== document.body && element !== document.documentElement
    && (element.offsetWidth <= 1 || element.offsetHeight <= 1)) return true;
  return (isLaid || style.transform !== 'none') && isBeyond(element, style);
}

function isBeyond(element: Element, style: CSSStyleDeclaration) {
  const box = element.getBoundingClientRect();
  if (!box.width && !box.height) return false;
  if (style.position === 'fixed') return box.right <= 0 || box.bottom <= 0 || box.left >= innerWidth || box.top >= innerHeight;
  return box.right + scrollX <= 0 || box.bottom + scrollY <= 0;
}

const DRAWN_ANEW = 'input[type=checkbox], input[type=radio], input[type=file], input[type=range], select';

/** A control that a page draws itself in the place of the browser's own, which takes the clicks and is clipped or clear. */
export const isStandIn = (element: Element) => element.matches(DRAWN_ANEW) && element.getAttribute('aria-hidden') !== 'true' && isVisible(element)
  && (Boolean(labelOf(element)) || (element.tabIndex >= 0 && element.parentElement !== null && hasRoom(element.parentElement)));

export function hasRoom(element: Element) {
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.height > 0;
}

const LONGEST_MS = 1000; // what moves for longer is looked at as it moves

/** How long until everything has got to its end that is on its way to one that comes soon, such as a dialog that fades in. */
export function readMotion() {
  const left = document.getAnimations().filter((each) => each.playState === 'running').map((each) => Number(each.effect?.getComputedTiming().endTime) - Number(each.currentTime));
  return Math.max(0, ...left.filter((ms) => ms <= LONGEST_MS));
}
