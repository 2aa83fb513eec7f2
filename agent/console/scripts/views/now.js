/** The first place: a box for a goal, what waits for a person, what runs, and what ran last. */

import { h } from '../dom/elements.js';
import { app } from '../app.js';
import { isLive, tellCount } from '../runs/words.js';
import { goalForm } from '../parts/goal_box.js';
import { questionList } from '../parts/questions.js';
import { runRow } from '../parts/run_rows.js';
import { emptyPlace } from '../parts/chips.js';
import { isBusy, sessionCard } from '../parts/session_cards.js';

const LATEST = 8;

export const nowView = {
  title: 'Now',
  draw() {
    const going = app.runs.filter(isLive);
    const ended = app.runs.filter((run) => !isLive(run)).slice(0, LATEST);
    const busy = app.sessions.filter(isBusy);
    const idle = app.sessions.length - busy.length;
    return [
      h('h1', { key: 'title', tabindex: '-1' }, greet(going.length)),
      goalForm(),
      questionList(app.questions, { withLink: true }),
      going.length ? h('section', { key: 'going' }, h('h2', null, 'Runs now'), h('ul', { class: 'rows' }, going.map(runRow))) : null,
      h('div', { key: 'columns', class: 'columns' },
        h('section', null,
          h('div', { class: 'section-head' }, h('h2', null, 'Lately'), idle ? h('a', { class: 'more', href: '#/sessions' }, tellCount(idle, 'idle session')) : null),
          ended.length ? h('ul', { class: 'rows' }, ended.map(runRow)) : emptyPlace('Nothing ran yet.', 'Type a goal above. Its plan and receipts appear here.')),
        busy.length ? h('section', null, h('h2', null, 'Sessions at work'), h('ul', { class: 'cards' }, busy.map(sessionCard))) : null),
    ];
  },
};

/**
 * @param {number} going
 * @returns {string}
 */
function greet(going) {
  if (app.questions.length) return app.questions.length === 1 ? 'One question waits for you' : `${app.questions.length} questions wait for you`;
  if (!going) return 'What shall be done?';
  return going === 1 ? 'One run goes on' : `${going} runs go on`;
}
