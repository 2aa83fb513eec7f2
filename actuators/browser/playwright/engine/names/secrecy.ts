import { tagOf } from './tree.ts';

// Fields into which a secret was typed; they are secret whatever they turn into, as with a button that shows a password.
export const holding = new WeakSet();

export function holdSecret(element: Element) {
  holding.add((tagOf(element) === 'LABEL' && element.control) || element);
  return true;
}

export const isSecret = (field: Element) => holding.has(field) || field.type === 'password' || /password|cc-csc|one-time-code/.test(field.autocomplete || '');
