import { ownText } from '../names/naming.ts';
import { CONTROLS, HEADINGS } from '../names/roles.ts';
import { isVisible } from '../names/sight.ts';
import { fold } from '../names/texts.ts';
import { findAll, innermost, scopeOf } from '../names/tree.ts';

const LEAST_WORDS = 3;
const NO_PROSE = `${CONTROLS}, ${HEADINGS}, label, legend, caption, th, nav, svg, script, style, template, noscript, head, option`;

const isBlock = (element: Element) => !/^(?:inline|contents|none)/.test(getComputedStyle(element).display);

/** What people call a paragraph though its author marked none: blocks with a run of words of their own. */
export function proseIn(root: Root) {
  const said = findAll(scopeOf(root), '*').filter((each) => !each.closest(NO_PROSE) && fold(ownText(each)).split(' ').length >= LEAST_WORDS
    && isVisible(each) && isBlock(each));
  return innermost(said);
}
