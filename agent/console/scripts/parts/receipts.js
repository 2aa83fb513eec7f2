/** Receipts: what each step did, what was read back to say so, and pictures before and after. */

import { h } from '../dom/elements.js';
import { lookOf, nameLook, tellMs } from '../runs/words.js';
import { badge, errorBox } from './chips.js';
import { dataList } from './diffs.js';
import { pictureRow } from './pictures.js';
import { picturesOf } from '../runs/told_pictures.js';
import { icon, familyOf } from './icons.js';

/**
 * @typedef {import('../wires/types').StepState} StepState
 * @typedef {import('../wires/types').Artifact} Artifact
 */

/**
 * @param {StepState[]} steps
 * @param {Artifact[]} artifacts
 */
export function receiptList(steps, artifacts) {
  return h('ol', { key: 'receipts', class: 'receipts' }, steps.map((step) => receipt(step, artifacts)));
}

/**
 * @param {StepState} step
 * @param {Artifact[]} artifacts
 */
function receipt(step, artifacts) {
  const look = lookOf(step);
  return h('li', { key: step.action_id, id: `step-${step.action_id}`, class: `receipt look-${look}`, tabindex: '-1' },
    h('div', { class: 'receipt-rail' }, badge(look, nameLook(look))),
    h('div', { class: 'receipt-body' },
      h('p', { class: 'receipt-line' },
        h('span', { class: 'receipt-number' }, String(step.number)),
        h('span', { class: 'receipt-text' }, step.description),
        h('span', { class: 'receipt-time' }, step.ms ? tellMs(step.ms) : '')),
      step.error ? errorBox(step.error) : null,
      pictures(step, artifacts),
      look === 'planned' ? null : h('div', { class: 'receipt-foot' }, tellStanding(step, look), details(step))));
}

/**
 * @param {StepState} step
 * @param {import('../runs/words.js').Look} look
 */
function tellStanding(step, look) {
  const value = step.output['text'] ?? step.output['title'] ?? step.output['value'];
  return h('div', { class: 'receipt-standing' },
    h('span', { class: `receipt-look look-${look}` }, nameLook(look)),
    h('span', { class: 'receipt-verb' }, icon(familyOf(step.name)), step.name),
    typeof value === 'string' && value ? h('q', { class: 'receipt-value' }, value.length > 140 ? `${value.slice(0, 140)}…` : value) : null,
    Object.keys(step.tainted).length ? h('span', { class: 'chip chip-tainted', title: 'A value in it was read from a page, file or window.' }, 'holds what was read') : null,
    step.note ? h('span', { class: 'receipt-note' }, step.note) : null);
}

/**
 * @param {StepState} step
 * @param {Artifact[]} artifacts
 */
function pictures(step, artifacts) {
  const { before, after, others } = picturesOf(artifacts, step.action_id);
  const told = [
    { artifact: before, words: 'Before' }, { artifact: after, words: 'After' },
    ...others.map((artifact) => ({ artifact, words: step.error ? 'When it failed' : artifact.name })),
  ].flatMap(({ artifact, words }) => (artifact ? [{ artifact, words }] : []));
  return told.length ? pictureRow(told, `Step ${step.number}: ${step.description}`) : null;
}

/** @param {StepState} step */
function details(step) {
  const parts = [
    ['What was read back', dataList(step.evidence)],
    ['What it was done with', dataList(step.args)],
    ['What it gave', dataList(step.output)],
    ['Where that was read', step.origins.length ? dataList(Object.fromEntries(step.origins.map((each, place) => [`${each.kind} ${place + 1}`, each.place]))) : null],
    ['The way back', step.undo ? h('p', { class: 'receipt-undo' }, step.undo) : null],
  ];
  const shown = parts.filter(([, part]) => part);
  if (['planned', 'left', 'skipped', 'asking'].includes(step.status) || !shown.length) return null;
  return h('details', { class: 'receipt-details' }, h('summary', null, icon('chevron'), 'Evidence'),
    shown.map(([title, part]) => h('section', { key: String(title) }, h('h4', null, title), part)));
}
