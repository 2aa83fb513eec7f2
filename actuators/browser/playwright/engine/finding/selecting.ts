import { findFields } from '../acting/fields.ts';
import { findControls, findLabels, findPlaceholders, findRoles, findTestIds, findTexts } from './finding.ts';
import { once } from '../names/memory.ts';
import { namesOf } from '../names/naming.ts';
import { shownText } from '../acting/reading.ts';
import { findFrames, findRegions } from './regions.ts';
import { CONTROLS } from '../names/roles.ts';
import { isVisible } from '../names/sight.ts';
import { fold, hasWords, key } from '../names/texts.ts';
import { unique } from '../names/tree.ts';
import { findLater, later } from '../later.ts';

const NEAR_FACTOR = 1.25, NEAR_PX = 4; // how much farther the second may be and still not be clearly farther

export function regionsIn(scope: Root, region: Region): any[] { return region.form ? findForm(scope, region.form) : findRegions(scope, region); }

const scopesOf = (root: Root, { regions }: { regions: Region[] }): any[] => [...regions].reverse().reduce((scopes, region) => unique(scopes.flatMap((scope) => regionsIn(scope, region))), [root]);

const FINDERS: Record<string, Finder> = {
  role: findRoles, control: findControls, field: findFields, text: findTexts, label: findLabels, placeholder: findPlaceholders,
  testid: findTestIds, region: findRegions, frame: findFrames,
};

export const finderOf = (op: string) => FINDERS[op] || findLater('queries', op);

export function findForm(root: Root, form: Form): Element[] {
  const scopes = scopesOf(root, form);
  const isOpen = form.query.op === 'record' && !form.query.name && form.ranking;
  const isAny = form.likes?.length && form.query.op === 'control';
  const within = (scope: any) => {
    if (isAny) return later().nameable(scope);
    return isOpen ? later().comparableRecords(scope, form.ranking?.label || '') : finderOf(form.query.op)(scope, form.query);
  };
  let found = unique(scopes.flatMap(within));
  for (const pattern of form.likes || []) found = later().withPattern(found, pattern);
  for (const text of form.texts || []) found = later().withText(found, text);
  if (form.exceptions.length) found = leaveOut(found, form.exceptions);
  for (const look of form.unlike || []) found = withoutLook(found, look, scopes);
  for (const placement of form.placements) found = placed(found, placement, form, [...scopes, root]);
  if (form.spot) return later().atSpot(found, form.spot);
  if (form.ranking) return later().ranked(found, form);
  if (form.nth) return form.nth < 0 ? found.slice(-1) : found.slice(form.nth - 1, form.nth);
  return typeof form.quantity === 'number' ? found.slice(0, form.quantity) : found;
}

// Several elements that are acted on one by one. What is acted on may be made anew, or be gone afterwards.
let held: { token: string, elements: Element[] } = { token: '', elements: [] };

export function holdForm(root: Root, { token, form }: { token: string, form: Form }) {
  held = { token, elements: findForm(root, form) };
  return held.elements;
}

export function heldAt(root: Root, { token, form, at }: { token: string, form: Form, at: number }) {
  if (held.token !== token) return [];
  const element = held.elements[at];
  if (element.isConnected) return [element];
  const now = findForm(root, form);
  if (now.length === held.elements.length) return [now[at]];
  return now.length === held.elements.length - at ? [now[0]] : [];
}

/** Without those of these names: their own, else a text in the record around them. A name that none has leaves nothing. */
function leaveOut(found: Element[], exceptions: string[]) {
  const named = found.map((element) => [element, [...namesOf(element), shownText(element)].map(key)]);
  const around = found.map((element) => [element, later().recordAround(element) as any]).filter(([, record]) => record)
    .map(([element, record]) => [element, [record, ...record.querySelectorAll('*')].map((each) => key(later().wordsOn(each) || ''))]);
  const out = exceptions.map((exception) => {
    const wanted = key(exception);
    const tries: [any[], (text: string) => boolean][] = [[named, (text: string) => text === wanted], [around, (text: string) => text === wanted],
      [named, (text: string) => hasWords(text, wanted)],
      [around, (text: string) => hasWords(text, wanted)]];
    const hits = tries.map(([pairs, test]) => pairs.filter(([, texts]: any) => texts.some(test)).map(([element]: any) => element));
    return hits.find((each) => each.length) || [];
  });
  const gone = new Set(out.flat());
  return out.every((each) => each.length) ? found.filter((element) => !gone.has(element)) : [];
}

