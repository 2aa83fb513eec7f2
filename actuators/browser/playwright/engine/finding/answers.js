import { askProbe } from './probes.js';
import { askPending } from '../acting/settling.js';

/**
 * What is read after an act, and whether anything that it began is still under way.
 * @param {Root} root
 * @param {{ what: string, options: any }} query
 */
export function readAfter(root, { what, options }) {
  const under_way = askPending();
  return answer({ ...under_way, held: askProbe(what, root, options) });
}

/** @type {{ token: string, answers: Map<Element, unknown>, paper: any }} */
let list = { token: '', answers: new Map(), paper: null };

/**
 * @param {Element} element
 * @param {{ token: string, what: string, options: any }} query
 */
export function answerForEach(element, { token, what, options }) {
  if (list.token !== token) list = { token, answers: new Map(), paper: answer([])[0] };
  if (element !== grounds[0]) list.answers.set(element, askProbe(what, element, options));
  Object.defineProperty(list.paper, 'textContent', { configurable: true, get: () => JSON.stringify([...list.answers.values()]) });
  return [list.paper];
}

/** @param {any} value */
export function answer(value) {
  const paper = document.createElement('i');
  paper.textContent = JSON.stringify(value);
  return [paper];
}

// Always there to be asked, and never what anybody means.
/** @type {any[]} */
const grounds = [];

export function findGround() {
  if (!grounds.length) grounds.push(document.createElement('i'));
  return grounds;
}

/** @param {Root} root */
export const elementOf = (root) => (root.nodeType === Node.DOCUMENT_NODE ? root.documentElement || findGround()[0] : root);
