/** Single things: what people press, fill in or read by itself. */
import { readTick } from '../acting/choices.ts';
import { captionsOf } from '../names/matching.ts';
import { nameOf } from '../names/naming.ts';
import { fold } from '../names/texts.ts';
import { tagOf } from '../names/tree.ts';
import { calledOf, saidOf, tellingWords } from '../looks/icons.ts';
import { statesOf, takesOf, tellFieldName, tellName, valueOf } from './facts.ts';
import { ACTED_ON } from './kinds.ts';
import { dropRun, endRun, look, ownRun, put } from './look.ts';
import { firstText, isHuge, tell } from './wording.ts';

const LONGEST_CALLED = 40;
const NESTS = '[role=group], [role=menu], [role=tree], ul, ol';

export function calledWordsOf(element: any) {
  const parts = [element, ...Array.from(element.querySelectorAll('svg, i, img, span, use')).slice(0, 3)];
  for (const texts of [saidOf, calledOf].flatMap((read) => parts.map(read))) {
    const words = texts.flatMap((text) => tellingWords(text || '')).filter((word) => word.length > 1 && !/\d/.test(word));
    if (words.length) return tell([...new Set(words)].slice(0, 3).join(' '), LONGEST_CALLED);
  }
  return '';
}

function nameAbove(element: any) {
  const own = Array.from(element.childNodes).filter((each: any) => each.nodeType === 3 || (each.nodeType === 1 && !each.matches(NESTS)));
  return element.getAttribute('aria-label') ? tellName(element) : tell(own.map((each: any) => (each.nodeType === 3 ? each.data : firstText(each, 200))).join(' '), 200);
}

export function putControl(element: any, role: string, level: number) {
  const kind = ACTED_ON[role];
  const name = ['treeitem', 'menuitem', 'tab'].includes(kind) && element.querySelector(NESTS) ? nameAbove(element) : tellName(element);
  const called = name ? '' : calledWordsOf(element);
  if (!name && !called && !element.getBoundingClientRect().width && !element.firstElementChild) return -1;
  const isIcon = Boolean(called) && !readTick(element)?.itself;
  return put({ element, level, kind: isIcon ? 'icon' : kind, name: isIcon ? called : name, states: statesOf(element), acts: true });
}

export function putField(field: any, role: string, level: number) {
  const name = tellFieldName(field);
  const line = ownRun();
  if (name && line && !nameOf(field) && fold(captionsOf(field)[0] || '') === fold(line)) dropRun(); // the text in front of it is its name
  endRun();
  return put({ element: field, level, kind: 'field', name, value: valueOf(field), states: statesOf(field), takes: takesOf(field, role), acts: true });
}

export function putPressed(element: any, role: string, level: number) {
  const name = isHuge(element) ? '' : tellName(element) || tell(element.innerText || '', 200);
  const called = name ? '' : calledWordsOf(element);
  const kind = { cell: 'cell', gridcell: 'cell', columnheader: 'columnheader', rowheader: 'rowheader', img: 'image' }[role] || (name ? 'control' : 'icon');
  return put({ element, level, kind, name: name || called, states: statesOf(element), acts: true });
}

export function putHeading(element: any, level: number) {
  const name = tellName(element).replace(/[¶#§🔗]$/u, '').trim();
  if (!name) return;
  put({ element, level, kind: 'heading', name, heading: Math.min(6, Number(element.getAttribute('aria-level') || /^H([1-6])$/.exec(tagOf(element))?.[1] || 2)) });
}

export function putImage(element: any, level: number) {
  const name = tellName(element);
  const before = look.things.at(-1);
  if (name && before?.name !== name && element.getBoundingClientRect().width > 1) put({ element, level, kind: 'image', name });
}

export function putGauge(element: any, level: number) {
  const value = element.getAttribute('aria-valuetext') ?? element.getAttribute('aria-valuenow') ?? (element.matches('progress:indeterminate') ? '' : String(element.value ?? ''));
  put({ element, level, kind: 'progressbar', name: tellName(element), value: tell(value, 60) || null });
}

export function putDrawing(element: any, level: number) {
  const box = element.getBoundingClientRect();
  if (box.width < 100 || box.height < 60) return;
  const what = tagOf(element) === 'CANVAS' ? 'drawing' : tagOf(element).toLowerCase();
  put({ element, level, kind: 'text', name: `(${[what, tellName(element)].filter(Boolean).join(': ')})` });
}
