/** What the first selector in a document needs; whatever is not here is asked of `more`, which is evaluated then. */
import { answer, answerForEach, elementOf, findGround, readAfter } from './finding/answers.ts';
import { findBox } from './acting/choices.ts';
import { forgetTexts } from './names/naming.ts';
import { askProbe } from './finding/probes.ts';
import { armReceipt, endReceipt, watchKey } from './acting/receipts.ts';
import { finderOf, findForm, heldAt, holdForm } from './finding/selecting.ts';
import { noteAct } from './acting/settling.ts';
import { provideAsk } from './acting/hands.ts';

export { serve } from './acting/hands.ts';

const queries: Record<string, Finder> = {
  plain: (root, { form }) => findForm(root, form),
  probe: (root, { what, options }) => answer(askProbe(what, elementOf(root), options)),
  told: (_root, { token }) => answer(endReceipt(token)),
  receipt: armReceipt, key: watchKey, act: noteAct, after: readAfter, each: answerForEach, ground: findGround, hold: holdForm, held: heldAt,
  box: findBox,
};

/**
 * Answers a selector part.
 * @param root What the selector part before it found, else the document.
 */
export function ask(root: Root, query: Query): Element[] {
  forgetTexts();
  return (queries[query.op] || finderOf(query.op))(root, query);
}

provideAsk(ask);
