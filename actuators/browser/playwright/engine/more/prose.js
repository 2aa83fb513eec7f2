import { ownText } from '../names/naming.js';
import { CONTROLS, HEADINGS } from '../names/roles.js';
import { isVisible } from '../names/sight.js';
import { fold } from '../names/texts.js';
import { findAll, innermost, scopeOf } from '../names/tree.js';

const LEAST_WORDS = 3;
const NO_PROSE = `${CONTROLS}, ${HEADINGS}, label, legend, caption, th, nav, svg, script, style, template, noscript, head, option`;

/** @param {Element} element */
const isBlock = (element) => !/^(?:inline|contents|none)/.test(getComputedStyle(element).display);

/**
 * What people call a paragraph though its author marked none: blocks with a run of words of their own.
 * @param {Root} root
 */
export function proseIn(root) {
  const said = findAll(scopeOf(root), '*').filter((each) => !each.closest(NO_PROSE) && fold(ownText(each)).split(' ').length >= LEAST_WORDS
    && isVisible(each) && isBlock(each));
  return innermost(said);
}
