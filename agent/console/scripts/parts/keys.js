/** The keys of this page, shown by `?`. */

/** @type {[string, string][]} */
const KEYS = [
  ['/', 'Type a goal'],
  ['1 – 4', 'Now, sessions, rules, health'],
  ['Enter', 'Do what is typed'],
  ['Shift Esc', 'Hand a page back that you took over'],
  ['?', 'Show this'],
];

/** Show them until they are closed. */
export function showKeys() {
  if (document.querySelector('dialog.keys')) return;
  const dialog = document.createElement('dialog');
  dialog.className = 'keys';
  dialog.ariaLabel = 'Keys';
  const title = document.createElement('h2');
  title.textContent = 'Keys';
  const list = document.createElement('dl');
  for (const [key, words] of KEYS) {
    const term = document.createElement('dt');
    const kbd = document.createElement('kbd');
    const told = document.createElement('dd');
    kbd.textContent = key;
    told.textContent = words;
    term.append(kbd);
    list.append(term, told);
  }
  const close = document.createElement('button');
  close.className = 'button';
  close.textContent = 'Close';
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  dialog.append(title, list, close);
  document.body.append(dialog);
  dialog.showModal();
}
