import { remembered } from '../names/memory.ts';
import { nameOf, namesOf } from '../names/naming.ts';
import { CONTROLS, isPressable, PRESSED } from '../names/roles.ts';
import { firstStage, isVisible } from '../names/sight.ts';
import { fold, isTold, key, LEAST_PART, wordsIn } from '../names/texts.ts';
import { classText, findAll, innermost, isInSvg, scopeOf, unique } from '../names/tree.ts';
import { inColumn } from '../values/tables.ts';

const ICON_NOISE = new Set(WORDS.icon_noise);
const ICON_PX = 64;
const PRESSED_THINGS = `${PRESSED}, a[href], [role=link], [role=tab], [role=menuitem]`;
export const MARKED = '[class], [id], [title], [alt], [aria-label], [name], [onclick], [data-icon], [data-action], [data-type], [data-name], svg, img, i';

export const tellingWords = (text: string) => wordsIn(text).filter((word) => !ICON_NOISE.has(word));

/** Icons of fonts are letters of nobody's script, or words that the font draws as a picture: <i class="material-icons">delete</i>. */
const isDrawnWord = (element: Element) => /(^|[\s_-])(icons?|symbols)([\s_-]|$)/i.test(classText(element)) && /^[a-z0-9_]+$/.test((element.textContent || '').trim());

export const saysNothing = (element: Element) => !/[\p{L}\p{N}]/u.test(element.textContent || '') || isDrawnWord(element)
  || (element.matches('svg') && !element.querySelector('text'));

export function isSmall(element: Element) {
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.height > 0 && box.width <= ICON_PX && box.height <= ICON_PX;
}

export const isIcon = (element: Element) => (isPressable(element) || (isSmall(element) && !isInSvg(element))) && saysNothing(element);

const fileName = (address: string | null) => (address || '').split(/[?#]/)[0].replace(/^.*\//, '').replace(/\.\w+$/, '');

export function saidOf(element: Element) {
  const said = ['title', 'alt', 'aria-label', 'data-tooltip', 'data-original-title', 'data-icon'].map((name) => element.getAttribute(name));
  const title = element.querySelector(':scope > title');
  if (title) said.push(title.textContent);
  for (const use of element.querySelectorAll('use')) said.push((use.getAttribute('href') || use.getAttribute('xlink:href') || '').split('#').at(-1) || '');
  for (const image of element.matches('img') ? [element] : element.querySelectorAll(':scope > img')) said.push(image.alt, image.title);
  if (isDrawnWord(element)) said.push(element.textContent);
  return said.filter(Boolean);
}

export function calledOf(element: Element) {
  const data = Array.from(element.attributes).filter(({ name }) => /^data-(?!testid)/.test(name) && !/^data-v-/.test(name));
  const called = [classText(element), element.id, element.getAttribute('name'), element.getAttribute('onclick'), ...data.map(({ value }) => value)];
  if (element.matches('img, input[type=image]')) called.push(fileName(element.getAttribute('src')));
  return called.filter((each) => each && each.length <= 200);
}

const isSaid = (texts: string[], words: string[]) => texts.map(tellingWords).some((told) => told.length === words.length && words.every((word, place) => told[place] === word));

const isJust = (texts: string[], words: string[]) => isSaid(texts.flatMap((text) => text.split(/\s+/)), words);

const hasAll = (there: Set<string>, words: string[]) => words.every((word) => there.has(word));

const startsAll = (there: Set<string>, words: string[]) => words.every((word) => there.has(word) || (word.length > LEAST_PART && [...there].some((each) => each.startsWith(word))));

export const readMarks = remembered((root: Root): Marks => {
  const keep = <T>(read: (element: Element) => T) => {
    const known = new Map<Element, T>();
    return (element: Element) => known.get(element) || known.set(element, read(element)).get(element) as T;
  };
  const [said, called] = [keep(saidOf), keep(calledOf)] as ((element: Element) => string[])[];
  const wordsOf = (read: (element: Element) => string[]) => keep((element) => new Set(read(element).flatMap(wordsIn)));
  return { marked: findAll(scopeOf(root), MARKED), said, called, saidWords: wordsOf(said), calledWords: wordsOf(called) };
});

const pressedAround = (icons: Element[]) => unique(icons.map((icon) => {
  const control = icon.closest(PRESSED_THINGS);
  return control && saysNothing(control) ? control : icon;
}));

export function iconStages({ marked, said, called, saidWords, calledWords }: Marks, words: string[]) {
  const named = (read: any, test: any) => marked.filter((element: Element) => test(read(element), words)).filter(isVisible);
  const pick = (read: any, test: any) => () => pressedAround(innermost(named(read, test).filter(isIcon)));
  const spoken = (read: any, test: any) => () => pressedAround(innermost(named(read, test).filter((each: Element) => isIcon(each) || isPressable(each))));
  return [spoken(said, isSaid), pick(called, isJust), spoken(saidWords, hasAll), pick(calledWords, hasAll), pick(calledWords, startsAll)];
}

export function findIcons(root: Root, { words, likes }: { words: string[], likes: string[][] }) {
  const marks = readMarks(root);
  const found = firstStage(iconStages(marks, words));
  if (found.length || !likes.length) return found;
  return firstStage([0, 1, 2, 3].map((stage) => () => [...new Set(likes.flatMap((like) => iconStages(marks, like)[stage]()))]));
}

export function unnamedStages(root: Root, name: string) {
  const words = tellingWords(name);
  const [said, called] = words.length ? iconStages(readMarks(root), words) : [() => [], () => []];
  return [said, () => called().filter((element) => !nameOf(element)), () => headedBy(root, name), ...(CROSS.test(name.trim()) ? crossStages(root) : [])];
}

export const MENU_WORDS = /^(more|menu|options|actions|tools|more (options|actions|tools))( menu)?[.…\u25be\u25bc\s]*$/i;

/** The only button without a name below that heading in a row of a table; what is said of menus in general is the only one of any part. */
function headedBy(part: Root, name: string) {
  const parts = part.nodeType === Node.ELEMENT_NODE ? [...inColumn(part, name), ...(MENU_WORDS.test(name) ? [part] : [])] : [];
  const bare = parts.map((each) => findAll(scopeOf(each), PRESSED_THINGS).filter((pressed) => isVisible(pressed) && !namesOf(pressed).some(isTold)));
  return bare.find((found) => found.length === 1) || [];
}

// The x that people see on what closes something, however it is drawn: by its letter, its name, or what its author called it.
const CROSS = /^[x×✕✖✗✘⨯╳❌]$/i;

function crossStages(root: Root) {
  const [said, called] = iconStages(readMarks(root), ['close']);
  const drawn = () => findAll(scopeOf(root), '*').filter((each) => !each.childElementCount && CROSS.test(fold(each.textContent || '')) && isVisible(each) && isPressable(each));
  const named = () => findAll(scopeOf(root), CONTROLS).filter((each) => isVisible(each) && namesOf(each).some((text: string) => key(text) === 'close'));
  return [drawn, named, said, called];
}
