/** Selectors that name exactly one element, the shortest first: the engine that acts by them is asked, and a form is taken only if it finds the element and nothing else. */
import { findForm } from '../finding/selecting.ts';
import { CHANGING, showsValue } from '../names/matching.ts';
import { once, remembering } from '../names/memory.ts';
import { describe, nameOf, whereOf } from '../names/naming.ts';
import { CELLS, CONTAINERS, CONTROLS, EDITABLE, HEADINGS, roleOf, ROWS } from '../names/roles.ts';
import { hitAt, isVisible } from '../names/sight.ts';
import { foldName, isTold } from '../names/texts.ts';
import { saysNothing } from '../looks/icons.ts';
import { recordAround } from '../values/records.ts';
import { kindOfElement } from '../more/vocabulary.ts';
import { attributeNamesOf, calledNamesOf, columnOf, headingsOf, iconNamesOf, namesFor, rowNamesOf } from './callings.ts';
import { formOf, isWritable, plainOf } from './plain.ts';
import { chainOf, partsAround } from './places.ts';
import { drawnBy } from '../names/areas.ts';
import { layersOver } from '../finding/probes.ts';
import { findAll, holds, isAlone } from '../names/tree.ts';

const MOST_BESIDE = 60; // things of a kind, of which places are looked at
const ENTRY_ROLES = new Set(['row', 'listitem', 'treeitem', 'option']);
const LONGEST_BESIDE = 40; // characters of a text that something is said to be beside

const foundBy = (scope: Document | Element, plain: Plain): Element[] => once(`form ${JSON.stringify(plain)}`, scope, () => findForm(scope, formOf(plain)));

const names = (plain: Plain, element: Element) => isWritable(plain) && isAlone(foundBy(document, plain), element);

/** Forms behind what the element is in, the fewest parts and the nearest first. What doesn't tell it apart within the part isn't tried. */
function* insideParts(element: Element, bare: Plain[]): Generator<Plain> {
  const parts = partsAround(element).flatMap((part) => { const chain = chainOf(part); return chain ? [{ part, chain }] : []; });
  for (const { part, chain } of parts.sort((one, other) => weightOf(one.chain) - weightOf(other.chain))) {
    for (const plain of bare) if (isAlone(foundBy(part, plain), element)) yield { ...plain, regions: chain };
  }
}

const weightOf = (chain: PlainRegion[]): number => chain.reduce((sum, { selector }) => sum + (selector ? 2 + weightOf(selector.regions) : 1), 0);

function* numbered(element: Element, bare: Plain[]): Generator<Plain> {
  const parts = partsAround(element).map((part) => ({ scope: part as Document | Element, chain: chainOf(part) })).filter(({ chain }) => chain);
  const near = parts.find(({ chain }) => chain?.length === 1) || parts[0];
  for (const plain of bare) {
    for (const { scope, chain } of [...(near ? [near] : []), { scope: document, chain: [] }]) {
      const nth = foundBy(scope, plain).indexOf(element) + 1;
      if (nth && chain) yield { ...plain, regions: chain, nth };
    }
  }
}

/** Forms of what has nothing to read on it by the text in front of it or over it. */
function* beside(element: Element, bare: Plain): Generator<Plain> {
  if (!['role', 'field'].includes(bare.kind) || !element.matches(CONTROLS) || foundBy(document, bare).length > MOST_BESIDE) return;
  const text = textBefore(element);
  if (!text) return;
  for (const relation of ['right of', 'below', 'near'] as Relation[]) yield { ...bare, placements: [{ relation, name: text }] };
}

function textBefore(element: Element) {
  const walker = document.createTreeWalker(element.getRootNode(), NodeFilter.SHOW_TEXT);
  walker.currentNode = element;
  for (let looked = 0; looked < 12 && walker.previousNode(); looked += 1) {
    const text = foldName(walker.currentNode.data || '');
    const around = walker.currentNode.parentElement;
    const isSteady = isTold(text) && !/\p{N}/u.test(text) && around && !around.closest(`${EDITABLE}, ${CHANGING}, [aria-expanded], [aria-pressed], [aria-haspopup]`);
    if (isSteady && text.length <= LONGEST_BESIDE && isVisible(around) && !showsValue(around, element)) return text;
  }
  return '';
}

/** Whether something may be called a record; a tab or an option that is a list item has a better word. */
function isRecord(element: Element, kind: string) {
  if (element.matches(ROWS)) return kind !== 'role' || !element.matches(CONTROLS);
  return kind !== 'role' && kind !== 'field' && recordAround(element) === element;
}

