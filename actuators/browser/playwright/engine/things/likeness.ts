/** What is built alike, such as the rows of a table or cards beside each other. */
import { tagOf } from '../names/tree.ts';
import { refOf } from './refs.ts';

const LEAST_ALIKE = 3, MOST_COMPARED = 3000;
const NEVER_CARDS = new Set('P BR HR B I EM STRONG SMALL SPAN A BUTTON LABEL INPUT SELECT TEXTAREA DT DD TD TH TBODY THEAD OPTION IMG SVG SCRIPT STYLE FIELDSET SECTION CODE PRE'.split(' '));
const ENTRIES = new Set(['LI', 'TR']);

const shapeOf = (element: Element) => {
  const tag = tagOf(element);
  return ENTRIES.has(tag) || element.hasAttribute('role') ? `${tag} ${element.getAttribute('role') || ''}` : `${tag}.${element.classList[0] || ''}`;
};

export function countShapes(kids: Iterable<any>) {
  const counts = new Map();
  let looked = 0;
  for (const kid of kids) {
    if (kid.nodeType !== 1) continue;
    counts.set(shapeOf(kid), (counts.get(shapeOf(kid)) || 0) + 1);
    if ((looked += 1) > MOST_COMPARED) break;
  }
  return counts;
}

export const countAlike = (element: any, shapes: Map<string, number>) => shapes.get(shapeOf(element)) || 0;

/** The sign that it shares with those that are built alike beside it; empty where it stands alone. */
export const likenessOf = (element: any, shapes: Map<string, number>) => (countAlike(element, shapes) >= LEAST_ALIKE && element.parentNode?.nodeType === 1
  ? `${refOf(element.parentNode)} ${shapeOf(element)}` : '');

export const isCard = (element: Element) => !NEVER_CARDS.has(tagOf(element)) && element.childElementCount > 0 && (element.classList.length > 0 || tagOf(element).includes('-'));
