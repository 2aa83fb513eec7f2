/**
 * What lets this page in. The console keeps one half of its key here, for its own origin; the other is a cookie that no script reads.
 * A recording's page has a token: it comes in the address behind `#`, which is never sent, and stays with this tab.
 */

const TOKEN = 'surehand.token', WORD = 'surehand.word';

/**
 * Take what stands behind `#` out of the address, so that it is in no history and on no picture.
 * @param {string} name
 * @returns {string} Its value; empty where there is none.
 */
function takeFromAddress(name) {
  const found = new RegExp(`^#${name}=([\\w.~-]+)$`).exec(location.hash);
  if (found) history.replaceState(null, '', location.pathname + location.search);
  return found?.[1] ?? '';
}

/** Take the token of a recording. */
export function takeToken() {
  const found = takeFromAddress('token');
  if (found) sessionStorage.setItem(TOKEN, found);
}

/** @returns {string} A one-time code that the address had; empty where it had none. */
export const takeCode = () => takeFromAddress('code');

/** @returns {boolean} Whether this browser was let in once. */
export const isSignedIn = () => Boolean(localStorage.getItem(WORD));

/** @param {string} word Empty to forget it. */
export function keepWord(word) {
  if (word) localStorage.setItem(WORD, word);
  else localStorage.removeItem(WORD);
}

/** @returns {Record<string, string>} The header that lets in. */
export function showAccess() {
  const token = sessionStorage.getItem(TOKEN), word = localStorage.getItem(WORD);
  if (token) return { Authorization: `Bearer ${token}` };
  return word ? { 'X-Surehand-Console': word } : {};
}
