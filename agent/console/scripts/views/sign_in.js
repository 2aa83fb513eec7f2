/** Signs in: by a one-time code that stands in the terminal, or by the token of somebody whom the settings let in. */

import { h } from '../dom/elements.js';
import { ask, remove, send, ApiError } from '../wires/api.js';
import { keepWord } from '../wires/token.js';
import { app, redraw, refresh } from '../app.js';
import { errorBox, button } from '../parts/chips.js';

/** @typedef {import('../wires/types').ErrorTold} ErrorTold */

const CODE = /^[A-Z2-9]{4}[- ]?[A-Z2-9]{4}$/i;
const PLACES = /** @type {Record<string, string>} */ ({
  terminal: 'A code stands in the terminal in which Surehand runs.',
  notification: 'A notification of your desktop shows a code.',
  '': 'Type “surehand console” in a terminal, in the folder that is served: it prints a code.',
});

const state = { typed: '', told: '', fault: /** @type {ErrorTold | null} */ (null) };

export const signInView = {
  title: 'Sign in',
  draw() {
    return [
      h('div', { class: 'sign-in card' },
        h('h1', { tabindex: '-1' }, 'Sign in'),
        h('p', null, 'Type the code that ', h('code', null, 'surehand console'), ' prints. It counts once; this browser stays signed in for 30 days.'),
        state.fault ? errorBox(state.fault) : null,
        h('form', { class: 'sign-in-form', on: { submit: (/** @type {Event} */ event) => {
          event.preventDefault();
          if (state.typed.trim()) void enter(state.typed.trim());
        } } },
          h('label', { for: 'code' }, 'Code, or your token'),
          h('input', {
            id: 'code', class: 'field', type: 'text', autocomplete: 'one-time-code', autocapitalize: 'characters', spellcheck: 'false', value: state.typed,
            on: { input: (/** @type {Event} */ event) => {
              state.typed = /** @type {HTMLInputElement} */ (event.target).value;
            } },
          }),
          h('button', { type: 'submit', class: 'button primary' }, h('span', null, 'Sign in'))),
        h('p', { role: 'status' }, state.told),
        button('Show me a code', askForCode, { look: 'quiet' })),
    ];
  },
};

/** Have a code shown where only the person at this machine sees it. */
async function askForCode() {
  await tryTo(async () => {
    state.told = PLACES[(await send('v1/console/code')).shown] ?? '';
  });
}

/**
 * Sign in.
 * @param {string} typed A code, or a token, for which the service tells a code.
 */
export async function enter(typed) {
  await tryTo(async () => {
    const code = CODE.test(typed) ? typed : await exchange(typed);
    keepWord((await send('v1/console/key', { code })).word);
    Object.assign(state, { typed: '', told: '' });
    app.standing = 'joining';
    await refresh();
  });
}

/**
 * @param {string} token
 * @returns {Promise<string>} A code for whoever has the token.
 */
async function exchange(token) {
  const answer = await ask('v1/console/code', { method: 'POST', body: {}, headers: { Authorization: `Bearer ${token}` } });
  return (await answer.json()).code;
}

/** Sign this browser out; the code that let it in counts no more, so that a new one is needed. */
export async function signOut() {
  await tryTo(async () => {
    await remove('v1/console/key');
    keepWord('');
    app.standing = 'unknown';
  });
}

/** @param {() => Promise<void>} act */
async function tryTo(act) {
  state.fault = null;
  try {
    await act();
  } catch (error) {
    state.fault = error instanceof ApiError ? error.told : { code: '', message: String(error), hint: '' };
  }
  redraw();
}
