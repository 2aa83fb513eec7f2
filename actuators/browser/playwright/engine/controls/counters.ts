import { nameOf } from '../names/naming.ts';
import { EDITABLE, isPressable, PRESSED, RADIOS } from '../names/roles.ts';
import { isVisible } from '../names/sight.ts';
import { fold, key, LONGEST_CAPTION } from '../names/texts.ts';
import { classText, findAll, innermost, scopeOf, tagOf } from '../names/tree.ts';
import { saysNothing } from '../looks/icons.ts';
import { calledWords } from '../more/widgets.ts';

export const BOX_FIELDS = 'input[type=checkbox], [role=checkbox], [role=switch], [role=menuitemcheckbox], [aria-pressed]';
const NUMBER = /^[^\p{L}\p{N}.+−-]?\s*([+−-]?\d[\d,]*(?:\.\d+)?)\s*(?:%|°|\p{L}{0,12}\.?)$/u;

export const numberIn = (text: string) => { const match = NUMBER.exec(fold(text)); return match ? Number(match[1].replace(/,/g, '').replace('−', '-')) : null; };
const UP = /^[+＋▲△↑]$|\b(plus|increase|increment|up|more|add)\b/i;
const DOWN = /^[-−–▼▽↓]$|\b(minus|decrease|decrement|down|less|fewer|remove|subtract)\b/i;

export function stepsBeside(widget: Element) {
  for (let around = widget.parentElement, level = 0; around && level < 3; around = around.parentElement, level += 1) {
    const signs = findAll(around, 'span, div, i, b').filter((each) => !each.childElementCount && /^[+＋−–-]$/.test(fold(each.textContent)) && isPressable(each) && !each.closest(PRESSED));
    const others = findAll(around, `${PRESSED}, a, [onclick], [class*=spinner-], [class*=stepper]`).filter((each) => !signs.some((sign) => each.contains(sign)));
    const buttons = [...signs, ...others].filter((each) => isVisible(each) && !each.contains(widget));
    const named = (test: any) => buttons.filter((each) => [nameOf(each), fold(each.textContent), classText(each).replace(/[-_]+/g, ' ')].some((text) => test.test(text)));
    const up = named(UP), down = named(DOWN).filter((each) => !up.includes(each));
    if (findAll(around, `${EDITABLE}, .ui-slider`).some((each) => each !== widget)) return null;
    if (up.length === 1 && down.length === 1) return { up: up[0], down: down[0] };
    if (up.length > 1 || down.length > 1) return null;
  }
  return null;
}

const LEVELS_AROUND = 5;

export function countersIn(root: Root) {
  const leaves = findAll(scopeOf(root), 'span, div, b, strong, output, p, em, i, td').filter((each) => !each.childElementCount && /\d/.test(each.textContent) && isVisible(each));
  return leaves.filter((each) => numberIn(each.textContent) !== null && stepsBeside(each));
}

function writtenAround(widget: Element, skipped: Element[]) {
  for (let around = widget.parentElement, level = 0; around && level < LEVELS_AROUND; around = around.parentElement, level += 1) {
    if (around === document.body) return '';
    const walker = document.createTreeWalker(around, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) if (!skipped.some((each) => each.contains(walker.currentNode)) && isVisible(walker.currentNode.parentElement)) texts.push(walker.currentNode.data);
    const text = fold(texts.join(' '));
    if (/\p{L}/u.test(text)) return text.length <= LONGEST_CAPTION ? text : '';
  }
  return '';
}

export const captionOfCounter = (counter: Element) => {
  const steps = stepsBeside(counter);
  const group = counter.closest('[role=group], fieldset');
  return steps ? [writtenAround(counter, [counter, steps.up, steps.down]), group ? nameOf(group) : ''].filter(Boolean) : [];
};

// Stars and the like: some equal things beside each other that say nothing.
const RATING = /^(rating|ratings|rate|stars|raty|rateit)$/;
const LEAST_STARS = 3, MOST_STARS = 10;

export function starsOf(element: Element) {
  const isStar = (each: Element) => saysNothing(each) && isVisible(each) && !each.querySelector('input');
  const kids = Array.from(element.children).filter((each) => !each.matches('input, script, style'));
  const isRow = kids.length >= LEAST_STARS && kids.length <= MOST_STARS && kids.every((each) => tagOf(each) === tagOf(kids[0]) && isStar(each));
  return isRow && element.children.length === kids.length && kids.some(isPressable) ? kids : [];
}

function ratingsIn(root: Root) {
  const called = findAll(scopeOf(root), '[class], [id]').filter((each) => isVisible(each) && calledWords(each).some((word) => RATING.test(word)));
  return innermost(called.filter((each) => starsOf(each).length || each.querySelectorAll(RADIOS).length >= LEAST_STARS));
}

const LIT = /(^|[\s_-])(selected|active|checked|filled|full|lit|rated|gold|on)([\s_-]|$)/i;

const isLit = (star: Element) => LIT.test(classText(star)) || ['aria-checked', 'aria-pressed'].some((name) => star.getAttribute(name) === 'true') || /[★⭐]/.test(star.textContent);

/** How many are lit: up to the last one, since some pages light only that one. */
export const litStars = (stars: Element[]) => (stars.every(isLit) ? stars.length : stars.findLastIndex(isLit) + 1);

export const ratingNames = (root: Root) => (name: string) => (/^(rating|rate|stars?)$/.test(key(name)) ? ratingsIn(root) : []);
