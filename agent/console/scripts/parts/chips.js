/** Small parts that stand everywhere: marks of states, chips, errors, what is empty. */

import { h } from '../dom/elements.js';
import { attempt, notify } from '../app.js';
import { icon } from './icons.js';

/**
 * @param {string} look
 * @param {string} words
 */
export function mark(look, words) {
  return h('span', { class: `mark look-${look}` }, icon(look), h('span', null, words));
}

/**
 * @param {string} look
 * @param {string} [words] For those who don't see it.
 */
export function badge(look, words = '') {
  return h('span', { class: `badge look-${look}`, role: words ? 'img' : null, 'aria-label': words || null }, icon(look));
}

/**
 * @param {import('../wires/types').ErrorTold} error
 */
export function errorBox(error) {
  return h('div', { class: 'error-box' },
    h('p', { class: 'error-message' }, error.message),
    error.hint ? h('p', { class: 'error-hint' }, error.hint) : null,
    error.code ? h('p', { class: 'error-code' }, h('code', null, error.code)) : null,
  );
}

/**
 * @param {string} title
 * @param {string} text
 * @param {...import('../dom/elements.js').Child} more
 */
export function emptyPlace(title, text, ...more) {
  return h('div', { class: 'empty' }, h('p', { class: 'empty-title' }, title), text ? h('p', null, text) : null, ...more);
}

/**
 * What only programs and reports of faults need, folded, each to copy.
 * @param {[string, string | undefined][]} entries Name and value.
 */
export function foldedDetails(entries) {
  return h('details', { class: 'folded' }, h('summary', null, icon('chevron'), 'Details'),
    h('dl', { class: 'data' }, entries.flatMap(([name, value]) => (value ? [
      h('dt', { key: `t-${name}` }, name),
      h('dd', { key: `d-${name}` }, h('span', null, value), button('Copy', () => copy(value), { look: 'small', label: `Copy: ${name}` })),
    ] : []))));
}

/** @param {string} text */
async function copy(text) {
  if (await attempt(() => navigator.clipboard.writeText(text).then(() => true))) notify('It is copied.');
}

/**
 * @param {string} words
 * @param {() => unknown} act
 * @param {{look?: string, icon?: string, disabled?: boolean, title?: string, label?: string}} [how]
 */
export function button(words, act, how = {}) {
  return h('button', {
    type: 'button', class: `button ${how.look ?? ''}`, disabled: how.disabled ?? false, title: how.title, 'aria-label': how.label,
    on: { click: () => void act() },
  }, how.icon ? icon(how.icon) : null, h('span', null, words));
}
