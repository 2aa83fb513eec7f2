/** A run in a line. */

import { h } from '../dom/elements.js';
import { isLive, tellDoor, tellRequest, tellRun, tellSince } from '../runs/words.js';
import { app } from '../app.js';
import { badge } from './chips.js';

/** @typedef {import('../wires/types').RunRecord} RunRecord */

/** @param {RunRecord} run */
export function runRow(run) {
  const isAsking = isLive(run) && app.questions.some((each) => each.run_id === run.run_id);
  const [look, words] = tellRun(isAsking ? { ...run, status: 'asking' } : run);
  return h('li', { key: run.run_id, class: 'row' },
    h('a', { class: 'row-link', href: `#/runs/${encodeURIComponent(run.run_id)}` },
      badge(look, words),
      h('span', { class: 'row-words' },
        h('span', { class: 'row-title' }, tellRequest(run)),
        h('span', { class: 'row-reply' }, run.reply || words)),
      h('span', { class: 'row-about' },
        run.session ? h('span', { class: 'chip' }, run.session) : null,
        run.door ? h('span', { class: 'row-door' }, tellDoor(run.door)) : null,
        h('time', { datetime: run.began_at ?? null }, tellSince(run.began_at)))));
}
