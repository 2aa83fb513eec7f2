import { askProbe } from './probes.ts';
import { askPending } from '../acting/settling.ts';

export function readAfter(root: Root, { what, options }: { what: string, options: any }) {
  const under_way = askPending();
  return answer({ ...under_way, held: askProbe(what, root, options) });
}

let list: { token: string, answers: Map<Element, unknown>, paper: any } = { token: '', answers: new Map(), paper: null };

export function answerForEach(element: Element, { token, what, options }: { token: string, what: string, options: any }) {
  if (list.token !== token) list = { token, answers: new Map(), paper: answer([])[0] };
  if (element !== grounds[0]) list.answers.set(element, askProbe(what, element, options));
  Object.defineProperty(list.paper, 'textContent', { configurable: true, get: () => JSON.stringify([...list.answers.values()]) });
  return [list.paper];
}

export function answer(value: any) {
  const paper = document.createElement('i');
  paper.textContent = JSON.stringify(value);
  return [paper];
}

// Always there to be asked, and never what anybody means.
const grounds: any[] = [];

export function findGround() {
  if (!grounds.length) grounds.push(document.createElement('i'));
  return grounds;
}

export const elementOf = (root: Root) => (root.nodeType === Node.DOCUMENT_NODE ? root.documentElement || findGround()[0] : root);
