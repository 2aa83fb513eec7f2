/** Light, dark, or as the system has it. */

const NAME = 'surehand.colours';
const THEMES = ['as the system', 'light', 'dark'];

/** @returns {string} */
export function readTheme() {
  const kept = localStorage.getItem(NAME) ?? '';
  return THEMES.includes(kept) ? kept : 'as the system';
}

/** Take the next one. */
export function turnTheme() {
  const next = THEMES[(THEMES.indexOf(readTheme()) + 1) % THEMES.length] ?? 'as the system';
  localStorage.setItem(NAME, next);
  applyTheme();
}

/** Show what was chosen. */
export function applyTheme() {
  const theme = readTheme();
  if (theme === 'as the system') document.documentElement.removeAttribute('data-colours');
  else document.documentElement.setAttribute('data-colours', theme);
}

applyTheme();
