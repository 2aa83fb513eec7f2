import { isSecret } from '../names/secrecy.js';
import { withName } from '../names/matching.js';
import { once } from '../names/memory.js';
import { childText, ownText } from '../names/naming.js';
import { CELLS, HEADINGS } from '../names/roles.js';
import { firstStage, isVisible } from '../names/sight.js';
import { hasSome, hasWords, key } from '../names/texts.js';
import { findAll, innermost, scopeOf, tagOf } from '../names/tree.js';
import { cellsOf, isHeading } from './tables.js';

const ENTRIES = 'tr, li, [role=row], [role=listitem], [role=treeitem]';
const NEVER_RECORDS = `${CELLS}, ${HEADINGS}, th, thead, tbody, tfoot, colgroup, col, caption, p, dt, dd, label, option, optgroup, legend, br, hr,`
  + ' script, style, template, html, head, body, input, select, textarea, svg, svg *, b, i, em, strong, small, [role=columnheader], [role=rowheader]';
const ASIDES = 'nav, header, footer, [role=navigation], [role=menu], [role=menubar], [role=tablist], [role=banner], [role=contentinfo]';
const CLEARLY_LARGER = 3; // times the area of all other groups

/** @param {Element} row */
const isHeadRow = (row) => row.matches('tr, [role=row]') && cellsOf(row).length > 0 && (row.closest('thead') !== null || cellsOf(row).every(isHeading));

/** @param {Element} element */
const isEntry = (element) => element.matches(ENTRIES) && !isHeadRow(element);

/** @param {Element} element */
const shapeOf = (element) => Array.from(element.children, (child) => tagOf(child)).join();

/**
 * Whether there is more than one thing in it: two elements, or a text and an element.
 * @param {Element} element
 */
function isCompound(element) {
  for (let each = /** @type {Element | null} */ (element); each; each = each.firstElementChild) {
    if (each.childElementCount > 1 || (each.childElementCount && ownText(each))) return true;
  }
  return false;
}

// What has a like element beside it: of the same tag and role, with a class in common or, without any, the same in it.
let twinsIn = new Map();

/** @param {any} parent */
function countKinds(parent) {
  if (!twinsIn.size) Promise.resolve().then(() => { twinsIn = new Map(); });
  const counts = new Map();
  for (const child of parent.children) if (isVisible(child)) for (const kind of twinKinds(child)) counts.set(kind, (counts.get(kind) || 0) + 1);
  twinsIn.set(parent, counts);
  return counts;
}

/** @param {Element} element */
function twinKinds(element) {
  const base = `${tagOf(element)} ${element.getAttribute('role') || ''}`;
  return element.classList.length ? Array.from(element.classList, (name) => `${base} .${name}`) : [`${base} ${shapeOf(element)}`];
}

/** @param {Element} element */
function hasTwin(element) {
  const parent = element.parentNode;
  if (!parent || !parent.children) return false;
  const counts = twinsIn.get(parent) || countKinds(parent);
  return twinKinds(element).some((kind) => counts.get(kind) > 1);
}

/** @param {Element} element */
const isRepeated = (element) => once(isRepeated, element, () => !element.matches(NEVER_RECORDS) && hasTwin(element));

/**
 * What is marked up within a line ("<b>Ada</b> and <b>Grace</b>") is a record only where nothing else is.
 * @param {Element} record
 */
const isWhole = (record) => isEntry(record) || isCompound(record);

/** @param {Element} element */
export const recordAround = (element) => once(recordAround, element, findRecordAround);

/** @param {Element} element */
function findRecordAround(element) {
  const around = [];
  for (let each = /** @type {any} */ (element); each && each !== document.body; each = each.parentElement || each.getRootNode().host) around.push(each);
  return around.find(isEntry) || around.find((each) => isRepeated(each) && isCompound(each)) || around.find(isRepeated) || null;
}

/** @param {Element} element */
export function wordsOn(element) {
  if (element.matches('img, area')) return element.alt;
  if (element.matches('input')) return isSecret(element) || element.matches('[type=hidden]') ? '' : element.value || '';
  return element.getAttribute('aria-label') || (element.shadowRoot ? '' : element.textContent);
}

/** @param {Root} scope */
export const listRecords = (scope) => once(listRecords, scope, readRecords);

/**
 * Those that have a text in them: the whole of something in them, else whole words, else a part; of several inside each other the innermost.
 * @param {Element[]} elements
 * @param {string} text
 */
