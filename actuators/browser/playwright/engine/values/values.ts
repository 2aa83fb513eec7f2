import { keptInQuery } from '../names/memory.ts';
import { childText, labelsOf, ownText, textOf, whereOf } from '../names/naming.ts';
import { keepPart, parts, shownIn, shownText } from '../acting/reading.ts';
import { BOXES, CONTROLS, EDITABLE, isClosedList, PRESSED } from '../names/roles.ts';
import { firstStage, isVisible } from '../names/sight.ts';
import { fieldKey, fold, hasWords, isTold, key, wordsIn } from '../names/texts.ts';
import { findAll, innermost, scopeOf, tagOf } from '../names/tree.ts';
import { cellsOf, isHeading, layOut, ROW, rowsOf, TABLES } from './tables.ts';

const SHORT = 100; // characters of a value that no markup says is one
const MOST_BESIDE = 40; // elements in one that holds labels and values; more are a list of something else
const MOST_LISTED = 300; // labels beside something that are looked at for a message
const LONGEST_LABEL = 200; // characters, with all white space
const HOLDERS = `${EDITABLE}, output, meter, progress, [role=status], [role=meter], [role=progressbar]`;
const LABELS = 'label, td, [role=cell], span, strong, b, em, i, small, div, p, dfn';
const NO_LABELS = `th, dt, caption, legend, option, select, script, style, noscript, template, head, ${PRESSED},`
  + ' [role=columnheader], [role=rowheader], [role=tab], [role=menuitem], [role=option]';
const bare = (text: string) => fold(text).replace(/^[\s:：]+/, '');

const hasColon = (text: string) => /[:：]\s*$/.test(text);

function measured(element: Element) {
  const bar = element.matches('meter, progress');
  const number = bar ? (element.position === -1 ? '' : String(element.value)) : element.getAttribute('aria-valuenow') || '';
  return element.getAttribute('aria-valuetext') || (bar ? number : shownIn(element) || number);
}

function holderIn(element: Element) {
  if (!element || !isVisible(element) || element.matches(PRESSED)) return null;
  if (element.matches(HOLDERS) || shownIn(element)) return element;
  const fields = findAll(element, HOLDERS).filter(isVisible);
  return fields.length === 1 ? fields[0] : null;
}

function isShort(holder: Element) {
  if (holder.matches(HOLDERS)) return !labelsOf(holder).length;
  const shown = shownIn(holder);
  return shown.length <= SHORT && isTold(shown) && !hasColon(shown);
}

function heldValues(scope: Root, fits: (text: string) => boolean) {
  const named = (element: Element) => [...labelsOf(element), element.placeholder || '', element.title || ''].map(fold);
  return findAll(scope, HOLDERS).filter((each) => isVisible(each) && !isClosedList(each))
    .flatMap((each) => named(each).filter((name) => name && fits(name)).map((name) => [name, each]));
}

export function termValues(scope: Root, fits: (text: string) => boolean) {
  const found = [];
  for (const term of findAll(scope, 'dt').filter((each) => isVisible(each) && fits(childText(each)))) {
    let next = term.nextElementSibling;
    while (next && tagOf(next) === 'DT') next = next.nextElementSibling;
    for (; next && tagOf(next) === 'DD'; next = next.nextElementSibling) found.push([childText(term), holderIn(next)]);
  }
  return found;
}

/** Of the cells behind a heading those that span several columns count last: they mostly keep a place empty. */
function filledCell(cells: Element[]) {
  const filled = cells.map((cell) => [cell.colSpan > 1, holderIn(cell)]).filter(([, holder]) => holder);
  return (filled.find(([isWide]) => !isWide) || filled[0] || [])[1];
}

const isHead = (cell: Element) => cell.matches('th, [role=rowheader], [role=columnheader]');

function isRowHead(cell: Element, at: number, cells: Element[]) {
  if (cell.matches('[role=rowheader], th[scope=row], th[scope=rowgroup]')) return true;
  return cell.matches('th:not([scope=col], [scope=colgroup])') && !cell.closest('thead') && cells.slice(at + 1).some((each) => !isHead(each));
}

export function rowValues(scope: Root, fits: (text: string) => boolean, root: Root) {
  const own: Element[] = root.nodeType === 1 && root.matches(ROW) ? [root] : [];
  return [...own, ...findAll(scope, ROW)].flatMap((row) => {
    const cells = cellsOf(row);
    return cells.flatMap((cell, at) => {
      if (!isRowHead(cell, at, cells) || !isVisible(cell) || !fits(childText(cell))) return [];
      const behind = cells.slice(at + 1);
      const end = behind.findIndex(isHead);
      return [[childText(cell), filledCell(end < 0 ? behind : behind.slice(0, end))]];
    });
  });
}

