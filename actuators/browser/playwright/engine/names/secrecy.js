import { tagOf } from './tree.js';

// Fields into which a secret was typed; they are secret whatever they turn into, as with a button that shows a password.
export const holding = new WeakSet();

/** @param {Element} element */
export function holdSecret(element) {
  holding.add((tagOf(element) === 'LABEL' && element.control) || element);
  return true;
}

/** @param {Element} field */
export function isSecret(field) {
  return holding.has(field) || field.type === 'password' || /password|cc-csc|one-time-code/.test(field.autocomplete || '');
}
