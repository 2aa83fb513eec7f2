/** A run in a line. */

import { h } from '../dom/elements.js';
import { isLive, tellMoment, tellRun, tellSince } from '../runs/words.js';
import { isNamed, shorten, tellDoor, tellRequest } from '../runs/names.js';
import { app } from '../app.js';
import { badge } from './chips.js';

/** @typedef {import('../wires/types').RunRecord} RunRecord */

/** Letters that fit into the lines of a row. */
const MOST_TITLE = 90, MOST_SESSION = 28;

/** @param {RunRecord} run */
export function runRow(run) {
  const isAsking = isLive(run) && app.questions.some((each) => each.run_id === run.run_id);
  const [look, words] = tellRun(isAsking ? { ...run, status: 'asking' } : run);
  return h('li', { key: run.run_id, class: 'row' },
    h('a', { class: 'row-link', href: `#/runs/${encodeURIComponent(run.run_id)}` },
      badge(look, words),
      h('span', { class: 'row-words' },
        h('span', { class: 'row-title', title: tellRequest(run) }, shorten(tellRequest(run), MOST_TITLE)),
        h('span', { class: 'row-reply' }, run.reply || words)),
      h('span', { class: 'row-about' },
        sessionChip(run.session),
        run.door ? h('span', { class: 'row-door' }, tellDoor(run.door)) : null,
        h('time', { datetime: run.began_at ?? null, title: tellMoment(run.began_at) }, tellSince(run.began_at)))));
}

/** @param {string} session What nobody named is not shown. */
export function sessionChip(session) {
  return isNamed(session) ? h('span', { class: 'chip', title: session }, shorten(session, MOST_SESSION)) : null;
}
