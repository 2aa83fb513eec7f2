/** Dialogs that let people do nothing else: what lies behind them is one thing. */
import { CONTROLS, roleOf } from '../engine_names/roles.js';
import { hitAt, isSeen, isVisible } from '../engine_names/sight.js';
import { findAll, holds } from '../engine_names/tree.js';

const MOST_TRIED = 3;

/** @param {any} element */
const around = (element) => element.assignedSlot || element.parentElement || element.getRootNode().host || null;

/** The innermost dialog that must be done with first; null where none is open. */
export function findModal() {
  const shown = (/** @type {string} */ css) => findAll(document, css).filter((each) => isVisible(each) && isSeen(each)).at(-1);
  return shown('dialog:modal') || shown('[aria-modal=true]') || alone();
}

/** A dialog whose page has said of all the rest that it is not there. */
function alone() {
  const dialog = findAll(document, '[role=dialog], [role=alertdialog]').filter((each) => isVisible(each) && isSeen(each)).at(-1);
  if (!dialog) return null;
  const others = Array.from(document.body.children).filter((each) => !each.contains(dialog) && isVisible(each) && each.querySelector(CONTROLS));
  return others.length && others.every((each) => each.matches('[inert], [aria-hidden=true]')) ? dialog : null;
}

/**
 * All that a dialog is in.
 * @param {any} modal
 */
export function pathTo(modal) {
  const path = new Set();
  for (let each = around(modal); each; each = around(each)) path.add(each);
  return path;
}

/**
 * Whether something beside a dialog is out of reach while that is open; lists and messages may lie on top of it.
 * @param {any} element
 * @param {any} modal
 */
export function isBehind(element, modal) {
  if (element.matches('[inert], [aria-hidden=true]')) return true;
  if (['alert', 'status'].includes(roleOf(element)) || element.querySelector('[role=alert], [role=status]')) return modal.matches(':modal');
  const inside = [...(element.matches(CONTROLS) ? [element] : []), ...findAll(element.shadowRoot || element, CONTROLS)].filter(isVisible).slice(0, MOST_TRIED);
  return !inside.some((each) => { const hit = hitAt(each); return hit && holds(each, hit); });
}
