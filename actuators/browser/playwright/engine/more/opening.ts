import { isInSentence } from '../finding/finding.ts';
import { childText, describe, nameOf, namesOf } from '../names/naming.ts';
import { BOXES, CONTROLS, HEADINGS, isPressable, PRESSED } from '../names/roles.ts';
import { best, disabledBecause, isSeen, isVisible } from '../names/sight.ts';
import { fold, isTold, key, wordsIn } from '../names/texts.ts';
import { above, allIn, attributeOf, classText, findAll, idsIn, innermost, outermost, scopeOf, tagOf, unique, withId } from '../names/tree.ts';
import { canScroll } from './gestures.ts';
import { calledOf, isIcon, MENU_WORDS, saysNothing } from '../looks/icons.ts';

const MORE = /^(show|read|see|view|expand)( \S+)? (more|all|everything|details)( .{0,30})?[.…]*$|^(more|more…|…|expand|expand all|details)$/i;
const NEXT = /^(next|next page|older|older (posts|entries|items)|more results|(load|show|see|view) more( .{0,30})?|[›»>→❯▶]+|next ?[›»>→❯▶]+)$/i;
const NO_PAGES = '[class*=datepicker], [class*=calendar], [class*=carousel], [role=slider], [class*=player]';
const MENU_POPUPS = '[aria-haspopup=true], [aria-haspopup=menu], [aria-haspopup=tree]';
const TAB_TOGGLES = '[data-toggle=tab], [data-toggle=pill], [data-bs-toggle=tab], [data-bs-toggle=pill]';
const PRESSABLE = `${PRESSED}, a, [onclick], [tabindex], ${HEADINGS}, [class*=toggle], [class*=header], [class*=title], [class*=collaps], [class*=accordion]`;
// What was pressed, how deep that was, what is hidden, what was opened and scrolled.
const newSearch = (token: string) => ({ token, pressed: new WeakSet<Element>(), depths: new WeakMap<Element, number>(), round: 0, hidden: [] as Element[], current: null as any,
  opened: [] as { panel: any, name: string }[], scrolled: [] as [Element, number][] });
let search = newSearch('');

function startSearch(token: string) { if (search.token !== token) search = newSearch(token); }

const LIVE = '[aria-live]:not([aria-live=off]), [role=status], [role=log], [role=timer], [role=alert], output, time, footer, script, style, noscript';

/** What the page shows, in short; without what changes by itself. */
export function readContent() {
  const walker = document.createTreeWalker(document.body || document, NodeFilter.SHOW_TEXT);
  let mark = 0, length = 0;
  while (walker.nextNode()) {
    const holder = walker.currentNode.parentElement;
    if (!holder || !walker.currentNode.data.trim() || !isVisible(holder) || holder.closest(LIVE)) continue;
    const text = walker.currentNode.data;
    length += text.length;
    for (let at = 0; at < text.length; at += 1) mark = (mark * 31 + text.charCodeAt(at)) | 0;
  }
  return `${location.href} ${length} ${mark}`;
}

export function readSight(element: Element, { token }: { token: string }) {
  startSearch(token);
  const box = element.getBoundingClientRect();
  const shown = isVisible(element) && isSeen(element);
  if (!shown) search.hidden = [...search.hidden.filter((each) => each.isConnected), element];
  return { shown, in_view: shown && box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth };
}

/** What has exactly that name or text, whether it is shown or not: for whoever looks for something hidden, a part of a longer text is not it. */
export function findWhole(root: Root, { name }: { name: string }) {
  const wanted = key(name);
  const named = findAll(scopeOf(root), CONTROLS).filter((each) => namesOf(each).some((text: string) => key(text) === wanted));
  const written = () => innermost(findAll(scopeOf(root), '*').filter((each) => !each.matches('script, style, title, head, head *') && key(each.textContent || '') === wanted));
  if (named.length) return best(innermost(named));
  const all = written();
  const apart = all.filter((each) => !isInSentence(each)); // a word in a sentence is rather about what is meant
  return best(apart.length ? apart : all);
}

