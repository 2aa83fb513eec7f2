/** The token: it comes in the address behind `#`, which is never sent, and stays with this tab. */

const NAME = 'surehand.token';

/** Take the token out of the address, so that it is in no history and on no picture. */
export function takeToken() {
  const found = /^#token=([\w.~-]+)$/.exec(location.hash);
  if (!found) return;
  sessionStorage.setItem(NAME, found[1] ?? '');
  history.replaceState(null, '', location.pathname + location.search);
}

/** @returns {string} The token; empty where there is none. */
export function readToken() {
  return sessionStorage.getItem(NAME) ?? '';
}

/** @param {string} token What a person pasted; a whole address counts for the token in it. */
export function keepToken(token) {
  sessionStorage.setItem(NAME, token.trim().replace(/^.*#token=/, ''));
}

/** Forget it. */
export function dropToken() {
  sessionStorage.removeItem(NAME);
}
