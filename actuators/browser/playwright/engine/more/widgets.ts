import { childText, namesOf, ownText } from '../names/naming.ts';
import { CONTROLS, HEADINGS, isClosedList, isPressable } from '../names/roles.ts';
import { firstStage, isSeen, isVisible } from '../names/sight.ts';
import { hasWords, key, LONGEST_CAPTION, wordsIn } from '../names/texts.ts';
import { above, aroundOf, classText, findAll, idsIn, innermost, outermost, scopeOf, withId } from '../names/tree.ts';
import { iconStages, readMarks } from '../looks/icons.ts';
import { drawnCells, movableEntries } from './grids.ts';

const CONTROL_LIKES = new Map(Object.entries(WORDS.control_likes));

/** Another control that does what was asked for: one that is named so in other words, else an icon. */
export function findAlike(root: Root, name: string) {
  const likes = CONTROL_LIKES.get(key(name));
  if (!likes) return [];
  const [about] = /cookie(?=s$)/.exec(key(name)) || [];
  const controls = findAll(scopeOf(root), CONTROLS).filter((each) => isVisible(each) && !isClosedList(each) && (!about || isAbout(each, about)));
  const named = (wanted: string, fits = (text: string) => text === key(wanted)) => controls.filter((each) => namesOf(each).some((text: string) => fits(key(text))));
  const texts = findAll(scopeOf(root), '*').filter((each) => !about && isVisible(each) && (each.textContent || '').length < LONGEST_CAPTION && isPressable(each));
  const read = (wanted: string) => texts.filter((each) => key(each.textContent) === key(wanted) && !each.closest(CONTROLS));
  const icons = likes.icons.flatMap((word) => iconStages(readMarks(root), [word]).slice(0, 3));
  const begun = about ? likes.names.map((each) => () => named(each, (text) => text.startsWith(`${each} `))) : [];
  return firstStage([...likes.names.map((each) => () => innermost([...named(each), ...read(each)])), ...begun, ...icons]);
}

/** Whether what is said next to a control, or in the dialog around it, speaks of something. */
function isAbout(control: Element, thing: string) {
  const told = (part: Element) => [part, ...findAll(part, '*')].filter((each) => !each.closest(`${CONTROLS}, script, style`)).map(ownText).join(' ');
  const beside = above(control).find((each) => told(each).trim());
  return [beside, control.closest('dialog, [role$=dialog]')].some((part) => part && wordsIn(told(part)).some((word) => word.replace(/s$/, '') === thing));
}

// What was brought into sight last, so that it can be acted on though it was counted over several pages.
let revealed: any = null;
export function keepRevealed(element: Element) { revealed = element; return true; }
export const findRevealed = () => (revealed && revealed.isConnected ? [revealed] : []);

// What lies over a page or is put on it for a while, by what its author calls it; the outermost of such parts.
const POPUP = /^(popup|popups|popover|modal|dialog|overlay|lightbox|cookie|cookies|consent|gdpr|toast|newsletter|notification|snackbar|notice|interstitial)$/;
const LANDMARKS: Record<string, RegExp> = { contentinfo: /^footer$/, banner: /^(header|masthead|topbar)$/, complementary: /^sidebar$/, navigation: /^(nav|navbar|navigation)$/ };

export const calledWords = (element: Element) => wordsIn(`${classText(element)} ${element.id}`);

function popupsIn(root: Root) {
  const parts = findAll(scopeOf(root), '[class], [id]').filter((each) => !each.matches(CONTROLS) && calledWords(each).some((word) => POPUP.test(word)));
  const isLaid = (element: Element) => ['fixed', 'absolute', 'sticky'].includes(getComputedStyle(element).position) && element.querySelector('*');
  return outermost(parts.filter((each) => isVisible(each) && isLaid(each)));
}

export function landmarksIn(root: Root, roles: string[]) {
  if (roles.includes('dialog')) return popupsIn(root);
  if (roles.includes('paragraph')) return proseIn(root);
  if (roles.includes('listitem')) return movableEntries(root);
  if (roles.includes('gridcell')) return drawnCells(root);
  const tests = roles.map((role) => LANDMARKS[role]).filter(Boolean);
  if (!tests.length) return [];
  return outermost(findAll(scopeOf(root), 'div[class], div[id], ul[class], td[class], td[id]').filter((each) => isVisible(each)
    && calledWords(each).some((word) => tests.some((test) => test.test(word)))));
}

function isOver(part: Element, top: Element) {
  const isLaid = (each: Element) => ['absolute', 'fixed'].includes(getComputedStyle(each).position) || each.matches('[popover], dialog');
  for (let each = part; each && each !== top; each = aroundOf(each)) if (isLaid(each)) return true;
  return false;
}

/** What a button of that name says that it has opened: what it controls, else what lies over the page beside it. */
function openedBy(name: string) {
  const openers = findAll(document, '[aria-expanded=true]').filter((each) => isVisible(each) && each.matches(CONTROLS) && !each.matches('[role=combobox]')
    && namesOf(each).some((text: string) => key(text) === key(name)));
  return openers.flatMap((opener) => {
    const told = withId(opener, idsIn(opener, 'aria-controls')[0] || '');
    const beside = Array.from(opener.parentElement?.children || []).filter((each) => each !== opener && isVisible(each) && isSeen(each) && isOver(each, opener.parentElement as Element));
    return told && isVisible(told) ? [told] : beside;
  });
}

/** Popups that go by that name: what a button of that name has opened, what their author calls them, else what is written in them. */
export function namedPopups(root: Root, name: string, roles: string[]) {
  if (!roles.includes('dialog')) return [];
  const found = [...popupsIn(root), ...findAll(scopeOf(root), 'dialog, [role=dialog], [role=alertdialog]').filter((each) => isVisible(each) && !namesOf(each).some(Boolean))];
  const words = wordsIn(name).map((word) => word.replace(/s$/, ''));
  const isCalled = (each: Element) => words.every((word) => calledWords(each).some((called) => called.replace(/s$/, '') === word));
  const holds = (each: Element) => hasWords(key(childText(each)), key(name)) || hasWords(key(childText(each)), `${key(name)}s`);
  return firstStage([() => openedBy(name), () => found.filter(isCalled), () => found.filter(holds)]);
}

const LEAST_WORDS = 3;
const NO_PROSE = `${CONTROLS}, ${HEADINGS}, label, legend, caption, th, nav, svg, script, style, template, noscript, head, option`;

/** What people call a paragraph though its author marked none: blocks with a run of words of their own. */
export function proseIn(root: Root) {
  return innermost(findAll(scopeOf(root), '*').filter((each) => !each.closest(NO_PROSE) && ownText(each).split(' ').length >= LEAST_WORDS
    && isVisible(each) && !/^(?:inline|contents|none)/.test(getComputedStyle(each).display)));
}

const UNREAD = 'script, style, noscript, template, head, head *';

/** Those whose name or text is like a pattern, in which `*` stands for anything. */
export function withPattern(found: Element[], pattern: string) {
  const parts = key(pattern).split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const test = new RegExp(`^${parts.join('.*')}$`, 's');
  const fits = found.filter((each) => [...namesOf(each), each.textContent || ''].some((text) => test.test(key(text))));
  const shown = fits.filter(isVisible);
  return innermost(shown.length ? shown : fits);
}

export const nameable = (root: Root) => findAll(scopeOf(root), '*').filter((each) => !each.matches(UNREAD) && (each.matches(CONTROLS) || key(ownText(each))));
