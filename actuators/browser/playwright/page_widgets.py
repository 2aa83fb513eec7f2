"""JavaScript that finds what pages make themselves and don't say so: counters, stars, popups, crosses; part of the page engine."""

import json

from core.base.control_words import CONTROL_NAMES
from core.selectors.icon_words import alike

_LIKES = {
    asked: {"names": list(names), "icons": [word for word in (asked, *alike(asked)) if " " not in asked]}
    for asked, names in CONTROL_NAMES.items()
}

WIDGET_SCRIPT = (
    f"const CONTROL_LIKES = new Map(Object.entries({json.dumps(_LIKES)}));\n"
    r"""
// Another control that does what was asked for: one that is named so in other words, else an icon.
function findAlike(root, name) {
  const likes = CONTROL_LIKES.get(key(name));
  if (!likes) return [];
  const controls = findAll(scopeOf(root), CONTROLS).filter((each) => isVisible(each) && !isClosedList(each));
  const named = (wanted) => controls.filter((each) => namesOf(each).some((each) => key(each) === key(wanted)));
  const texts = findAll(scopeOf(root), '*').filter((each) => isVisible(each) && (each.textContent || '').length < LONGEST_CAPTION && isPressable(each));
  const read = (wanted) => texts.filter((each) => key(each.textContent) === key(wanted) && !each.closest(CONTROLS));
  const marks = readMarks(root);
  const icons = likes.icons.flatMap((word) => iconStages(marks, [word]).slice(0, 3));
  return firstStage([...likes.names.map((each) => () => innermost([...named(each), ...read(each)])), ...icons]);
}

// What was brought into sight last, so that it can be acted on though it was counted over several pages.
let revealed = null;
function keepRevealed(element) { revealed = element; return true; }
const findRevealed = () => (revealed && revealed.isConnected ? [revealed] : []);

// What lies over a page or is put on it for a while, by what its author calls it; the outermost of such parts.
const POPUP = /^(popup|popups|popover|modal|dialog|overlay|lightbox|cookie|cookies|consent|gdpr|toast|newsletter|notification|snackbar|notice|interstitial)$/;
const LANDMARKS = { contentinfo: /^footer$/, banner: /^(header|masthead|topbar)$/, complementary: /^sidebar$/, navigation: /^(nav|navbar|navigation)$/ };
const calledWords = (element) => wordsIn(`${classText(element)} ${element.id}`);
function outermost(elements) {
  const all = new Set(elements);
  return elements.filter((element) => {
    for (let up = element.parentElement; up; up = up.parentElement) if (all.has(up)) return false;
    return true;
  });
}
function popupsIn(root) {
  const parts = findAll(scopeOf(root), '[class], [id]').filter((each) => !each.matches(CONTROLS) && calledWords(each).some((word) => POPUP.test(word)));
  const isLaid = (element) => ['fixed', 'absolute', 'sticky'].includes(getComputedStyle(element).position) && element.querySelector('*');
  return outermost(parts.filter((each) => isVisible(each) && isLaid(each)));
}
function landmarksIn(root, roles) {
  if (roles.includes('dialog')) return popupsIn(root);
  const tests = roles.map((role) => LANDMARKS[role]).filter(Boolean);
  if (!tests.length) return [];
  return outermost(findAll(scopeOf(root), 'div[class], div[id], ul[class], td[class], td[id]').filter((each) => isVisible(each) && calledWords(each).some((word) => tests.some((test) => test.test(word)))));
}
// Popups that go by that name: what their author calls them, else what is written in them.
function namedPopups(root, name, roles) {
  if (!roles.includes('dialog')) return [];
  const found = popupsIn(root);
  const words = wordsIn(name).map((word) => word.replace(/s$/, ''));
  const isCalled = (each) => { const called = new Set(calledWords(each).map((word) => word.replace(/s$/, ''))); return words.every((word) => called.has(word)); };
  const holds = (each) => hasWords(key(childText(each)), key(name)) || hasWords(key(childText(each)), `${key(name)}s`);
  return firstStage([() => found.filter(isCalled), () => found.filter(holds)]);
}

// Counters: a number between two things to press that count it up and down, by what is written beside them.
const LEVELS_AROUND = 5;
function countersIn(root) {
  const leaves = findAll(scopeOf(root), 'span, div, b, strong, output, p, em, i, td').filter((each) => !each.childElementCount && /\d/.test(each.textContent) && isVisible(each));
  return leaves.filter((each) => numberIn(each.textContent) !== null && stepsBeside(each));
}
function writtenAround(widget, skipped) {
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
const captionOfCounter = (counter) => { const { up, down } = stepsBeside(counter); return [writtenAround(counter, [counter, up, down])].filter(Boolean); };

// Stars and the like: some equal things beside each other that say nothing.
const RATING = /^(rating|ratings|rate|stars|raty|rateit)$/;
const LEAST_STARS = 3, MOST_STARS = 10;
const isStar = (element) => saysNothing(element) && isVisible(element) && !element.querySelector('input');
function starsOf(element) {
  const kids = Array.from(element.children).filter((each) => !each.matches('input, script, style'));
  const isRow = kids.length >= LEAST_STARS && kids.length <= MOST_STARS && kids.every((each) => tagOf(each) === tagOf(kids[0]) && isStar(each));
  return isRow && element.children.length === kids.length && kids.some(isPressable) ? kids : [];
}
function ratingsIn(root) {
  const called = findAll(scopeOf(root), '[class], [id]').filter((each) => isVisible(each) && calledWords(each).some((word) => RATING.test(word)));
  return innermost(called.filter((each) => starsOf(each).length || each.querySelectorAll(RADIOS).length >= LEAST_STARS));
}
const LIT = /(^|[\s_-])(selected|active|checked|filled|full|lit|rated|gold|on)([\s_-]|$)/i;
const isLit = (star) => LIT.test(classOf(star)) || ['aria-checked', 'aria-pressed'].some((name) => star.getAttribute(name) === 'true') || /[★⭐]/.test(star.textContent);
// How many are lit: up to the last one, since some pages light only that one.
const litStars = (stars) => (stars.every(isLit) ? stars.length : stars.findLastIndex(isLit) + 1);
const ratingNames = (root) => (name) => (/^(rating|rate|stars?)$/.test(key(name)) ? ratingsIn(root) : []);
"""
)