const byId = (element: Element, id: string | undefined) => (id ? withId(element, id) || document.getElementById(id) : null);

const anchorOf = (element: Element) => {
  const href = attributeOf(element, 'href') || attributeOf(element, 'data-target') || attributeOf(element, 'data-bs-target') || '';
  return href.length > 1 && href[0] === '#' ? href.slice(1) : '';
};

const leadsAway = (element: Element) => {
  const link = element.closest('a[href]');
  const href = (link && attributeOf(link, 'href')) || '';
  return href !== '' && href[0] !== '#' && !/^javascript:/i.test(href);
};

const holderOf = (each: any) => each.parentElement || each.getRootNode().host || document.documentElement;

const isShut = (panel: any) => Boolean(panel) && !(isVisible(panel) && isSeen(panel)) && fold(panel.textContent + (panel.querySelector('input, img') ? 'x' : '')) !== '';

function panelOf(opener: any): any {
  const told = byId(opener, idsIn(opener, 'aria-controls')[0]) || byId(opener, anchorOf(opener))
    || byId(opener, anchorOf(opener.querySelector('a[href^="#"]') || opener));
  if (told) return told;
  if (tagOf(opener) === 'SUMMARY') return opener.parentElement;
  let each = opener;
  for (let level = 0; level < 3 && each; level += 1, each = each.parentElement) {
    if (each.nextElementSibling) return isShut(each.nextElementSibling) ? each.nextElementSibling : null;
    if (each.parentElement && fold(each.parentElement.innerText || '') !== fold(each.innerText || '')) break;
  }
  return null;
}

const isPanelHeader = (element: any) => { const panel = panelOf(element); return Boolean(panel) && (element.nextElementSibling === panel
  || holderOf(element).nextElementSibling === panel); };

const isSectionTab = (tab: any) => tab.hasAttribute('aria-expanded') && isPanelHeader(tab) && (holderOf(tab).contains(panelOf(tab)) || holderOf(tab).matches(HEADINGS));
const NO_SECTIONS = 'script, style, template, noscript, ul, ol, option, input, [role=menu], [role=listbox], [role=dialog], dialog, [role=tabpanel], [role=tooltip]';

/** Something to press right before something hidden, whatever it is made of. */
function shutBehind() {
  const isFlat = (each: Element) => (each.offsetHeight === 0 && getComputedStyle(each).overflow !== 'visible') || !isVisible(each);
  const shut = findAll(document, '* + *').filter((each) => !each.matches(NO_SECTIONS) && isFlat(each) && isVisible(holderOf(each)) && isShut(each));
  return shut.flatMap((each) => each.previousElementSibling || []).filter((each) => isVisible(each) && !leadsAway(each) && isPressable(each)
    && !each.matches(`${NO_SECTIONS}, select, textarea, label, [role=tab], [aria-expanded], [aria-haspopup]`) && !each.closest('nav, [role=menubar], [role=tablist]'));
}

const MENU_NAMES = /(^|[\s_-])(more|menu|toggle|dropdown|dots|kebab|ellipsis|options|trigger|caret|overflow)([\s_-]|$)/i;

/** What stands right before a hidden list and looks as if it would open it: it is pressed, an icon, or called so. */
function shutMenus() {
  const shut = findAll(document, '* + ul, * + ol, * + [role=menu]').filter((each) => isShut(each) && isVisible(holderOf(each))
    && !each.matches('[role=listbox], [role=tabpanel]'));
  return shut.flatMap((each) => each.previousElementSibling || []).filter((each) => isVisible(each) && !leadsAway(each)
    && !each.matches('li, ul, ol, input, select, textarea, label, summary, script, style, [aria-haspopup], [aria-expanded], [role=tab]')
      && (isPressable(each) || isIcon(each) || MENU_NAMES.test(classText(each))));
}

