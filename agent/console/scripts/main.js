/** Begins: takes the code, finds the place that the address names, draws it, and keeps looking what is new. */

import { h, patch } from './dom/elements.js';
import { app, attempt, dismiss, go, notify, redraw, refresh, watch } from './app.js';
import { send } from './wires/api.js';
import { isSignedIn, takeCode } from './wires/token.js';
import { isLive } from './runs/words.js';
import { icon } from './parts/icons.js';
import { button } from './parts/chips.js';
import { readTheme, turnTheme } from './theme.js';
import { nowView } from './views/now.js';
import { runView } from './views/run.js';
import { planView } from './views/plan.js';
import { sessionsView } from './views/sessions.js';
import { watchView } from './views/watch.js';
import { rulesView } from './views/rules.js';
import { healthView } from './views/health.js';
import { enter, signInView, signOut } from './views/sign_in.js';
import { showKeys } from './parts/keys.js';

/**
 * @typedef {{title: string, draw: () => import('./dom/elements.js').Child[], enter?: (name: string) => void, leave?: () => void, drawn?: () => void}} View
 */

/** @type {Record<string, View>} */
const VIEWS = { '': nowView, runs: runView, plan: planView, sessions: sessionsView, watch: watchView, rules: rulesView, health: healthView };
/** @type {[string, string, string][]} Path, words, drawing. */
const PLACES = [['', 'Now', 'now'], ['sessions', 'Sessions', 'runs'], ['rules', 'Rules', 'rules'], ['health', 'Health', 'health']];
const ABOVE = /** @type {Record<string, string>} */ ({ runs: '', plan: '', watch: 'sessions' });

const here = { place: '', name: '', view: /** @type {View} */ (nowView) };

/** Go where the address says. */
function arrive() {
  const [, place = '', name = ''] = /^#\/([a-z]*)(?:\/(.*))?$/.exec(location.hash) ?? [];
  here.view.leave?.();
  Object.assign(here, { place: place in VIEWS ? place : '', name, view: VIEWS[place] ?? nowView });
  here.view.enter?.(decodeURIComponent(name.replace(/\?.*$/, '')));
  drawPage();
  scrollTo(0, 0);
  /** @type {HTMLElement | null} */ (document.querySelector('h1'))?.focus({ preventScroll: true });
}

/** Draw all of it. */
function drawPage() {
  const view = /** @type {View} */ (isStranger() ? signInView : here.view);
  document.title = `${app.questions.length ? `(${app.questions.length}) ` : ''}${view.title} – Surehand`;
  const root = /** @type {HTMLElement} */ (document.getElementById('root'));
  patch(root, [
    h('div', { class: 'frame' },
      sidebar(),
      h('main', { id: 'content', tabindex: '-1', class: 'place' },
        app.standing === 'gone' ? h('p', { key: 'gone', class: 'banner', role: 'alert' }, 'The service does not answer. This page tries again by itself.') : null,
        h('div', { key: view.title + here.name, class: 'view' }, view.draw()))),
    h('div', { class: 'notices' }, app.notices.map((notice) => h('div', { key: notice.id, class: `notice ${notice.look}` },
      h('span', null, notice.text),
      h('button', { type: 'button', class: 'notice-close', 'aria-label': 'Dismiss', on: { click: () => dismiss(notice.id) } }, icon('failed'))))),
  ]);
  view.drawn?.();
}

/** @returns {boolean} Whether nobody let us in yet. */
function isStranger() {
  return !isSignedIn() || app.standing === 'unknown';
}

/** The way around. */
function sidebar() {
  const going = app.runs.filter(isLive).length;
  const at = here.place in ABOVE ? ABOVE[here.place] : here.place;
  return h('header', { class: 'sidebar' },
    h('a', { class: 'brand', href: '#/' }, h('img', { src: 'icon.svg', alt: '', width: '28', height: '28' }), h('span', null, 'Surehand')),
    h('nav', { 'aria-label': 'Places' }, h('ul', { class: 'places' }, PLACES.map(([path, words, drawing]) => h('li', { key: path },
      h('a', { href: `#/${path}`, 'aria-current': at === path ? 'page' : null }, icon(drawing), h('span', null, words), path === '' ? waitingCount() : null))))),
    h('div', { class: 'sidebar-foot' },
      going ? button(going === 1 ? 'Stop the run' : `Stop all ${going}`, stopAll, { look: 'danger small', icon: 'stop' }) : null,
      h('p', { class: `standing standing-${app.standing}` }, h('span', { class: 'standing-dot' }), STANDINGS[app.standing]),
      app.standing === 'here' ? button('Sign out', signOut, { look: 'quiet small' }) : null,
      h('button', { type: 'button', class: 'theme', 'aria-label': `Colours: ${readTheme()}. Change them.`, on: { click: () => {
        turnTheme();
        redraw();
      } } }, icon('sun'), h('span', null, readTheme()))));
}

/** How many questions wait. */
function waitingCount() {
  const count = app.questions.length;
  return count ? h('span', { class: 'count' }, String(count), h('span', { class: 'unseen' }, ' wait for you')) : null;
}

const STANDINGS = { '': '', joining: 'Joining…', here: 'Connected', gone: 'Not reachable', unknown: 'Not signed in' };

/** Stop everything. */
async function stopAll() {
  const done = await attempt(() => send('v1/stop'));
  if (done) notify('Everything was told to stop.');
  await refresh();
}

/** @param {KeyboardEvent} event */
function pressKey(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest('input, textarea, select, dialog, .screen-frame')) return;
  if (event.key === '?') showKeys();
  const places = /** @type {Record<string, string>} */ ({ 1: '/', 2: '/sessions', 3: '/rules', 4: '/health' });
  const path = places[event.key];
  if (path) go(path);
  if (event.key !== '/') return;
  event.preventDefault();
  if (here.place) go('/');
  setTimeout(() => document.getElementById('goal-text')?.focus());
}

/** Sign in by the code in the address, if it has one. */
function signIn() {
  const code = takeCode();
  if (code) void enter(code);
}

app.draw = drawPage;
signIn();
addEventListener('hashchange', () => {
  signIn();
  arrive();
});
addEventListener('keydown', pressKey);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void refresh();
});
setInterval(() => app.questions.length && redraw(), 1000);
arrive();
void watch();
