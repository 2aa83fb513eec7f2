/** What the first selector in a document needs; whatever is not here is asked of `more`, which is evaluated then. */
import { answer, answerForEach, elementOf, findGround, readAfter } from './finding/answers.js';
import { findBox, findLabelOf } from './acting/choices.js';
import { forgetTexts } from './names/naming.js';
import { askProbe } from './finding/probes.js';
import { armReceipt, endReceipt, watchKey } from './acting/receipts.js';
import { finderOf, findForm, heldAt, holdForm } from './finding/selecting.js';
import { noteAct } from './acting/settling.js';

/** @type {Record<string, Finder>} */
const queries = {
  plain: (root, { form }) => findForm(root, form),
  probe: (root, { what, options }) => answer(askProbe(what, elementOf(root), options)),
  told: (root, { token }) => answer(endReceipt(token)),
  receipt: armReceipt, key: watchKey, act: noteAct, after: readAfter, each: answerForEach, ground: findGround, hold: holdForm, held: heldAt,
  label_of: findLabelOf, box: findBox,
};

/**
 * Answers a selector part.
 * @param {Root} root What the selector part before it found, else the document.
 * @param {Query} query
 * @returns {Element[]}
 */
export function ask(root, query) {
  forgetTexts();
  return (queries[query.op] || finderOf(query.op))(root, query);
}
