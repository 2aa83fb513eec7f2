/** What a field shows one by one of what was chosen, each with something to take it out again. */
import { nameOf } from '../names/naming.ts';
import { isPressable } from '../names/roles.ts';
import { fold } from '../names/texts.ts';
import { findAll, holds } from '../names/tree.ts';
import { aroundOf, boxOf, isDrawn } from './widgets.ts';

const REMOVERS = 'button, a, [role=button], [role=img], svg, i, span, [aria-label], [title]';
const MOST_LEVELS = 4;

const wordsOf = (element: Element) => fold(element.textContent || '').replace(/^[\u00d7\u2715\u2716\u2a2f\u2573xX]$/, '');

const isRemover = (element: Element) => isDrawn(element) && !wordsOf(element) && (isPressable(element) || element.matches('svg, [role=img]'));

/** The chip around what takes it out: the nearest part with words. */
function chipAround(remover: Element, box: Element) {
  for (let each = aroundOf(remover), level = 0; each && each !== box && level < MOST_LEVELS; each = aroundOf(each), level += 1) {
    if (wordsOf(each)) return findAll(each, 'input, textarea, select, [role=combobox], [contenteditable=true]').length ? null : each;
  }
  return null;
}

const withoutSigns = (text: string) => text.replace(/^[\u00d7\u2715\u2716\u2a2f\u2573]\s*|\s*[\u00d7\u2715\u2716\u2a2f\u2573]$/g, '');

/** @param regions What it has opened, which is apart. */
export function chipsOf(field: Element, regions: Element[]): { text: string, remover: Element }[] {
  const box = boxOf(field, regions);
  const removers: Map<Element, Element> = new Map();
  for (const remover of findAll(box, REMOVERS)) {
    if (!isRemover(remover) || regions.some((region) => holds(region, remover)) || holds(remover, field)) continue;
    const chip = chipAround(remover, box);
    if (chip && !holds(chip, field) && !removers.has(chip)) removers.set(chip, remover);
  }
  const inner = [...removers].filter(([chip]) => ![...removers.keys()].some((other) => other !== chip && holds(chip, other)));
  return inner.map(([chip, remover]) => ({ text: withoutSigns(wordsOf(chip)) || nameOf(chip), remover }));
}