function calledMenus() {
  return findAll(document, PRESSED).filter((each) => (MENU_WORDS.test(nameOf(each)) || /(^|[\s_-])(dropdown|menu)[\s_-](trigger|toggle|button)([\s_-]|$)/i.test(classText(each)))
    && !each.matches('[type=submit], [type=reset], [type=image], summary') && (each.type !== 'submit' || !each.closest('form'))
    && !each.matches('[aria-haspopup], [aria-expanded], [aria-controls]') && !leadsAway(each) && !isShut(panelOf(each)));
}

/** What a page may show something hidden for, though it doesn't say so: what stands right before it, else what is around it. It is pointed at only. */
function hoveredFor(hidden: Element) {
  const shut = [hidden, ...above(hidden)].findLast((each) => !isVisible(each)) || hidden;
  return [shut.previousElementSibling, ...above(shut)].find((each) => each && isVisible(each) && !search.pressed.has(each)) || [];
}

/** Entries of open menus that look as if there were more behind them: a picture or a sign stands at their end. */
const unfoldedIn = () => findAll(document, '[role=menu] [role=menuitem]:not([aria-haspopup], [aria-expanded])').filter((each) => isVisible(each)
  && (/[\u203a\u25b6\u25b8\u25ba\u276f\u2192>]\s*$/.test(each.textContent || '') || (each.childElementCount > 1 && isTold(childText(each.firstElementChild)) && saysNothing(each.lastElementChild as Element))));

const finders: Record<string, () => any[]> = {
  sections() {
    const told = findAll(document, 'details:not([open]) > summary:first-of-type, [aria-expanded=false], [data-toggle=collapse], [data-bs-toggle=collapse]').filter((each) => {
      if (each.matches('[role=combobox], [role=menuitem], [role=listbox]') || (each.matches('[aria-haspopup]') && each.getAttribute('aria-haspopup') !== 'false')) return false;
      if (each.matches('[role=tab]')) return isSectionTab(each);
      return !each.matches('[data-toggle=collapse], [data-bs-toggle=collapse]') || isShut(panelOf(each));
    });
    const more = findAll(document, `${PRESSED}, a, [onclick]`).filter((each) => MORE.test(nameOf(each)) && !leadsAway(each)
      && !each.matches('[aria-haspopup], [aria-expanded], [data-toggle], [data-bs-toggle]'));
    const plain = findAll(document, PRESSABLE).filter((each) => !each.matches('input, select, textarea, label, [role=tab], [role=menuitem], [aria-expanded], [aria-haspopup], summary')
      && !each.closest('li, nav, [role=menu], [role=menubar], [role=tablist]') && !leadsAway(each) && isShut(panelOf(each))
        && !panelOf(each).matches('script, style, template, ul, [role=menu], [role=listbox], [role=dialog], dialog, [role=tabpanel]'));
    return [...told, ...more, ...plain, ...shutBehind()];
  },
  tabs() {
    const told = findAll(document, `[role=tab]:not([aria-selected=true]), ${TAB_TOGGLES}`)
      .filter((each) => !(each.matches('[role=tab]') && isSectionTab(each)) && !/(^|\s)active(\s|$)/.test(classText(each)));
    const plain = findAll(document, 'a[href^="#"]').filter((each) => !each.closest('[role=tab], [role=menu], [role=menubar]')
      && !each.matches('[data-toggle], [data-bs-toggle], [role=button]') && isShut(byId(each, anchorOf(each))));
    return [...told, ...plain];
  },
  menus() {
    const told = findAll(document, `${MENU_POPUPS}, [role=menuitem][aria-expanded=false], [data-toggle=dropdown], [data-bs-toggle=dropdown]`)
      .filter((each) => each.getAttribute('aria-expanded') !== 'true');
    const plain = findAll(document, 'li, [role=menuitem]').filter((each) => Array.from(each.children).some((child) => child.matches('ul, ol, [role=menu], [class*=menu]') && isShut(child)));
    const lists = plain.filter((each) => !told.some((other) => each.contains(other) && !Array.from(each.children)
      .some((child) => child.matches('ul, ol') && child.contains(other))));
    const nested = findAll(document, '[role=menuitem]').filter((each) => !told.includes(each) && findAll(each, '[role=menu]').some(isShut));
    return [...told, ...lists, ...nested, ...shutMenus(), ...calledMenus().filter((each) => !told.includes(each))];
  },
  hovered: () => [...search.hidden.filter((each) => each.isConnected && !isVisible(each)).flatMap(hoveredFor), ...unfoldedIn()],
  pages() {
    const inForm = (each: Element) => each.closest('form') && (each.type === 'submit' || each.closest('form')?.querySelector('input:not([type=hidden]), textarea, select'));
    const local = (each: Element) => { const link = each.closest('a[href]'); return !link
      || new URL(attributeOf(link, 'href') || '', document.baseURI).origin === location.origin; };
    const candidates = findAll(document, `${PRESSED}, a, [role=link], [onclick], [rel=next], [class*=next]`)
      .filter((each) => isVisible(each) && !each.closest(NO_PAGES) && !inForm(each) && local(each));
    const named = candidates.filter((each) => (each.rel || '').split(/\s+/).includes('next') || [nameOf(each), fold(each.textContent), each.title || ''].some((text) => NEXT.test(text)));
    return named.length ? named : numberedPages(candidates);
  },
};

