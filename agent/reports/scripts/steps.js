/** Finding steps, unfolding them, and small pictures beside their names. Without this the page can be read all the same. */

/** @type {HTMLElement[]} */
const steps = [...document.querySelectorAll('[data-step]')].filter((each) => each instanceof HTMLElement);
const tools = document.querySelector('[data-tools]');
const field = /** @type {HTMLInputElement | null} */ (document.querySelector('[data-search]'));
const unfold = /** @type {HTMLButtonElement | null} */ (document.querySelector('[data-unfold]'));
const found = document.querySelector('[data-found]');
const nothing = /** @type {HTMLElement | null} */ (document.querySelector('[data-nothing]'));

/** @type {Map<HTMLElement, string>} */
const texts = new Map();

/**
 * @param {HTMLElement} step
 * @returns {string}
 */
function textOf(step) {
  const known = texts.get(step) ?? (step.textContent ?? '').toLowerCase().replace(/\s+/g, ' ');
  texts.set(step, known);
  return known;
}

/** Show only the steps that hold all the words. */
function find() {
  const words = (field?.value ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  for (const step of steps) step.hidden = !words.every((word) => textOf(step).includes(word));
  for (const group of [...document.querySelectorAll('.group, .flow')].reverse()) {
    if (group instanceof HTMLElement) group.hidden = words.length > 0 && !group.querySelector('[data-step]:not([hidden])');
  }
  tell(words.length > 0);
}

/** @param {boolean} isSearch */
function tell(isSearch) {
  const seen = steps.filter((step) => step.checkVisibility()).length;
  const inFolded = steps.filter((step) => !step.hidden).length;
  if (nothing) nothing.hidden = inFolded > 0 && (seen > 0 || isSearch);
  if (found) found.textContent = isSearch ? `${inFolded} of ${steps.length} ${steps.length === 1 ? 'step' : 'steps'} found` : '';
}

/** @param {boolean} isOpen */
function foldAll(isOpen) {
  for (const step of steps) {
    const details = step.querySelector('details');
    if (details) details.open = isOpen;
  }
  for (const group of document.querySelectorAll('[data-group], .flow > details')) {
    if (isOpen && group instanceof HTMLDetailsElement) group.open = true;
  }
  if (unfold) {
    unfold.setAttribute('aria-pressed', String(isOpen));
    unfold.textContent = isOpen ? 'Fold all' : 'Unfold all';
  }
}

/** Unfold the step that an address names, and what it lies in. */
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target?.matches('[data-step]')) return;
  const own = target.querySelector('details');
  if (own) own.open = true;
  for (let place = target.parentElement?.closest('details'); place; place = place.parentElement?.closest('details')) place.open = true;
  if (target instanceof HTMLElement) target.hidden = false;
  target.scrollIntoView({ block: 'start' });
  target.querySelector('summary')?.focus({ preventScroll: true });
  for (const link of document.querySelectorAll('.plan a')) {
    if (link.getAttribute('href') === location.hash) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}

/** Put a small picture beside the name of each step that has one. */
function addThumbs() {
  for (const step of steps) {
    const pictures = [...step.querySelectorAll('.picture img')];
    const last = pictures.at(-1);
    const time = step.querySelector('.step-time');
    if (!(last instanceof HTMLImageElement) || !time) continue;
    const thumb = document.createElement('img');
    thumb.className = 'thumb';
    thumb.alt = '';
    thumb.loading = 'lazy';
    thumb.decoding = 'async';
    thumb.src = last.src;
    time.before(thumb);
  }
}

const finding = tools?.querySelector('[data-finding]');
if (finding instanceof HTMLElement) finding.hidden = false;
if (unfold) unfold.hidden = false;
field?.addEventListener('input', find);
tools?.addEventListener('change', (event) => {
  if (event.target instanceof HTMLInputElement && event.target.type === 'radio') tell(Boolean(field?.value.trim()));
});
unfold?.addEventListener('click', () => foldAll(unfold.getAttribute('aria-pressed') !== 'true'));
addEventListener('hashchange', openTarget);
addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[href^="#step-"]') : null;
  if (link && link.getAttribute('href') === location.hash) openTarget();
});
addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement;
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey || !field) return;
  event.preventDefault();
  field.focus();
});
addThumbs();
openTarget();

export {};
