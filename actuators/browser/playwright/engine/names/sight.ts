import { shownBox, drawnBy } from './areas.ts';
import { once } from './memory.ts';
import { tagOf } from './tree.ts';

export const isVisible = (element: any) => once(isVisible, element, () => drawnBy(element).checkVisibility({ visibilityProperty: true }));

export const isExposed = (element: any) => isVisible(element) && !element.closest('[aria-hidden=true]');

function isUnseen(style: CSSStyleDeclaration, element: Element) {
  const isFlat = style.overflow !== 'visible' && (element.offsetWidth <= 1 || element.offsetHeight <= 1);
  return isFlat || (style.opacity === '0' && style.pointerEvents === 'none') || style.clipPath === 'inset(50%)';
}

/** Whether people may see it, now or after scrolling. What is just being moved or faded counts as seen. */
export const isSeen = (element: any) => once(isSeen, element, canBeSeen);

/** What is being moved or faded. */
const movedNow = () => once('moved', document, () => document.getAnimations().map(({ effect }) => effect && effect.target).filter(Boolean));

export const isMoved = (element: Element) => movedNow().some((moved: any) => moved.contains(element));

function canBeSeen(named: any) {
  const element = drawnBy(named);
  if (isMoved(element)) return true;
  const box = element.getBoundingClientRect();
  if (!box.width || !box.height) return false;
  let isScrolled = false;
  for (let each = element; each; each = each.parentElement || each.getRootNode().host) {
    if (isUnseen(getComputedStyle(each), each)) return false;
    isScrolled ||= each !== document.scrollingElement && Boolean(each.scrollTop || each.scrollLeft);
  }
  return isScrolled || (box.right + scrollX > 0 && box.bottom + scrollY > 0);
}

const MOST_LOOKED_AT = 50;

export function best(found: Element[]) {
  const shown = [isExposed, isVisible].map((test) => found.filter(test)).find((left) => left.length) || found;
  const seen = shown.length > 1 && shown.length <= MOST_LOOKED_AT ? shown.filter(isSeen) : [];
  return seen.length ? seen : shown;
}

export function firstStage(stages: (() => Element[])[]) {
  for (const stage of stages) {
    const found = stage();
    if (found.length) return best(found);
  }
  return [];
}

export function hiddenBecause(element: Element) {
  for (let each = drawnBy(element); each; each = each.parentElement || (each.getRootNode().host)) {
    const style = getComputedStyle(each);
    const who = each === element ? 'it' : 'an element around it';
    if (style.display === 'none') return `${who} is not displayed (${each.hidden ? 'hidden' : 'display: none'})`;
    if (tagOf(each) === 'DETAILS' && !each.open && each !== element) return 'the details around it are closed';
    if (style.contentVisibility === 'hidden') return `${who} has content-visibility: hidden`;
  }
  if (getComputedStyle(element).visibility !== 'visible') return `visibility is ${getComputedStyle(element).visibility}`;
  return '';
}

export function disabledBecause(element: Element) {
  const control = element.closest('label')?.control || element;
  const group = control.closest('fieldset:disabled, optgroup:disabled');
  if (control.closest('[inert]')) return 'it is inert';
  if (control.matches(':disabled')) return group && !control.disabled ? 'the group around it is disabled' : 'it is disabled';
  return control.closest('[aria-disabled=true]') ? 'aria-disabled is true' : '';
}

export function hitAt(element: Element) {
  const { left, right, top, bottom } = shownBox(element);
  return hitAtPoint((left + right) / 2, (top + bottom) / 2);
}

/** What is under a point of the window, shadow trees included. */
export function hitAtPoint(x: number, y: number) {
  let hit = document.elementFromPoint(x, y);
  while (hit && hit.shadowRoot) {
    const inner = hit.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit;
}