/** Pages by number: 1 2 3 …, links or buttons beside each other; the one after what is not to be pressed, or marked as current. */
function numberedPages(candidates: Element[]) {
  const numbers = candidates.filter((each) => /^\d{1,3}$/.test(fold(each.textContent)));
  const listOf = (each: Element) => { const holder = holderOf(each); return holder.childElementCount === 1 ? holder.parentElement : holder; };
  return numbers.filter((each) => numbers.some((other) => other !== each && listOf(other) === listOf(each)
    && Math.abs(Number(fold(other.textContent)) - Number(fold(each.textContent))) === 1));
}

const isOpenable = (each: Element) => isVisible(each) && isSeen(each) && !disabledBecause(each) && !/(^|[\s_-])disabled([\s_-]|$)/i.test(classText(each));

const BRANCHES = '[role=treeitem], [role=row]';

function branchAround(each: Element): Element | null {
  const host = each.getRootNode().host;
  return each.closest(BRANCHES) || (host ? branchAround(host) : null);
}

/** What opens a branch of a tree, where something in it does that: it is pressed and says nothing in letters. A press on the branch's text selects it. */
function togglerOf(branch: Element) {
  const isBox = (each: Element) => Boolean(each.closest(BOXES)) || allIn(each, BOXES).length > 0;
  return allIn(branch, '*').find((each) => branchAround(each) === branch && isPressable(each) && isVisible(each) && isSeen(each) && !isTold(childText(each)) && !isBox(each));
}

function partToPress({ kind, each }: { kind: string, each: Element }) {
  if (kind === 'menus' && tagOf(each) === 'LI') return each.querySelector('a, button, span, [role=menuitem]') || each;
  return (each.matches(BRANCHES) && togglerOf(each)) || each;
}

const holdsHidden = (opener: Element) => { const panel = panelOf(opener); return Boolean(panel) && search.hidden.some((each) => each.isConnected && panel.contains(each)); };
const OUR_KINDS = ['sections', 'tabs', 'menus', 'hovered', 'pages'];
const isInMenu = (each: Element) => Number(Boolean(each.closest('[role=menu]'))); // what is open is looked through before anything closes it

