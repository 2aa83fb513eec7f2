"""JavaScript that finds clickable things which have no name of their own; part of the page engine.

Such a thing is known by its title, alternative text or the picture that it shows, else by the words that the page's author
gave it: its class, id and data attributes. It is small or meant to be clicked, and says nothing that could be read.
"""

import json

from core.selectors.icon_words import NOISE

ICON_SCRIPT = (
    f"const ICON_NOISE = new Set({json.dumps(sorted(NOISE))});\n"
    r"""
const ICON_PX = 64;
const MARKED = '[class], [id], [title], [alt], [aria-label], [name], [onclick], [data-icon], [data-action], [data-type], [data-name], svg, img, i';
const wordsIn = (text) => (text.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|[^\W\d_]+|\d+|\p{L}+/gu) || []).map((word) => word.toLowerCase());
const classText = (element) => element.getAttribute('class') || '';
const isInSvg = (element) => Boolean(element.ownerSVGElement);
function isPressable(element) {
  if (element.matches(`${CONTROLS}, [onclick], [tabindex]:not([tabindex="-1"]), [draggable=true]`)) return true;
  return getComputedStyle(element).cursor === 'pointer';
}
// Icons of fonts are letters of nobody's script, or words that the font draws as a picture: <i class="material-icons">delete</i>.
const isDrawnWord = (element) => /(^|[\s_-])(icons?|symbols)([\s_-]|$)/i.test(classText(element)) && /^[a-z0-9_]+$/.test((element.textContent || '').trim());
const saysNothing = (element) => !/[\p{L}\p{N}]/u.test(element.textContent || '') || isDrawnWord(element)
  || (element.matches('svg') && !element.querySelector('text'));
function isSmall(element) {
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.height > 0 && box.width <= ICON_PX && box.height <= ICON_PX;
}
const isIcon = (element) => (isPressable(element) || (isSmall(element) && !isInSvg(element))) && saysNothing(element);
const fileName = (address) => (address || '').split(/[?#]/)[0].split('/').pop().replace(/\.\w+$/, '');
// What somebody wrote so that people know what it is.
function saidOf(element) {
  const said = ['title', 'alt', 'aria-label', 'data-tooltip', 'data-original-title', 'data-icon'].map((name) => element.getAttribute(name));
  const title = element.querySelector(':scope > title');
  if (title) said.push(title.textContent);
  for (const use of element.querySelectorAll('use')) said.push((use.getAttribute('href') || use.getAttribute('xlink:href') || '').split('#').pop());
  for (const image of element.matches('img') ? [element] : element.querySelectorAll(':scope > img')) said.push(image.alt, image.title);
  if (isDrawnWord(element)) said.push(element.textContent);
  return said.filter(Boolean);
}
// What its author called it.
function calledOf(element) {
  const data = Array.from(element.attributes).filter(({ name }) => /^data-(?!testid)/.test(name) && !/^data-v-/.test(name));
  const called = [classText(element), element.id, element.getAttribute('name'), element.getAttribute('onclick'), ...data.map(({ value }) => value)];
  if (element.matches('img, input[type=image]')) called.push(fileName(element.getAttribute('src')));
  return called.filter((each) => each && each.length <= 200);
}
// Whether all words are among those of a name; of one that has no others first, so that "like" is no "like-count".
const ownWords = (texts) => texts.map((text) => text.split(/\s+/).map(wordsIn).map((words) => words.filter((word) => !ICON_NOISE.has(word))));
const isJust = (texts, words) => ownWords(texts).some((names) => names.some((name) => name.length === words.length && words.every((word, place) => name[place] === word)));
const hasAll = (there, words) => words.every((word) => there.has(word));
const startsAll = (there, words) => words.every((word) => there.has(word) || (word.length > LEAST_PART && [...there].some((each) => each.startsWith(word))));
// What is written about each thing that might be an icon, read once for all words that are looked for.
function readMarks(root) {
  const marked = findAll(scopeOf(root), MARKED);
  const kept = new Map();
  const keep = (read) => (element) => {
    if (!kept.has(read)) kept.set(read, new Map());
    const known = kept.get(read);
    return known.get(element) || known.set(element, read(element)).get(element);
  };
  const wordsOf = (read) => (element) => new Set(read(element).flatMap(wordsIn));
  const [said, called] = [keep(saidOf), keep(calledOf)];
  return { marked, said, called, saidWords: keep(wordsOf(said)), calledWords: keep(wordsOf(called)) };
}
function iconStages({ marked, said, called, saidWords, calledWords }, words) {
  const named = (read, test) => marked.filter((element) => test(read(element), words)).filter(isVisible);
  const pick = (read, test) => () => innermost(named(read, test).filter(isIcon));
  const spoken = (read, test) => () => innermost(named(read, test).filter((each) => isIcon(each) || isPressable(each)));
  const isSaid = (texts) => texts.some((text) => {
    const told = wordsIn(text).filter((word) => !ICON_NOISE.has(word));
    return told.length === words.length && words.every((word, place) => told[place] === word);
  });
  return [spoken(said, isSaid), pick(called, isJust), spoken(saidWords, hasAll), pick(calledWords, hasAll), pick(calledWords, startsAll)];
}
function findIcons(root, { words, likes }) {
  const marks = readMarks(root);
  const found = firstStage(iconStages(marks, words));
  if (found.length || !likes.length) return found;
  return firstStage([0, 1, 2, 3].map((stage) => () => [...new Set(likes.flatMap((like) => iconStages(marks, like)[stage]()))]));
}
// Controls and small things without any name, by exactly what their author called them.
function unnamedStages(root, name) {
  const words = wordsIn(name).filter((word) => !ICON_NOISE.has(word));
  const [said, called] = words.length ? iconStages(readMarks(root), words) : [() => [], () => []];
  return [said, () => called().filter((element) => !nameOf(element)), ...(CROSS.test(name.trim()) ? crossStages(root) : [])];
}
// The x that people see on what closes something, however it is drawn: by its letter, its name, or what its author called it.
const CROSS = /^[x×✕✖✗✘⨯╳❌]$/i;
function crossStages(root) {
  const [said, called] = iconStages(readMarks(root), ['close']);
  const drawn = () => findAll(scopeOf(root), '*').filter((each) => !each.childElementCount && CROSS.test(fold(each.textContent || '')) && isVisible(each) && isPressable(each));
  const named = () => findAll(scopeOf(root), CONTROLS).filter((each) => isVisible(each) && namesOf(each).some((text) => key(text) === 'close'));
  return [drawn, named, said, called];
}
// Whether it is a word or two of a sentence, such as a name in bold print in what a page says about the thing of that name.
const isInSentence = (element) => Boolean(element.parentElement) && /[\p{L}\p{N}]/u.test(ownText(element.parentElement))
  && getComputedStyle(element).display === 'inline' && !isInSvg(element);
// Of what reads alike: what is pressed, though it is no control, else what stands by itself.
function pressedFirst(found) {
  if (found.length < 2) return found.map(underLabel);
  const left = [isPressable, (element) => !isInSentence(element)].map((test) => found.filter(test)).find((some) => some.length) || found;
  return [...new Set(left.map(underLabel))];
}
// What takes the clicks on a label in a drawing that lets them through.
function underLabel(element) {
  const text = isInSvg(element) && getComputedStyle(element).pointerEvents === 'none' ? element.closest('text') || element : null;
  const beside = text && Array.from(text.parentElement.children).filter((each) => each !== text && each.matches('circle, ellipse, rect, polygon, path, image, use'));
  return beside && beside.length === 1 ? beside[0] : element;
}
const PRESSED_ROLES = ['button', 'link', 'tab', 'menuitem', 'option'];
// What people call a button or a link though its author did not: something to press that has exactly that to read on it, or no name.
function findPressed(root, { name, roles }) {
  if (!roles.some((role) => PRESSED_ROLES.includes(role))) return [];
  const wanted = key(name);
  const reads = (element) => key(element.textContent || '') === wanted && isVisible(element) && isPressable(element);
  const texts = () => innermost(findAll(scopeOf(root), '*').filter((element) => !element.closest(`${CONTROLS}, label`) && reads(element)));
  return firstStage([texts, ...unnamedStages(root, name)]);
}
"""
)
