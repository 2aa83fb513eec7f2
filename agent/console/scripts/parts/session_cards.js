/** An open session, and what can be done with it. */

import { h } from '../dom/elements.js';
import { remove, send } from '../wires/api.js';
import { attempt, notify, refresh } from '../app.js';
import { tellAgo } from '../runs/words.js';
import { button } from './chips.js';

/** @typedef {import('../wires/types').SessionRecord} SessionRecord */

/** @param {SessionRecord} session */
export function sessionCard(session) {
  const path = `v1/sessions/${encodeURIComponent(session.name)}`;
  const running = session.running.length;
  return h('li', { key: session.name, class: 'card session' },
    h('div', { class: 'session-head' },
      h('h3', null, session.name),
      h('span', { class: running ? 'mark look-running' : 'session-idle' }, running ? `${running} running` : `idle, ${tellAgo(session.idle_s)}`)),
    session.pages.length ? h('ul', { class: 'pages' }, session.pages.slice(0, 3).map((page) => h('li', { key: page }, page))) : h('p', { class: 'session-nothing' }, 'No page is open.'),
    h('div', { class: 'session-foot' },
      h('a', { class: 'button small', href: `#/watch/${encodeURIComponent(session.name)}`, 'aria-label': `Watch ${session.name}` }, h('span', null, 'Watch')),
      running ? button('Stop', () => act(() => send(`${path}/stop`), `Session “${session.name}” was told to stop.`), { look: 'small danger', label: `Stop ${session.name}` }) : null,
      button('Close', () => act(() => remove(path), `Session “${session.name}” is closed.`), { look: 'small', label: `Close ${session.name}` })));
}

/**
 * @param {() => Promise<unknown>} what
 * @param {string} words
 */
async function act(what, words) {
  const done = await attempt(async () => {
    await what();
    return true;
  });
  if (done) notify(words);
  await refresh();
}