export function nextOpener(_root: Root, { token, by }: { token: string, by: string[] }) {
  startSearch(token);
  search.round += 1;
  // What is shown now was looked through.
  const isShown = (each: Element) => each.matches('[aria-current], :disabled') || /(^|[\s_-])(active|current|selected)([\s_-]|$)/i.test(classText(each));
  for (const tab of findAll(document, '[role=tab][aria-selected=true]')) search.pressed.add(tab);
  for (const page of findAll(document, `${PRESSED}, a`).filter((each) => /^\d{1,3}$/.test(fold(each.textContent)) && isShown(each))) search.pressed.add(page);
  const isRepeated = (kind: string, each: Element) => kind === 'pages' && !/^\d+$/.test(fold(each.textContent));
  const found = OUR_KINDS.filter((kind) => by.includes(kind === 'hovered' ? 'menus' : kind)).flatMap((kind) => outermost(unique(finders[kind]()), 'li').filter(isOpenable)
    .filter((each) => isRepeated(kind, each) || !search.pressed.has(each)).map((each) => ({ kind, each })));
  for (const { each } of found) if (!search.depths.has(each)) search.depths.set(each, search.round);
  const holding = found.filter(({ kind, each }) => kind !== 'pages' && holdsHidden(each));
  const rank = ({ kind, each }: any) => [isInMenu(each), search.depths.get(each), -OUR_KINDS.indexOf(kind)] as number[];
  const order = (one: any, other: any) => { const [a, b] = [rank(one), rank(other)]; return b[0] - a[0] || b[1] - a[1] || b[2] - a[2]; };
  const inner = holding.filter(({ each }) => !holding.some((other) => other.each !== each && panelOf(other.each).contains(each)));
  const pick = inner.length ? inner[0] : [...found].sort(order)[0];
  if (!pick) return null;
  search.pressed.add(pick.each);
  search.current = partToPress(pick);
  search.opened.push({ panel: panelOf(pick.each), name: openerName(pick.each) });
  const kind = pick.kind === 'hovered' ? 'menus' : pick.kind;
  const isHovered = kind !== pick.kind || kind === 'menus' && (tagOf(pick.each) === 'LI' || pick.each.matches('[role=menuitem]') || leadsAway(pick.each)
    || !pick.each.matches('[aria-haspopup], [aria-expanded], [data-toggle], [data-bs-toggle]'));
  return { kind, name: openerName(pick.each), is_icon: saysNothing(search.current), hover: isHovered, press: kind === pick.kind && (!leadsAway(search.current) || kind === 'pages') };
}

const openerName = (element: Element) => (nameOf(element) || fold(element.innerText || element.textContent) || calledOf(element)
  .flatMap((each) => wordsIn(each || '')).join(' ')).slice(0, 80);

export function readWay(element: Element, { token }: { token: string }) {
  return search.token === token ? search.opened.filter(({ panel }) => panel && panel.contains(element)).map(({ name }) => name) : [];
}

export const findOpener = (_root: Root, { token }: { token: string }) => (search.token === token && search.current ? [search.current] : []);

/** Scrolls on what scrolls: the page first, then what scrolls in it. Null where all have come to their end. */
export function scrollOn(_root: Root, { token }: { token: string }) {
  startSearch(token);
  const inner = findAll(document, '*').filter((each) => each !== document.scrollingElement && each !== document.body
    && canScroll(each, false) && isVisible(each) && !each.matches('textarea, select'));
  for (const scroller of [document.scrollingElement, ...inner]) {
    if (!scroller || scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop < 1) continue;
    if (!search.scrolled.some(([each]) => each === scroller)) search.scrolled.push([scroller, scroller.scrollTop]);
    const before = scroller.scrollTop;
    scroller.scrollBy({ top: scroller.clientHeight * 0.9, behavior: 'instant' });
    if (scroller.scrollTop > before) return { name: scroller === document.scrollingElement ? 'page' : describe(scroller).name, y_px: Math.round(scroller.scrollTop) };
  }
  return null;
}

export function scrollBackAll(_root: Root, { token }: { token: string }) {
  if (search.token === token) for (const [scroller, top] of search.scrolled) scroller.scrollTo({ top, behavior: 'instant' });
  return true;
}