function withoutLook(found: Element[], look: Look, scopes: Root[]) {
  const gone = new Set(scopes.flatMap((scope) => later().findLooks(scope, look)));
  return found.filter((element) => !gone.has(element));
}

const boundsOf = (element: Element) => once(boundsOf, element, drawnBounds);

function drawnBounds(element: Element) {
  const box = element.getBoundingClientRect();
  if (element.matches(CONTROLS) || !fold(element.textContent || '')) return box;
  const range = document.createRange();
  range.selectNodeContents(element);
  const inner = range.getBoundingClientRect();
  return inner.width && inner.height ? inner : box;
}

const overlap = (one: any, other: any, from: Edge, to: Edge) => Math.min(one[to], other[to]) - Math.max(one[from], other[from]);
const SIDES: Record<string, any[]> = {
  above: ['top', 'bottom', 'height', -1], below: ['top', 'bottom', 'height', 1],
  'left of': ['left', 'right', 'width', -1], 'right of': ['left', 'right', 'width', 1],
};

function isBeside(box: any, anchor: any, relation: Relation) {
  const [from, to, size, sign] = SIDES[relation];
  const isBeyond = sign * (box[from] + box[to] - anchor[from] - anchor[to]) > 0;
  return isBeyond && overlap(box, anchor, from, to) <= Math.min(box[size], anchor[size]) / 2;
}

function anchorsOf(scopes: Root[], { name, form }: { name: string, form?: Form }) {
  for (const scope of scopes) {
    const query = { name };
    const found = (form ? findForm(scope, form) : [findTexts, findControls, findFields].map((find) => find(scope, query)).find((each) => each.some(isVisible)) || [])
      .filter((each: Element) => isVisible(each));
    if (found.length) return unique(found);
  }
  return [];
}

/** What is aside counts twice; of what is near, what stands in another line does. */
function distanceTo(box: any, anchor: any, relation: Relation) {
  const across = Math.max(0, -overlap(box, anchor, 'left', 'right')), down = Math.max(0, -overlap(box, anchor, 'top', 'bottom'));
  return ['above', 'below'].includes(relation) ? down + 2 * across : across + 2 * down;
}

const isAligned = (box: any, anchor: any) => overlap(box, anchor, 'left', 'right') > 0 || overlap(box, anchor, 'top', 'bottom') > 0;

/** What stands in the same line or column is not rivalled by what stands in none. */
function clearlyNearest(boxes: [Element, DOMRect][], anchor: any, relation: Relation) {
  const ways = boxes.map(([element, box]) => ({ element, box, far: distanceTo(box, anchor, relation) })).sort((one, other) => one.far - other.far);
  const isRival = ({ box, far }: any) => far <= ways[0].far * NEAR_FACTOR + NEAR_PX
    && (relation === 'near' ? isAligned(box, anchor) || !isAligned(ways[0].box, anchor) : !isBeside(box, ways[0].box, relation));
  return ways.filter((way) => way === ways[0] || isRival(way)).map(({ element }) => element);
}

function placedBeside(found: Element[], anchor: any, relation: Relation, isOne: boolean) {
  const others = found.filter((element) => element !== anchor && !(element.matches(CONTROLS) && element.contains(anchor)));
  const bounds = boundsOf(anchor);
  const all: [Element, DOMRect][] = others.map((element) => [element, boundsOf(element)]);
  const boxes = all.filter(([, box]) => relation === 'near' || isBeside(box, bounds, relation));
  const inLine = boxes.filter(([, box]) => ['left of', 'right of'].includes(relation) && overlap(box, bounds, 'top', 'bottom') > 0);
  const left = inLine.length ? inLine : boxes;
  return isOne ? clearlyNearest(left, bounds, relation) : left.map(([element]) => element);
}

function placed(found: Element[], placement: Placement, form: Form, scopes: Root[]) {
  const isOne = form.quantity === 'one' && !form.nth && !form.ranking && !form.spot;
  const kept = new Set(anchorsOf(scopes, placement).flatMap((anchor) => placedBeside(found, anchor, placement.relation, isOne)));
  return found.filter((element) => kept.has(element));
}

