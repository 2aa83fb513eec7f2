import { namesOf, ownText } from '../names/naming.js';
import { CONTROLS } from '../names/roles.js';
import { isVisible } from '../names/sight.js';
import { key } from '../names/texts.js';
import { findAll, innermost, scopeOf } from '../names/tree.js';

const UNREAD = 'script, style, noscript, template, head, head *';

/** @param {string} pattern */
function compile(pattern) {
  const parts = key(pattern).split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}

/**
 * Those whose name or text is like a pattern, in which `*` stands for anything.
 * @param {Element[]} found
 * @param {string} pattern
 */
export function withPattern(found, pattern) {
  const test = compile(pattern);
  const fits = found.filter((each) => [...namesOf(each), each.textContent || ''].some((text) => test.test(key(text))));
  const shown = fits.filter(isVisible);
  return innermost(shown.length ? shown : fits);
}

/**
 * All that may be called so: controls, and what says something itself.
 * @param {Root} root
 */
export function nameable(root) {
  const all = findAll(scopeOf(root), '*').filter((each) => !each.matches(UNREAD));
  return all.filter((each) => each.matches(CONTROLS) || key(ownText(each)));
}
