/** Dialogs that let people do nothing else: what lies behind them is one thing. */
import { CONTROLS, roleOf } from '../names/roles.ts';
import { hitAt, isSeen, isVisible } from '../names/sight.ts';
import { once } from '../names/memory.ts';
import { aroundOf, findAll, holds } from '../names/tree.ts';

const MOST_TRIED = 3;
const COVERED = 0.9; // of the window
const POINTS = [[0.02, 0.02], [0.98, 0.02], [0.02, 0.98], [0.98, 0.98], [0.5, 0.02], [0.02, 0.5], [0.98, 0.5], [0.5, 0.98]];

const shown = (css: string) => findAll(document, css).filter((each) => isVisible(each) && isSeen(each)).at(-1);

export const findModal = () => shown('dialog:modal') || shown('[aria-modal=true]') || alone();

/** A dialog whose page has said of all the rest that it is not there. */
function alone() {
  const dialog = shown('[role=dialog], [role=alertdialog]');
  if (!dialog) return null;
  const others = Array.from(document.body.children).filter((each) => !each.contains(dialog) && isVisible(each) && each.querySelector(CONTROLS));
  return others.length && others.every((each) => each.matches('[inert], [aria-hidden=true]')) ? dialog : null;
}

export function pathTo(modal: any) {
  const path = new Set();
  for (let each = aroundOf(modal); each; each = aroundOf(each)) path.add(each);
  return path;
}

/** Whether a dialog keeps people from the page that it lies over, or only says so: whatever is hit beside it is laid over the whole window. */
function hasCurtain(modal: any) {
  if (modal.matches(':modal')) return true;
  const isCurtain = (hit: Element) => {
    for (let each = hit; each; each = aroundOf(each)) {
      const box = each.getBoundingClientRect();
      if (getComputedStyle(each).position === 'fixed' && box.width * box.height >= COVERED * innerWidth * innerHeight) return true;
    }
    return false;
  };
  return POINTS.every(([across, down]) => {
    const hit = document.elementFromPoint(innerWidth * across, innerHeight * down);
    return !hit || holds(modal, hit) || isCurtain(hit);
  });
}

export function isBehind(element: any, modal: any) {
  if (element.matches('[inert], [aria-hidden=true]')) return true;
  if (['alert', 'status'].includes(roleOf(element)) || element.querySelector('[role=alert], [role=status]')) return modal.matches(':modal');
  const inside = [...(element.matches(CONTROLS) ? [element] : []), ...findAll(element.shadowRoot || element, CONTROLS)].filter(isVisible).slice(0, MOST_TRIED);
  const hits = inside.map((each) => ({ each, hit: hitAt(each) })).filter(({ hit }) => hit);
  if (hits.some(({ each, hit }) => holds(each, hit))) return false;
  return hits.length > 0 || once('curtain', modal, () => hasCurtain(modal)); // what is out of the window can't be tried
}
