/** The live view of a session's page, and the take-over: a person acts on the page and hands it back. */

import { h } from '../dom/elements.js';
import { ask, follow, send, ApiError } from '../wires/api.js';
import { attempt, notify, redraw, tell } from '../app.js';
import { button } from './chips.js';
import { icon } from './icons.js';
import { listenOn } from './screen_input.js';
import { tellAddress } from '../runs/names.js';

/** @typedef {{data: string, width_px: number, height_px: number, url: string, title: string, held: boolean}} Frame */

/** Letters of an address that its bar has room for. */
const MOST_LARGE = 100, MOST_SMALL = 27;

const seen = {
  session: '',
  /** @type {AbortController} */
  leaving: new AbortController(),
  /** @type {HTMLImageElement | null} */
  image: null,
  url: '',
  title: '',
  held: false,
  hasPicture: false,
  /** @type {import('../wires/types').ErrorTold | null} */
  missing: null,
};

/**
 * @param {string} session Its name; empty for none.
 * @param {{large?: boolean}} [how]
 */
export function screenPart(session, how = {}) {
  if (!session) return null;
  return h('section', {
    key: `screen-${session}`, class: `screen ${seen.held ? 'held' : ''} ${how.large ? 'large-screen' : ''}`, 'aria-label': 'Live view of the session',
    mount: () => begin(session), unmount: () => end(session),
  },
    h('div', { class: 'screen-bar' },
      h('span', { class: 'screen-dot' }),
      h('span', { class: 'screen-address', title: seen.url }, seen.hasPicture ? tellAddress(seen.url, how.large ? MOST_LARGE : MOST_SMALL) : 'No page is open yet.'),
      seen.held ? button('Back', () => goBack(), { look: 'small', icon: 'undo', label: 'Back to the page before' }) : null,
      takeButton()),
    h('div', { class: 'screen-glass', key: 'glass' },
      h('img', {
        key: 'frame', class: 'screen-frame', alt: seen.title ? `The page “${seen.title}”` : 'The page, live', draggable: 'false',
        tabindex: seen.held ? '0' : null, hidden: !seen.hasPicture, mount: (/** @type {HTMLImageElement} */ image) => place(image),
      }),
      seen.hasPicture ? null : h('p', { class: 'screen-nothing' }, icon('browser'), seen.missing?.message ?? 'Its page appears here as soon as one is open.')),
    seen.held ? h('p', { class: 'screen-note' }, icon('hand'), 'You have the page. Click and type in it. ',
      h('span', { class: 'screen-keys' }, h('kbd', null, 'Shift Esc'), ' hands it back.')) : null);
}

/** The button that takes the page over, or hands it back. */
function takeButton() {
  if (seen.held) return button('Hand back', () => hold(false), { look: 'small primary', icon: 'hand' });
  return button('Take over', () => hold(true), { look: 'small', icon: 'hand', disabled: !seen.hasPicture, title: 'Act on this page yourself. The run waits, and notes what you did.' });
}

/** Go back to the page before. */
async function goBack() {
  await attempt(() => send(`v1/sessions/${encodeURIComponent(seen.session)}/screen/input`, { events: [{ kind: 'back' }] }));
}

/** @param {boolean} held */
async function hold(held) {
  const path = `v1/sessions/${encodeURIComponent(seen.session)}/screen/hold`;
  await attempt(async () => {
    const answer = await send(path, { held });
    if (answer?.deeds?.length) notify(`Noted in the run: you ${answer.deeds.join(', ')}.`);
    seen.held = held;
    tell(held ? 'You have the page. Shift and Escape hand it back.' : 'The page is handed back.');
    redraw();
  });
  if (seen.held) seen.image?.focus();
}

/** @param {string} session */
function begin(session) {
  Object.assign(seen, { session, leaving: new AbortController(), url: '', title: '', held: false, hasPicture: false, missing: null });
  void watchScreen(session, seen.leaving.signal);
}

addEventListener('pagehide', () => {
  if (!seen.held) return;
  const path = `v1/sessions/${encodeURIComponent(seen.session)}/screen/hold`;
  void ask(path, { method: 'POST', body: { held: false }, keepalive: true }).catch(() => undefined);
});

/** @param {string} session */
function end(session) {
  if (seen.session !== session) return;
  seen.leaving.abort();
  if (seen.held) void hold(false);
  seen.image = null;
}

/** @param {HTMLImageElement} image */
function place(image) {
  seen.image = image;
  listenOn(image, {
    isHeld: () => seen.held,
    send: (events) => send(`v1/sessions/${encodeURIComponent(seen.session)}/screen/input`, { events }),
    handBack: () => void hold(false),
  });
}

/**
 * @param {string} session
 * @param {AbortSignal} signal
 */
async function watchScreen(session, signal) {
  while (!signal.aborted) {
    try {
      await follow(`v1/sessions/${encodeURIComponent(session)}/screen`, takeFrame, signal);
    } catch (error) {
      if (signal.aborted) return;
      seen.missing = error instanceof ApiError ? error.told : null;
      redraw();
    }
    await new Promise((done) => setTimeout(done, 1500));
  }
}

/** @param {Frame} frame */
function takeFrame(frame) {
  if (seen.image && frame.data) seen.image.src = `data:image/jpeg;base64,${frame.data}`;
  const hasPage = Boolean(frame.data) && frame.url !== 'about:blank';
  const changed = hasPage !== seen.hasPicture || frame.url !== seen.url || frame.held !== seen.held;
  Object.assign(seen, { url: frame.url, title: frame.title, held: frame.held, hasPicture: hasPage, missing: null });
  if (changed) redraw();
}
