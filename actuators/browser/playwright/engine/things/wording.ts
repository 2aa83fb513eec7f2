import { isSecret } from '../names/secrecy.ts';
import { fold } from '../names/texts.ts';
import { findAll } from '../names/tree.ts';

const LONGEST_READ = 2000; // characters of anything that are looked at
const LEAST_SECRET = 4; // a shorter one would be found in half of all words
const HIDDEN = '•••';

let secrets: string[] = [];

/** Nothing of what secret fields hold, or was revealed, is told from here on. */
export function learnSecrets(root: any, revealed: string[]) {
  const typed = findAll(root, 'input, textarea').filter((field) => field.value && isSecret(field)).map((field) => field.value);
  secrets = [...new Set([...revealed, ...typed])].filter((each) => each.length >= LEAST_SECRET && each.length <= LONGEST_READ).sort((one, other) => other.length - one.length);
}

export const conceal = (text: string) => secrets.reduce((left, secret) => left.replaceAll(secret, HIDDEN), text);

/** A text as it is told: without secrets, on one line, and no longer than that. */
export function tell(text: string, most: number) {
  const told = fold(conceal(text.length > LONGEST_READ ? text.slice(0, LONGEST_READ) : text));
  return told.length > most ? `${told.slice(0, most - 1).trimEnd()}…` : told;
}

export function firstText(root: any, most: number = LONGEST_READ) {
  const walker = document.createTreeWalker(root.shadowRoot || root, NodeFilter.SHOW_TEXT);
  let text = '';
  for (let steps = 0; text.length < most && steps < most && walker.nextNode(); steps += 1) {
    const holder = walker.currentNode.parentElement;
    if (!holder || !holder.closest('script, style, template, noscript')) text += ` ${walker.currentNode.data.slice(0, most)}`;
  }
  return text;
}

export function isHuge(element: any) {
  const walker = document.createTreeWalker(element.shadowRoot || element);
  for (let length = 0, steps = 1; walker.nextNode(); steps += 1) {
    if (walker.currentNode.nodeType === 3) length += walker.currentNode.data.length;
    if (steps > 1500 || length > LONGEST_READ) return true;
  }
  return false;
}
