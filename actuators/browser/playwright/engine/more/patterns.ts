import { namesOf, ownText } from '../names/naming.ts';
import { CONTROLS } from '../names/roles.ts';
import { isVisible } from '../names/sight.ts';
import { key } from '../names/texts.ts';
import { findAll, innermost, scopeOf } from '../names/tree.ts';

const UNREAD = 'script, style, noscript, template, head, head *';

/** Those whose name or text is like a pattern, in which `*` stands for anything. */
export function withPattern(found: Element[], pattern: string) {
  const parts = key(pattern).split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const test = new RegExp(`^${parts.join('.*')}$`, 's');
  const fits = found.filter((each) => [...namesOf(each), each.textContent || ''].some((text) => test.test(key(text))));
  const shown = fits.filter(isVisible);
  return innermost(shown.length ? shown : fits);
}

/** All that may be called so: controls, and what says something itself. */
export const nameable = (root: Root) => findAll(scopeOf(root), '*').filter((each) => !each.matches(UNREAD) && (each.matches(CONTROLS) || key(ownText(each))));