const gridOf = keptInQuery((table: Element) => {
  const rows = rowsOf(table).filter(isVisible);
  const isTop = (row: Element) => tagOf(row.parentElement) === 'THEAD' || (cellsOf(row).length && cellsOf(row).every(isHeading));
  return { rows, grid: layOut(rows), top: rows.findIndex((row) => !isTop(row)) };
});

/** Where the table, or what one looks at of it, has only one row beside its headings and sums. */
export function columnValues(scope: Root, fits: (text: string) => boolean, root: Root) {
  const around = root.nodeType === 1 ? root.closest(TABLES) : null;
  const heads = (table: any) => Array.from(table.querySelectorAll('th, [role=columnheader]'));
  return [...(around ? [around] : []), ...findAll(scope, TABLES)].filter((table) => heads(table).some((head) => fits(childText(head)))).flatMap((table) => {
    const { rows, grid, top } = gridOf(table);
    const body = rows.filter((row: Element, y: number) => y >= top && tagOf(row.parentElement) !== 'TFOOT' && (table !== around || root.contains(row)));
    if (top < 1 || body.length !== 1) return [];
    return grid[rows.indexOf(body[0])].flatMap((cell, x) => grid.slice(0, top).map((line) => line[x])
      .filter((head) => head && fits(childText(head))).map((head) => [childText(head), holderIn(cell)]));
  });
}

function isPaired(label: any) {
  if (label.parentNode.childElementCount > MOST_BESIDE) return false;
  const kids = Array.from<Element>(label.parentNode.children).filter((each) => isVisible(each) && fold(each.textContent) && !each.matches(PRESSED));
  const at = kids.indexOf(label);
  const isAlike = kids.length > 2 && kids[0].nodeName === kids[1].nodeName && kids[0].className === kids[1].className;
  return (at === 0 && !isAlike) || (kids.length % 2 === 0 && at % 2 === 0);
}

function siblingBehind(node: any) {
  let next = node.nextSibling;
  for (; next; next = next.nextSibling) {
    if (next.nodeType !== 1 || !isVisible(next)) continue;
    if (next.matches(`label, th, dt, ${PRESSED}, ${BOXES}`)) return null;
    const holder = holderIn(next);
    if (holder) return isShort(holder) ? holder : null;
  }
  return null;
}

const endsLine = (node: any) => node.nodeType === 1 && (tagOf(node) === 'BR' || !getComputedStyle(node).display.startsWith('inline'));

/** The text behind a label in the same element, up to the end of the line or the next label; empty where an element comes first. */
function textBehind(node: any, begun: string) {
  let text = begun;
  for (let next = node.nextSibling; next; next = next.nextSibling) {
    if (next.nodeType === 1 && !bare(text) && fold(textOf(next))) return '';
    if (bare(text) && (endsLine(next) || tagOf(next) === tagOf(node) && next.nodeType === 1 || (next.nodeType === 1 && next.matches(`label, ${PRESSED}`)))) break;
    text += textOf(next);
  }
  return bare(text);
}

const isPart = (text: string) => isTold(text) && text.length <= SHORT && !hasColon(text);

function cellBehind(cell: Element) {
  const row = cell.closest('tr, [role=row]');
  const cells = row ? cellsOf(row) : [];
  if (!row || (cells[0] !== cell && !hasColon(cell.textContent)) || cells.some(isHead)) return null;
  return filledCell(cells.slice(cells.indexOf(cell) + 1));
}

function valueBehind(label: any) {
  if (label.matches('td, [role=cell]')) return cellBehind(label);
  const holder = label.parentElement || label.getRootNode().host;
  const beside = ownText(holder);
  const isMarked = hasColon(label.textContent) || /^\s*[:：]/.test((label.nextSibling || {}).data || '');
  const rest = textBehind(label, '');
  if (rest) {
    const isNumber = /^[\p{Sc}\p{N}+−-]/u.test(rest) && beside === rest;
    return (isMarked || isNumber) && isPart(rest) ? keepPart(holder, rest) : null;
  }
  return isMarked || label.matches('label') || (!bare(beside) && isPaired(label)) ? siblingBehind(label) : null;
}

export function writtenValues(elements: Element[], fits: (text: string) => boolean) {
  const found = [];
  for (const element of elements) {
    for (const node of element.childNodes) {
      const at = node.nodeType === 3 ? node.data.search(/[:：]/) : -1;
      if (at < 1 || at > LONGEST_LABEL || !fits(node.data.slice(0, at)) || !isVisible(element) || element.closest(NO_LABELS)) continue;
      if (node.previousSibling && !endsLine(node.previousSibling)) continue;
      const rest = textBehind(node, node.data.slice(at + 1));
      found.push([node.data.slice(0, at), isPart(rest) ? keepPart(element, rest) : rest ? null : siblingBehind(node)]);
    }
  }
  return found;
}

export const labelValues = (scope: Root, fits: (text: string) => boolean, _root: Root, most: number = Infinity) => [...behindLabels(scope, fits, most), ...writtenValues(findAll(scope, '*'), fits)];

