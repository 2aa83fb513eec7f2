/** The table of verbs: what can be asked for, and what asks first. */

import { h } from '../dom/elements.js';
import { read } from '../wires/api.js';
import { attempt, listOf, redraw } from '../app.js';
import { icon, familyOf } from '../parts/icons.js';
import { emptyPlace } from '../parts/chips.js';
import { tellApproval } from '../runs/words.js';

const table = {
  /** @type {any[] | null} */
  rules: null,
  words: '',
};

export const rulesView = {
  title: 'Rules',
  enter() {
    if (!table.rules) void load();
  },
  draw() {
    const wanted = table.words.toLowerCase().trim().split(/\s+/);
    const rules = (table.rules ?? []).filter((rule) => wanted.every((word) => `${rule.domain}.${rule.verb} ${rule.description} ${rule.approval}`.toLowerCase().includes(word)));
    const families = [...new Set(rules.map((rule) => rule.domain))];
    return [
      h('h1', { key: 'title', tabindex: '-1' }, 'Rules'),
      h('p', { key: 'lead', class: 'lead' }, 'Every verb, what it takes, and what it asks a person first.'),
      h('label', { key: 'filter', class: 'filter' }, h('span', { class: 'unseen' }, 'Filter'),
        h('input', { type: 'search', class: 'field', placeholder: 'Filter verbs', on: { input: (/** @type {Event} */ event) => {
          table.words = /** @type {HTMLInputElement} */ (event.target).value;
          redraw();
        } } })),
      table.rules && !rules.length ? emptyPlace('No verb has these words.', '') : null,
      ...families.map((family) => familyTable(String(family), rules.filter((rule) => rule.domain === family))),
    ];
  },
};

/** Ask for the table. */
async function load() {
  const rules = await attempt(() => read('v1/rules'));
  table.rules = rules ? listOf(rules, 'rules') : [];
  redraw();
}

/**
 * @param {string} family
 * @param {any[]} rules
 */
function familyTable(family, rules) {
  return h('section', { key: family, class: 'family' }, h('h2', null, icon(familyOf(family)), family),
    h('div', { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': `Verbs of ${family}` },
      h('table', { class: 'table' },
        h('thead', null, h('tr', null, ['Verb', 'What it does', 'Takes', 'Asks first', 'Way back'].map((name) => h('th', { key: name, scope: 'col' }, name)))),
        h('tbody', null, rules.map(ruleRow)))));
}

/**
 * @param {string} template With params in braces, and what may be left out in brackets; of alternatives the first one is shown.
 */
function drawTemplate(template) {
  const plain = template.replace(/\](?:\[[^\]]*\])+/g, ']').replace(/[[\]]/g, '');
  return plain.split(/(\{\w+\})/).map((part) => (/^\{/.test(part) ? h('var', null, part.slice(1, -1).replaceAll('_', ' ')) : part));
}

/** @param {any} rule */
function ruleRow(rule) {
  /** @type {{name: string, required: boolean, type: string}[]} */
  const params = rule.params ?? [];
  return h('tr', { key: rule.verb },
    h('th', { scope: 'row' }, h('code', null, rule.verb)),
    h('td', null, drawTemplate(rule.description)),
    h('td', { class: 'params' }, params.map(({ name, type, required }) => h('code', {
      key: name, class: required ? 'required' : '', title: `${type}${required ? ', required' : ''}`,
    }, name))),
    h('td', { 'data-title': 'Asks first: ' }, rule.approval === 'none' ? '' : h('span', { class: 'chip chip-asks' }, tellApproval(rule.approval))),
    h('td', { 'data-title': 'Way back: ' },
      rule.action_class === 'observe' ? 'changes nothing' : rule.undo === 'irreversible' ? '' : h('span', { class: 'mark look-confirmed' }, icon('undo'), 'yes')));
}
