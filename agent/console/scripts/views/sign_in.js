/** Asks for the token where the address had none, or a wrong one. */

import { h } from '../dom/elements.js';
import { keepToken, readToken } from '../wires/token.js';
import { app, redraw, refresh } from '../app.js';
import { errorBox } from '../parts/chips.js';

const typed = { token: '', wasTried: false };

export const signInView = {
  title: 'Sign in',
  draw() {
    const isWrong = app.standing === 'unknown' && readToken() && typed.wasTried;
    return [
      h('div', { class: 'sign-in card' },
        h('h1', { tabindex: '-1' }, 'Sign in'),
        h('p', null, 'Open the address that ', h('code', null, 'surehand serve'), ' printed, or paste it here. The token stays in this tab.'),
        isWrong ? errorBox({ code: '', message: 'The service does not know this token.', hint: 'Copy the address that “surehand serve” printed last.' }) : null,
        h('form', { class: 'sign-in-form', on: { submit: (/** @type {Event} */ event) => void enter(event) } },
          h('label', { for: 'token' }, 'Address or token'),
          h('input', { id: 'token', class: 'field', type: 'password', autocomplete: 'off', on: { input: (/** @type {Event} */ event) => {
            typed.token = /** @type {HTMLInputElement} */ (event.target).value;
          } } }),
          h('button', { type: 'submit', class: 'button primary' }, h('span', null, 'Sign in')))),
    ];
  },
};

/** @param {Event} event */
async function enter(event) {
  event.preventDefault();
  if (!typed.token.trim()) return;
  keepToken(typed.token);
  typed.wasTried = true;
  app.standing = 'joining';
  redraw();
  await refresh();
}
