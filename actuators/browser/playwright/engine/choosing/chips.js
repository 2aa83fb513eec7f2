/** What a field shows one by one of what was chosen, each with something to take it out again. */
import { nameOf } from '../names/naming.js';
import { isPressable } from '../names/roles.js';
import { fold } from '../names/texts.js';
import { findAll, holds } from '../names/tree.js';
import { aroundOf, boxOf, isDrawn } from './widgets.js';

const REMOVERS = 'button, a, [role=button], [role=img], svg, i, span, [aria-label], [title]';
const MOST_LEVELS = 4;

/** @param {Element} element */
const wordsOf = (element) => fold(element.textContent || '').replace(/^[\u00d7\u2715\u2716\u2a2f\u2573xX]$/, '');

/** @param {Element} element */
const isRemover = (element) => isDrawn(element) && !wordsOf(element) && (isPressable(element) || element.matches('svg, [role=img]'));

/**
 * The chip around what takes it out: the nearest part with words.
 * @param {Element} remover
 * @param {Element} box
 */
function chipAround(remover, box) {
  for (let each = aroundOf(remover), level = 0; each && each !== box && level < MOST_LEVELS; each = aroundOf(each), level += 1) {
    if (wordsOf(each)) return findAll(each, 'input, textarea, select, [role=combobox], [contenteditable=true]').length ? null : each;
  }
  return null;
}

/** @param {string} text */
const withoutSigns = (text) => text.replace(/^[\u00d7\u2715\u2716\u2a2f\u2573]\s*|\s*[\u00d7\u2715\u2716\u2a2f\u2573]$/g, '');

/**
 * @param {Element} field
 * @param {Element[]} regions What it has opened, which is apart.
 * @returns {{ text: string, remover: Element }[]}
 */
export function chipsOf(field, regions) {
  const box = boxOf(field, regions);
  /** @type {Map<Element, Element>} */
  const removers = new Map();
  for (const remover of findAll(box, REMOVERS)) {
    if (!isRemover(remover) || regions.some((region) => holds(region, remover)) || holds(remover, field)) continue;
    const chip = chipAround(remover, box);
    if (chip && !holds(chip, field) && !removers.has(chip)) removers.set(chip, remover);
  }
  const inner = [...removers].filter(([chip]) => ![...removers.keys()].some((other) => other !== chip && holds(chip, other)));
  return inner.map(([chip, remover]) => ({ text: withoutSigns(wordsOf(chip)) || nameOf(chip), remover }));
}
