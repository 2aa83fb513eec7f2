/** Light, dark, or as the system has it. It runs before anything is drawn. */

(() => {
  const NAME = 'surehand.colours';
  const THEMES = ['as the system', 'light', 'dark'];
  const WORDS = /** @type {Record<string, string>} */ ({ 'as the system': 'As the system', light: 'Light', dark: 'Dark' });

  /** @returns {string} What was chosen; a page that may keep nothing has no choice. */
  function readTheme() {
    try {
      const kept = localStorage.getItem(NAME) ?? '';
      return THEMES.includes(kept) ? kept : 'as the system';
    } catch {
      return document.documentElement.dataset['colours'] ?? 'as the system';
    }
  }

  /** @param {string} theme */
  function keepTheme(theme) {
    try {
      localStorage.setItem(NAME, theme);
    } catch {
      // it holds for as long as the page is open
    }
  }

  /** @param {string} theme */
  function applyTheme(theme) {
    if (theme === 'as the system') document.documentElement.removeAttribute('data-colours');
    else document.documentElement.setAttribute('data-colours', theme);
    const words = document.querySelector('[data-theme-name]');
    if (words) words.textContent = WORDS[theme] ?? theme;
  }

  applyTheme(readTheme());
  document.addEventListener('DOMContentLoaded', () => {
    const button = /** @type {HTMLButtonElement | null} */ (document.querySelector('[data-theme]'));
    if (!button) return;
    button.hidden = false;
    applyTheme(readTheme());
    button.addEventListener('click', () => {
      const next = THEMES[(THEMES.indexOf(readTheme()) + 1) % THEMES.length] ?? 'as the system';
      keepTheme(next);
      applyTheme(next);
    });
  });
})();
