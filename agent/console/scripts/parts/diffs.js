/** A change of a text, line by line, and what else would change. */

import { h } from '../dom/elements.js';

/**
 * @typedef {{kind: 'head' | 'add' | 'cut' | 'same', text: string, before: number | null, after: number | null}} Line
 */

/**
 * @param {string} diff Unified.
 * @returns {Line[]}
 */
export function readDiff(diff) {
  let before = 0;
  let after = 0;
  return diff.replace(/\n$/, '').split('\n').flatMap((text) => {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(text);
    if (/^(---|\+\+\+) /.test(text) && !before && !after) return [];
    if (hunk) {
      [before, after] = [Number(hunk[1]), Number(hunk[2])];
      const name = text.replace(/^@@.*?@@ ?/, '');
      return name || Math.max(before, after) > 1 ? [line('head', name, null, null)] : [];
    }
    if (text.startsWith('\\')) return [];
    if (text.startsWith('+')) return [line('add', text.slice(1), null, after++)];
    if (text.startsWith('-')) return [line('cut', text.slice(1), before++, null)];
    return [line('same', text.slice(1), before++, after++)];
  });
}

/**
 * @param {Line['kind']} kind
 * @param {string} text
 * @param {number | null} before
 * @param {number | null} after
 * @returns {Line}
 */
function line(kind, text, before, after) {
  return { kind, text, before, after };
}

/**
 * @param {Line[]} lines
 * @returns {string} Such as `+2 −1`.
 */
export function weighDiff(lines) {
  const count = (/** @type {string} */ kind) => lines.filter((each) => each.kind === kind).length;
  return `+${count('add')} −${count('cut')}`;
}

const SIGNS = { add: '+', cut: '−', same: '', head: '' };
const SAID = { add: 'added', cut: 'removed', same: '', head: '' };

/**
 * @param {string} diff Unified.
 * @param {string} name What changes.
 */
export function diffView(diff, name) {
  const lines = readDiff(diff);
  return h('figure', { class: 'diff' },
    h('figcaption', null, h('span', { class: 'diff-name' }, name), h('span', { class: 'diff-weight' }, weighDiff(lines))),
    h('div', { class: 'diff-scroll', tabindex: '0', role: 'region', 'aria-label': `Changes of ${name}` },
      h('table', { class: 'diff-lines' }, h('tbody', null, lines.map(drawLine)))),
  );
}

/** @param {Line} each */
function drawLine(each) {
  if (each.kind === 'head' && !each.text) return h('tr', { class: 'diff-head', 'aria-hidden': 'true' }, h('td', { colspan: '3' }, '⋯'));
  if (each.kind === 'head') return h('tr', { class: 'diff-head' }, h('td', { colspan: '3' }, each.text));
  return h('tr', { class: `diff-${each.kind}` },
    h('th', { class: 'diff-number', scope: 'row' }, each.after ?? each.before ?? ''),
    h('td', { class: 'diff-sign' }, h('span', { 'aria-hidden': 'true' }, SIGNS[each.kind]), SAID[each.kind] ? h('span', { class: 'unseen' }, SAID[each.kind]) : null),
    h('td', { class: 'diff-text' }, each.text || ' '),
  );
}

/**
 * @param {Record<string, any>} data
 */
export function dataList(data) {
  const entries = Object.entries(data).filter(([, value]) => value !== '' && value !== null && value !== undefined);
  if (!entries.length) return null;
  return h('dl', { class: 'data' }, entries.flatMap(([name, value]) => [
    h('dt', { key: `t-${name}` }, name.replaceAll('_', ' ')),
    h('dd', { key: `d-${name}` }, tellValue(value)),
  ]));
}

/**
 * @param {any} value
 * @returns {string}
 */
function tellValue(value) {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = JSON.stringify(value, null, typeof value === 'object' ? 1 : 0);
  return text.length > 1200 ? `${text.slice(0, 1200)}…` : text;
}
