/** Open sessions: those with something going on as cards, the others folded, a line each. */

import { h } from '../dom/elements.js';
import { remove, send } from '../wires/api.js';
import { app, attempt, notify, refresh } from '../app.js';
import { tellAgo, tellCount } from '../runs/words.js';
import { callSession, isNamed, shorten, tellAddress, tellDoor, tellRequest } from '../runs/names.js';
import { button } from './chips.js';
import { icon } from './icons.js';

/** @typedef {import('../wires/types').SessionRecord} SessionRecord */

const OLD_S = 3600;
/** Idle sessions that need no fold. */
const FEW = 3;
/** Letters of a name on a card and in a line, and of an address. */
const MOST_NAME = 48, MOST_LINE = 80, MOST_PAGE = 38;

/**
 * @param {SessionRecord} session
 * @returns {boolean} Whether something goes on in it, or waits for a person.
 */
export function isBusy(session) {
  return session.running.length > 0 || session.questions > 0;
}

/**
 * @param {SessionRecord[]} sessions
 * @param {string} words What is looked for; empty for all.
 */
export function sessionGroups(sessions, words) {
  const wanted = words.trim().toLowerCase();
  const found = sessions.filter((each) => [each.name, nameOf(each), doorOf(each), ...each.pages].join(' ').toLowerCase().includes(wanted));
  const idle = found.filter((each) => !isBusy(each) && each.idle_s < OLD_S);
  const old = found.filter((each) => !isBusy(each) && each.idle_s >= OLD_S);
  return h('div', { key: 'groups', class: 'session-groups' },
    cardGroup('Waiting for you', found.filter((each) => each.questions > 0)),
    cardGroup('Running', found.filter((each) => isBusy(each) && !each.questions)),
    foldedGroup('Idle', idle, Boolean(wanted) || idle.length <= FEW),
    foldedGroup('Older than an hour', old, Boolean(wanted)),
    found.length ? null : h('p', { class: 'session-nothing' }, 'No open session has these words.'));
}

/**
 * @param {string} title
 * @param {SessionRecord[]} sessions
 */
function cardGroup(title, sessions) {
  if (!sessions.length) return null;
  return h('section', { key: title }, h('h3', null, title, ' ', h('span', { class: 'section-count' }, String(sessions.length))),
    h('ul', { class: 'cards' }, sessions.map(sessionCard)));
}

/**
 * @param {string} title
 * @param {SessionRecord[]} sessions
 * @param {boolean} open
 */
function foldedGroup(title, sessions, open) {
  if (!sessions.length) return null;
  return h('details', { key: title, class: 'session-fold', open },
    h('summary', null, icon('chevron'), h('h3', null, title), ' ', h('span', { class: 'section-count' }, String(sessions.length))),
    h('ul', { class: 'rows' }, sessions.toSorted((one, other) => one.idle_s - other.idle_s).map(sessionRow)));
}

/** @param {SessionRecord} session */
function nameOf(session) {
  return callSession(session.name, app.runs);
}

/** @param {SessionRecord} session */
function doorOf(session) {
  return tellDoor(app.runs.find((each) => each.session === session.name)?.door ?? '');
}

/** @param {SessionRecord} session */
function sessionRow(session) {
  const [page = ''] = session.pages;
  const name = shorten(nameOf(session), MOST_LINE);
  return h('li', { key: session.name, class: 'session-row' },
    h('a', { class: 'row-link', href: watchPath(session) },
      h('span', { class: 'row-words' },
        h('span', { class: 'row-title', title: session.name }, name),
        h('span', { class: 'row-reply' }, page ? tellAddress(page, MOST_LINE) : 'No page is open.')),
      h('span', { class: 'row-about' },
        isNamed(session.name) && doorOf(session) ? h('span', { class: 'row-door' }, doorOf(session)) : null,
        h('span', null, tellAgo(session.idle_s)))),
    closeButton(session, name));
}

/** @param {SessionRecord} session */
export function sessionCard(session) {
  const running = session.running.length;
  const run = isNamed(session.name) ? app.runs.find((each) => each.session === session.name) : null;
  const name = shorten(nameOf(session), MOST_NAME);
  return h('li', { key: session.name, class: 'card session' },
    h('div', { class: 'session-head' }, h('p', { class: 'session-name', title: session.name }, name), standing(session)),
    run ? h('p', { class: 'session-run' }, shorten(tellRequest(run), MOST_NAME)) : null,
    session.pages.length
      ? h('ul', { class: 'pages' }, session.pages.slice(0, 3).map((page) => h('li', { key: page, title: page }, tellAddress(page, MOST_PAGE))))
      : h('p', { class: 'session-nothing' }, 'No page is open.'),
    h('div', { class: 'session-foot' },
      h('a', { class: 'button small', href: watchPath(session), 'aria-label': `Watch ${name}` }, h('span', null, 'Watch')),
      running ? button('Stop', () => act(() => send(`${pathOf(session)}/stop`), `Session “${name}” was told to stop.`), { look: 'small danger', label: `Stop ${name}` }) : null,
      closeButton(session, name)));
}

/** @param {SessionRecord} session */
function standing(session) {
  if (session.questions) return h('span', { class: 'mark look-asking' }, tellCount(session.questions, 'question'));
  const running = session.running.length;
  return h('span', { class: running ? 'mark look-running' : 'session-idle' }, running ? `${running} running` : `idle, ${tellAgo(session.idle_s)}`);
}

/**
 * @param {SessionRecord} session
 * @param {string} name
 */
function closeButton(session, name) {
  return button('Close', () => act(() => remove(pathOf(session)), `Session “${name}” is closed.`), { look: 'small', label: `Close ${name}` });
}

/** @param {SessionRecord} session */
function pathOf(session) {
  return `v1/sessions/${encodeURIComponent(session.name)}`;
}

/** @param {SessionRecord} session */
function watchPath(session) {
  return `#/watch/${encodeURIComponent(session.name)}`;
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
