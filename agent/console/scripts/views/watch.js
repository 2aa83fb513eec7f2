/** A session's page, live and large. */

import { h } from '../dom/elements.js';
import { app } from '../app.js';
import { screenPart } from '../parts/screen.js';
import { questionList } from '../parts/questions.js';
import { runRow } from '../parts/run_rows.js';
import { emptyPlace, foldedDetails } from '../parts/chips.js';
import { callSession, isNamed, shorten } from '../runs/names.js';

/** Letters of a title. */
const MOST = 80;

let name = '';

export const watchView = {
  title: 'Live view',
  /** @param {string} session */
  enter(session) {
    name = session;
  },
  draw() {
    const isOpen = app.sessions.some((each) => each.name === name);
    const runs = app.runs.filter((run) => run.session === name).slice(0, 5);
    const title = shorten(callSession(name, app.runs), MOST);
    return [
      h('p', { key: 'crumbs', class: 'crumbs' }, h('a', { href: '#/sessions' }, 'Sessions'), ' / ', title),
      h('h1', { key: 'title', tabindex: '-1' }, isNamed(name) ? `Session “${title}”` : title),
      isNamed(name) ? null : foldedDetails([['Session', name]]),
      questionList(app.questions.filter((each) => each.session === name && !each.asker), { withLink: true }),
      isOpen ? screenPart(name, { large: true }) : emptyPlace('This session is closed.', 'The next goal in it opens it again.'),
      runs.length ? h('section', { key: 'runs' }, h('h2', null, 'Its latest runs'), h('ul', { class: 'rows' }, runs.map(runRow))) : null,
    ];
  },
};