function* formsFor(element: Element): Generator<Plain> {
  const { kind, word } = kindOfElement(element);
  const named = namesFor(element, kind).map((name) => plainOf(kind, word, name));
  const isOpen = kind === 'role' || kind === 'field';
  const rowNames = isRecord(element, kind) ? rowNamesOf(element) : [];
  const column = element.matches(CELLS) ? columnForms(element, word) : [];
  const changes = /\p{N}/u.test(named[0]?.name || '') && !element.matches('[role=gridcell][tabindex]'); // a day of a calendar is called by its number
  if (changes) yield* column;
  const records = recordForms(element, kind, named, rowNames);
  const goesByText = isCard(kind, named);
  if (goesByText) yield* records;
  yield* named;
  yield* insideParts(element, named.slice(0, 2));
  if (kind === 'control') yield* named.slice(0, 2).map(({ name }) => plainOf('text', '', name)); // a part of what is taken for the control
  if (!isVisible(element)) return; // what is shown comes before it, whatever it is called
  const icons = named.length || element.matches(CONTAINERS) || !saysNothing(element) ? [] : iconNamesOf(element).map((name) => plainOf('icon', '', name));
  yield* icons;
  yield* insideParts(element, icons);
  if (!changes) yield* column;
  const nameless = plainOf(kind, word, '');
  if (isOpen) for (const text of rowNames) yield { ...nameless, texts: [text] };
  if (!goesByText) yield* records;
  yield* insideParts(element, records.slice(0, 2));
  if (isOpen) yield nameless;
  if (kind === 'field') for (const name of attributeNamesOf(element)) yield plainOf(kind, word, name);
  if (isOpen) yield* insideParts(element, [nameless]);
  const testId = element.getAttribute('data-testid');
  if (testId) yield plainOf('testid', '', testId);
  if (!named.length) yield* beside(element, nameless);
  yield* numbered(element, [...named.slice(0, 1), ...icons.slice(0, 1), ...records.slice(0, 1), ...(isOpen ? [nameless] : []),
    ...(rowNames.length ? [plainOf('record', '', '')] : [])]);
  if (!named.length && saysNothing(element)) yield* calledForms(element);
}

/** Whether it says so much that one text in it is rather what it is called. */
const isCard = (kind: string, named: Plain[]) => kind === 'text' || (kind === 'control' && !(named.length && named[0].name.length <= LONGEST_BESIDE));

/** What has a name of its own keeps its kind, which a record doesn't say, even with a number. */
const recordForms = (element: Element, kind: string, named: Plain[], rowNames: string[]) => (named.length && ['role', 'field'].includes(kind) && !ENTRY_ROLES.has(roleOf(element)) ? []
  : rowNames.map((name) => plainOf('record', '', name)));

function* calledForms(element: Element): Generator<Plain> {
  const called = calledNamesOf(element).map((name) => plainOf('icon', '', name));
  yield* called;
  yield* insideParts(element, called);
  yield* numbered(element, called.slice(0, 1));
}

function columnForms(cell: Element, word: string): Plain[] {
  const name = columnOf(cell);
  const row = name && cell.closest('tr, [role=row]');
  const chain = row && chainOf(row);
  return chain ? [plainOf('role', word, name, chain)] : [];
}

export function selectorOf(element: Element): Plain | null {
  return remembering(() => once('selector', element, () => {
    if (kindOfElement(element).kind === 'frame') return null; // what is in it is named, behind frame "…" >>
    for (const plain of formsFor(element)) if (names(plain, element)) return plain;
    return null;
  }));
}

export const nameLayer = (hit: Element, { element }: { element: Element }) => remembering(() => {
  const layer = toldLayer(hit, element);
  return layer && selectorOf(layer);
});

function toldCover(element: Element) {
  const cover = coverOf(element);
  return cover && { selector: selectorOf(cover), role: roleOf(cover), name: nameOf(cover).slice(0, 80) };
}

/** The selectors of many elements, and what covers them. What is not done when the time is over goes without; what has gone is nothing. */
export function nameElements(elements: (Element | null)[], { limit_ms }: { limit_ms: number }) {
  const end = performance.now() + limit_ms;
  return remembering(() => elements.map((element) => element && (performance.now() > end ? { selector: null, covered_by: null }
    : { selector: selectorOf(element), covered_by: toldCover(element) })));
}

/** What a press in the middle of an element would meet instead of it, where that is in the window; null where it would meet the element. */
export function coverOf(element: Element): Element | null {
  const box = element.getBoundingClientRect();
  const x = box.x + box.width / 2, y = box.y + box.height / 2;
  if (!box.width || !box.height || x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return null;
  const hit = hitAt(element);
  if (!hit || holds(element, hit) || holds(hit, element) || drawnBy(hit) === element) return null;
  return Array.from(element.labels || []).some((label) => holds(label, hit)) ? null : toldLayer(hit, element);
}

/** What people would say that lies over an element: of what was hit and what is around it, that which has a name. */
export function toldLayer(hit: Element, element: Element): Element | null {
  const layers = layersOver(hit, element);
  const isTold = (each: Element) => each.matches(`${CONTAINERS}, ${CONTROLS}`) && Boolean(nameOf(each) || headingsOf(each).length);
  return layers.find(isTold) || layers.find((each) => each.matches('[role], dialog, [id], [aria-label]')) || layers.at(-1) || null;
}

const SUITABLE = `${CONTROLS}, ${HEADINGS}, [onclick]`;
const MOST_CANDIDATES = 2000;

// What was told of under a token, until it is named.
let told: { token: string, elements: Element[] } = { token: '', elements: [] };

export function keepTold(element: Element, { token }: { token: string }) {
  if (told.token !== token) told = { token, elements: [] };
  return told.elements.push(element) - 1;
}

export function nameTold(_root: Root, { token, places, limit_ms }: { token: string, places: number[], limit_ms: number }) {
  const elements = told.token === token ? told.elements : [];
  told = { token: '', elements: [] };
  return nameElements(places.map((place) => elements[place] || null), { limit_ms }).map((named) => named && named.selector);
}

export function listCandidates(root: Root, { limit, token }: { limit: number, token: string }) {
  const found = findAll(root, SUITABLE).filter(isVisible).slice(0, MOST_CANDIDATES);
  const named = found.map((element) => ({ element, facts: { ...describe(element), in: whereOf(element) } })).filter(({ facts }) => facts.name).slice(0, limit);
  for (const { element } of named) keepTold(element, { token });
  return named.map(({ facts }) => facts);
}
