import { isSecret } from '../names/secrecy.ts';
import { withName } from '../names/matching.ts';
import { keptInQuery, once, remembered } from '../names/memory.ts';
import { childText, ownText } from '../names/naming.ts';
import { CELLS, HEADINGS } from '../names/roles.ts';
import { firstStage, isVisible } from '../names/sight.ts';
import { countsOf, hasSome, hasWords, key } from '../names/texts.ts';
import { above, findAll, innermost, outermost, scopeOf, tagOf } from '../names/tree.ts';
import { cellsOf, isHeading } from './tables.ts';

const ENTRIES = 'tr, li, [role=row], [role=listitem], [role=treeitem]';
const NEVER_RECORDS = `${CELLS}, ${HEADINGS}, th, thead, tbody, tfoot, colgroup, col, caption, p, dt, dd, label, option, optgroup, legend, br, hr,`
  + ' script, style, template, html, head, body, input, select, textarea, svg, svg *, b, i, em, strong, small, [role=columnheader], [role=rowheader]';
const ASIDES = 'nav, header, footer, [role=navigation], [role=menu], [role=menubar], [role=tablist], [role=banner], [role=contentinfo]';
const CLEARLY_LARGER = 3; // times the area of all other groups

const isHeadRow = (row: Element) => row.matches('tr, [role=row]') && cellsOf(row).length > 0 && (row.closest('thead') !== null || cellsOf(row).every(isHeading));

const isEntry = (element: Element) => element.matches(ENTRIES) && !isHeadRow(element);

function isCompound(element: Element) {
  for (let each = element as Element | null; each; each = each.firstElementChild) {
    if (each.childElementCount > 1 || (each.childElementCount && ownText(each))) return true;
  }
  return false;
}

// What has a like element beside it: of the same tag and role, with a class in common or, without any, the same in it.
const countKinds = keptInQuery((parent: any) => countsOf(Array.from<Element>(parent.children).filter(isVisible).flatMap(twinKinds)));

function twinKinds(element: Element) {
  const base = `${tagOf(element)} ${element.getAttribute('role') || ''}`;
  return element.classList.length ? Array.from(element.classList, (name) => `${base} .${name}`) : [`${base} ${Array.from(element.children, tagOf).join()}`];
}

const isRepeated = remembered((element: Element) => !element.matches(NEVER_RECORDS) && element.parentNode !== null && 'children' in element.parentNode
  && twinKinds(element).some((kind) => Number(countKinds(element.parentNode).get(kind)) > 1));

/** What is marked up within a line ("<b>Ada</b> and <b>Grace</b>") is a record only where nothing else is. */
const isWhole = (record: Element) => isEntry(record) || isCompound(record);

export const recordAround = remembered((element: Element) => {
  const around = element === document.body ? [] : [element, ...above(element)];
  return around.find(isEntry) || around.find((each) => isRepeated(each) && isCompound(each)) || around.find(isRepeated) || null;
});

export function wordsOn(element: Element) {
  if (element.matches('img, area')) return element.alt;
  if (element.matches('input')) return isSecret(element) || element.matches('[type=hidden]') ? '' : element.value || '';
  return element.getAttribute('aria-label') || (element.shadowRoot ? '' : element.textContent);
}

/** Those that have a text in them: the whole of something in them, else whole words, else a part; of several inside each other the innermost. */
export function withText(elements: Element[], text: string) {
  const wanted = key(text);
  const read: [Element, string[]][] = elements.map((element) => [element, once('texts in', element, () => [element, ...findAll(scopeOf(element), '*')]
    .filter((each) => isVisible(each) || !isVisible(element)).map((each) => key(wordsOn(each) || '')))]);
  const stages = [(each: string) => each === wanted, (each: string) => hasWords(each, wanted), (each: string) => hasSome(each, wanted)];
  return stages.map((test) => innermost(read.filter(([, texts]) => texts.some(test)).map(([element]) => element))).find((found) => found.length) || [];
}

export const listRecords = remembered((scope: Root) => {
  const shown = findAll(scope, '*').filter((each) => !each.matches('script, style, template, head, head *') && isVisible(each));
  const entries = shown.filter(isEntry);
  const covered = new Set(entries.flatMap((entry) => [entry, ...entry.querySelectorAll('*')]));
  return shown.filter((each) => (covered.has(each) ? isEntry(each) : isRepeated(each) && isCompound(each)));
});

export const groupsOf = (records: Element[]) => [...Map.groupBy(records, ({ parentNode }: any) => (parentNode.matches?.('thead, tbody, tfoot') ? parentNode.parentNode : parentNode)).values()];

const areaOf = (elements: Element[]) => elements.reduce((sum, each) => { const box = each.getBoundingClientRect(); return sum + box.width * box.height; }, 0);

const PAGE_MARK = /^(?:\d{1,5}|[<>\u00ab\u00bb\u2039\u203a\u2190\u2192\u2026.]+|first|prev|previous|next|last|older|newer)$/;

/** Numbers and arrows that turn the pages of a list are no entries of it. */
const turnsPages = (group: Element[]) => group.length > 1 && group.every((each) => PAGE_MARK.test(key(each.textContent || '')) && each.querySelector('a, button, [role=button]'));

const leadsOn = (group: Element[]) => group.every((each) => each.querySelector('a, button, input, [role=button], [role=link], [role=checkbox]'));

/** The records that a page is about: not what leads elsewhere or turns pages, nor what is in another record. Of several groups the clearly largest, else those that can be used, else all. */
function mainRecords(scope: Root) {
  const all = listRecords(scope);
  const inner = all.filter((each) => !each.closest(ASIDES));
  const own = inner.length ? inner : all;
  const outer = outermost(own);
  const groups = groupsOf(outer).filter((group) => !turnsPages(group)).sort((one, other) => areaOf(other) - areaOf(one));
  if (groups.length < 2) return groups.flat();
  if (areaOf(groups[0]) >= CLEARLY_LARGER * areaOf(groups.slice(1).flat())) return groups[0];
  const used = new Set(groups.filter(leadsOn).flat());
  return outer.filter((each) => (used.size ? used.has(each) : groups.some((group) => group.includes(each))));
}

export function findRecords(root: Root, { name }: { name: string }) {
  const scope = scopeOf(root);
  if (!name) return mainRecords(scope);
  const wanted = key(name);
  const all = once('words', scope, () => findAll(scope, '*').map((element) => [element, [key(wordsOn(element) || '')]] as [Element, string[]]));
  const isRead = (element: Element) => !element.matches('script, style, noscript, template, head, head *') && isVisible(element);
  const aroundAll = (elements: Element[]) => [...new Set(innermost(elements.filter(isRead)).map(recordAround))]
    .flatMap((record) => (record && scope.contains(record) ? [record] : [])).filter((record, _, others) => isWhole(record) || !others.some(isWhole));
  const whole = (test: any) => innermost(listRecords(scope).filter((record) => test(key(childText(record)), wanted)));
  const around = (test: any) => aroundAll(all.filter(([, [text]]) => test(text, wanted)).map(([element]) => element));
  return firstStage([() => aroundAll(withName(all, wanted)), () => around(hasWords), () => whole(hasWords), () => around(hasSome)]);
}
