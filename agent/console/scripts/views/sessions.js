/** Open sessions, and all runs to search. */

import { h } from '../dom/elements.js';
import { read } from '../wires/api.js';
import { app, attempt, listOf, redraw } from '../app.js';
import { runRow } from '../parts/run_rows.js';
import { sessionGroups } from '../parts/session_cards.js';
import { callSession, shorten } from '../runs/names.js';
import { emptyPlace } from '../parts/chips.js';

/** @typedef {import('../wires/types').RunRecord} RunRecord */

const PAUSE_MS = 200, MOST = 44;
/** More open sessions than that can be searched. */
const FEW = 6;

const search = {
  open: '',
  words: '',
  session: '',
  /** @type {RunRecord[] | null} */
  found: null,
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer: undefined,
};

export const sessionsView = {
  title: 'Sessions',
  draw() {
    const isNarrowed = Boolean(search.words || search.session);
    const runs = isNarrowed ? search.found ?? [] : app.runs;
    const names = [...new Set([...app.sessions.map((each) => each.name), ...app.runs.map((each) => each.session)])].filter(Boolean);
    return [
      h('h1', { key: 'title', tabindex: '-1' }, 'Sessions'),
      h('section', { key: 'open' },
        h('div', { class: 'section-head' }, h('h2', null, 'Open'), app.sessions.length > FEW || search.open ? openSearch() : null),
        app.sessions.length ? sessionGroups(app.sessions, search.open) : emptyPlace('No session is open.', 'A goal opens one, and keeps its page for the next.')),
      h('section', { key: 'runs' },
        h('div', { class: 'section-head' }, h('h2', null, 'Runs'), searchForm(names)),
        runs.length ? h('ul', { class: 'rows' }, runs.map(runRow)) : emptyPlace(isNarrowed ? 'No run has these words.' : 'Nothing ran yet.', '')),
    ];
  },
};

/** Narrows the open sessions as one types. */
function openSearch() {
  return h('form', { class: 'search', role: 'search', 'aria-label': 'Open sessions', on: { submit: (/** @type {Event} */ event) => event.preventDefault() } },
    h('label', null, h('span', { class: 'unseen' }, 'Find a session'),
      h('input', { type: 'search', class: 'field', placeholder: 'Find a session', on: { input: (/** @type {Event} */ event) => {
        search.open = valueOf(event);
        redraw();
      } } })));
}

/** @param {string[]} names */
function searchForm(names) {
  return h('form', { class: 'search', role: 'search', 'aria-label': 'Runs', on: { submit: (/** @type {Event} */ event) => event.preventDefault() } },
    h('label', null, h('span', { class: 'unseen' }, 'Search runs'),
      h('input', { type: 'search', class: 'field', placeholder: 'Search runs', on: { input: (/** @type {Event} */ event) => narrow({ words: valueOf(event) }) } })),
    h('label', null, h('span', { class: 'unseen' }, 'Of session'),
      h('select', { class: 'field', on: { change: (/** @type {Event} */ event) => narrow({ session: valueOf(event) }) } },
        h('option', { value: '' }, 'all sessions'), names.map((name) => h('option', { key: name, value: name }, shorten(callSession(name, app.runs), MOST))))));
}

/**
 * @param {Event} event
 * @returns {string} What is in the field.
 */
function valueOf(event) {
  return /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target).value;
}

/** @param {{words?: string, session?: string}} by */
function narrow(by) {
  Object.assign(search, by);
  clearTimeout(search.timer);
  search.timer = setTimeout(() => void find(), PAUSE_MS);
}

/** Ask for the runs that are meant. */
async function find() {
  const asked = new URLSearchParams({ words: search.words.trim(), session: search.session, most: '100' });
  const found = await attempt(() => read(`v1/runs?${asked}`));
  if (found) search.found = listOf(found, 'runs');
  redraw();
}