export function withText(elements, text) {
  const wanted = key(text);
  /** @type {[Element, string[]][]} */
  const read = elements.map((element) => [element, once('texts in', element, () => [element, ...findAll(scopeOf(element), '*')]
    .filter((each) => isVisible(each) || !isVisible(element)).map((each) => key(wordsOn(each) || '')))]);
  const stages = [(/** @type {string} */ each) => each === wanted, (/** @type {string} */ each) => hasWords(each, wanted), (/** @type {string} */ each) => hasSome(each, wanted)];
  return stages.map((test) => innermost(read.filter(([, texts]) => texts.some(test)).map(([element]) => element))).find((found) => found.length) || [];
}

/** @param {Root} scope */
function readRecords(scope) {
  const shown = findAll(scope, '*').filter((each) => !each.matches('script, style, template, head, head *') && isVisible(each));
  const entries = shown.filter(isEntry);
  const covered = new Set(entries.flatMap((entry) => [entry, ...entry.querySelectorAll('*')]));
  return shown.filter((each) => (covered.has(each) ? isEntry(each) : isRepeated(each) && isCompound(each)));
}

/** @param {any[]} records */
export function groupsOf(records) {
  const groups = new Map();
  for (const record of records) {
    const parent = record.parentNode;
    const place = parent.matches && parent.matches('thead, tbody, tfoot') ? parent.parentNode : parent;
    groups.set(place, [...(groups.get(place) || []), record]);
  }
  return [...groups.values()];
}

/** @param {Element[]} elements */
const areaOf = (elements) => elements.reduce((sum, each) => { const box = each.getBoundingClientRect(); return sum + box.width * box.height; }, 0);

const PAGE_MARK = /^(?:\d{1,5}|[<>\u00ab\u00bb\u2039\u203a\u2190\u2192\u2026.]+|first|prev|previous|next|last|older|newer)$/;

/**
 * Numbers and arrows that turn the pages of a list are no entries of it.
 * @param {Element[]} group
 */
const turnsPages = (group) => group.length > 1 && group.every((each) => PAGE_MARK.test(key(each.textContent || '')) && each.querySelector('a, button, [role=button]'));

/** @param {Element[]} group */
const leadsOn = (group) => group.every((each) => each.querySelector('a, button, input, [role=button], [role=link], [role=checkbox]'));

/**
 * The records that a page, or a part of it, is about: not what leads elsewhere or turns pages, and nothing within another record.
 * Where none of several groups is clearly the largest, those in which each can be followed or used, else all of them.
 * @param {Root} scope
 */
function mainRecords(scope) {
  const all = listRecords(scope);
  const inner = all.filter((each) => !each.closest(ASIDES));
  const own = inner.length ? inner : all;
  const set = new Set(own);
  const outermost = own.filter((each) => {
    for (let up = each.parentElement; up; up = up.parentElement) if (set.has(up)) return false;
    return true;
  });
  const groups = groupsOf(outermost).filter((group) => !turnsPages(group)).sort((one, other) => areaOf(other) - areaOf(one));
  if (groups.length < 2) return groups.flat();
  if (areaOf(groups[0]) >= CLEARLY_LARGER * areaOf(groups.slice(1).flat())) return groups[0];
  const used = new Set(groups.filter(leadsOn).flat());
  return used.size ? outermost.filter((each) => used.has(each)) : outermost.filter((each) => groups.some((group) => group.includes(each)));
}

/**
 * @param {Root} root
 * @param {{ name: string }} query
 */
export function findRecords(root, { name }) {
  const scope = scopeOf(root);
  if (!name) return mainRecords(scope);
  const wanted = key(name);
  const all = once('words', scope, () => findAll(scope, '*').map((element) => /** @type {[Element, string[]]} */ ([element, [key(wordsOn(element) || '')]])));
  const isRead = (/** @type {Element} */ element) => !element.matches('script, style, noscript, template, head, head *') && isVisible(element);
  const aroundAll = (/** @type {Element[]} */ elements) => [...new Set(innermost(elements.filter(isRead)).map(recordAround))]
    .flatMap((record) => (record && scope.contains(record) ? [record] : [])).filter((record, _, others) => isWhole(record) || !others.some(isWhole));
  const whole = (/** @type {any} */ test) => innermost(listRecords(scope).filter((record) => test(key(childText(record)), wanted)));
  const around = (/** @type {any} */ test) => aroundAll(all.filter(([, [text]]) => test(text, wanted)).map(([element]) => element));
  return firstStage([() => aroundAll(withName(all, wanted)), () => around(hasWords), () => whole(hasWords), () => around(hasSome)]);
}