function behindLabels(scope: Root, fits: (text: string) => boolean, most: number = Infinity) {
  const all = findAll(scope, '*');
  const labels = all.filter((each) => each.matches(LABELS) && each.childElementCount < 5 && each.textContent.length <= LONGEST_LABEL
    && fits(each.textContent) && isVisible(each) && !each.closest(NO_LABELS) && (tagOf(each) === 'LABEL' || !each.querySelector(CONTROLS)));
  return labels.slice(0, most).map((label) => [label.textContent, valueBehind(label)]);
}

/** Behind labels that say more than the name: "Total of this order:". A text without a colon is one only where its author says so. */
const behindLonger = (scope: Root, wanted: string) => behindLabels(scope, (text) => /^[^:]*:?$/.test(fold(text)) && hasWords(fieldKey(text), wanted))
  .filter(([text, value]) => value instanceof Element && !value.querySelector('label') && (/:\s*$/.test(String(text)) || findAll(scope, 'label, dt, th').some((each) => each.textContent === text)));

const MARKS = ['data-testid', 'id', 'name', 'itemprop'];

const flat = (text: string) => key(text).replace(/[\s_-]+/g, '');

function markValues(scope: Root, fits: (text: string) => boolean, marks: any = MARKS) {
  const found = findAll(scope, [...marks, ...(marks === MARKS ? ['class'] : [])].map((mark) => `[${mark}]`).join(', '));
  return found.flatMap((element) => {
    const tokens = [...marks.map((mark: any) => element.getAttribute(mark) || ''), ...(marks === MARKS ? element.classList : [])];
    const token = tokens.find((each) => each && fits(each));
    if (!token || !isVisible(element) || element.matches('label, dt, th, legend, caption, html, body') || element.matches(PRESSED)) return [];
    if (element.matches(HOLDERS)) return shownText(element).trim() || element.matches('meter, progress') ? [[token, element]] : [];
    const shown = fold(shownIn(element));
    if (!isTold(shown) || shown.length > SHORT || element.querySelector(EDITABLE)) return [];
    return [[token, element, shown]];
  });
}

function markedValues(scope: Root, name: string) {
  const wanted = fieldKey(name);
  const found = markValues(scope, (token) => flat(token) === flat(name)).filter(([, , shown]) => !shown || fieldKey(shown) !== wanted);
  const inner = innermost(found.map(([, element]) => element));
  for (const [, element, shown] of found.filter(([, each]) => inner.includes(each))) {
    const isLed = shown && key(shown.slice(0, wanted.length)) === wanted && /[\s:]/.test(shown[wanted.length]);
    if (isLed) keepPart(element, bare(shown.slice(wanted.length)));
  }
  return inner.map((element) => [name, element]);
}

/** What its author called so with other words: `display-number`. */
function calledValues(scope: Root, wanted: string) {
  const words = wanted.split(' ');
  const found = markValues(scope, (token) => words.every((word) => wordsIn(token).includes(word))).filter(([, element, shown]) => shown && fieldKey(shown) !== wanted && !element.matches(HOLDERS));
  return innermost(found.map(([, element]) => element)).map((element) => [wanted, element]);
}

export function findValues(root: Root, { name }: { name: string }) {
  const scope = scopeOf(root);
  const wanted = fieldKey(name);
  const fits = (text: string) => fieldKey(text) === wanted;
  const stages = [() => heldValues(scope, fits), () => termValues(scope, fits), () => rowValues(scope, fits, root), () => columnValues(scope, fits, root),
    () => labelValues(scope, fits, root), () => markedValues(scope, name), () => heldValues(scope, (text) => hasWords(fieldKey(text), wanted)),
    () => behindLonger(scope, wanted), () => calledValues(scope, wanted)];
  const found = firstStage(stages.map((stage) => () => [...new Set(stage().map(([, value]) => value).filter(Boolean))]));
  for (const element of found) {
    if (!parts.has(element) && !element.matches(EDITABLE)) keepPart(element, element.matches(HOLDERS) ? measured(element) : shownIn(element));
  }
  return found;
}

export function listValued(root: Root, { limit }: { limit: number }) {
  const scope = scopeOf(root);
  const fits = (text: string) => isTold(text) && fold(text).length < 60;
  const pairs = [heldValues, termValues, rowValues, columnValues, labelValues].flatMap((source) => source(scope, fits, root, MOST_LISTED));
  pairs.push(...markValues(scope, fits, ['data-testid', 'itemprop']).map(([token, element]) => [token.replace(/[_-]+/g, ' '), element]));
  return pairs.filter(([, value]) => value).slice(0, limit).map(([label, value]) => {
    const name = fold(label).replace(/[\s:：*]+$/, '');
    const place = whereOf(value);
    return { role: 'value', name, tag: value.nodeName.toLowerCase(), in: key(place) === key(name) ? '' : place };
  });
}
