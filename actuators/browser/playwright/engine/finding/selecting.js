import { findFields } from '../acting/fields.js';
import { findControls, findLabels, findPlaceholders, findRoles, findTestIds, findTexts } from './finding.js';
import { once } from '../names/memory.js';
import { namesOf } from '../names/naming.js';
import { shownText } from '../acting/reading.js';
import { findFrames, findRegions } from './regions.js';
import { CONTROLS } from '../names/roles.js';
import { isVisible } from '../names/sight.js';
import { fold, hasWords, key } from '../names/texts.js';
import { unique } from '../names/tree.js';
import { findLater, later } from '../later.js';

const NEAR_FACTOR = 1.25, NEAR_PX = 4; // how much farther the second may be and still not be clearly farther

/**
 * @param {Root} scope
 * @param {Region} region
 * @returns {any[]}
 */
export function regionsIn(scope, region) { return region.form ? findForm(scope, region.form) : findRegions(scope, region); }

/**
 * @param {Root} root
 * @param {{ regions: Region[] }} query
 * @returns {any[]}
 */
const scopesOf = (root, { regions }) => [...regions].reverse().reduce((scopes, region) => unique(scopes.flatMap((scope) => regionsIn(scope, region))), [root]);

// What finds the elements of a kind.
/** @type {Record<string, Finder>} */
const FINDERS = {
  role: findRoles, control: findControls, field: findFields, text: findTexts, label: findLabels, placeholder: findPlaceholders,
  testid: findTestIds, region: findRegions, frame: findFrames,
};

/** @param {string} op */
export const finderOf = (op) => FINDERS[op] || findLater('queries', op);

/**
 * @param {Root} root
 * @param {Form} form
 * @returns {Element[]}
 */
export function findForm(root, form) {
  const scopes = scopesOf(root, form);
  const isOpen = form.query.op === 'record' && !form.query.name && form.ranking;
  const isAny = form.likes?.length && form.query.op === 'control';
  /** @param {any} scope */
  const within = (scope) => {
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
/** @type {{ token: string, elements: Element[] }} */
let held = { token: '', elements: [] };

/**
 * @param {Root} root
 * @param {{ token: string, form: Form }} query
 */
export function holdForm(root, { token, form }) {
  held = { token, elements: findForm(root, form) };
  return held.elements;
}

/**
 * @param {Root} root
 * @param {{ token: string, form: Form, at: number }} query
 */
export function heldAt(root, { token, form, at }) {
  if (held.token !== token) return [];
  const element = held.elements[at];
  if (element.isConnected) return [element];
  const now = findForm(root, form);
  if (now.length === held.elements.length) return [now[at]];
  return now.length === held.elements.length - at ? [now[0]] : [];
}

/**
 * Without those of these names: their own, else a text in the record around them. A name that none has leaves nothing.
 * @param {Element[]} found
 * @param {string[]} exceptions
 */
function leaveOut(found, exceptions) {
  const named = found.map((element) => [element, [...namesOf(element), shownText(element)].map(key)]);
  const around = found.map((element) => [element, /** @type {any} */ (later().recordAround(element))]).filter(([, record]) => record)
    .map(([element, record]) => [element, [record, ...record.querySelectorAll('*')].map((each) => key(later().wordsOn(each) || ''))]);
  const out = exceptions.map((exception) => {
    const wanted = key(exception);
    /** @type {[any[], (text: string) => boolean][]} */
    const tries = [[named, (/** @type {string} */ text) => text === wanted], [around, (/** @type {string} */ text) => text === wanted],
      [named, (/** @type {string} */ text) => hasWords(text, wanted)],
      [around, (/** @type {string} */ text) => hasWords(text, wanted)]];
    const hits = tries.map(([pairs, test]) => pairs.filter((/** @type {any} */ [, texts]) => texts.some(test)).map((/** @type {any} */ [element]) => element));
    return hits.find((each) => each.length) || [];
  });
  const gone = new Set(out.flat());
  return out.every((each) => each.length) ? found.filter((element) => !gone.has(element)) : [];
}

/**
 * Without what looks like that.
 * @param {Element[]} found
 * @param {Look} look
 * @param {Root[]} scopes
 */
function withoutLook(found, look, scopes) {
  const gone = new Set(scopes.flatMap((scope) => later().findLooks(scope, look)));
  return found.filter((element) => !gone.has(element));
}

/**
 * Where the text of an element is, or the element itself, if it is a control or has none.
 * @param {Element} element
 */
const boundsOf = (element) => once(boundsOf, element, drawnBounds);

/** @param {Element} element */
function drawnBounds(element) {
  const box = element.getBoundingClientRect();
  if (element.matches(CONTROLS) || !fold(element.textContent || '')) return box;
  const range = document.createRange();
  range.selectNodeContents(element);
  const inner = range.getBoundingClientRect();
  return inner.width && inner.height ? inner : box;
}

/**
 * @param {any} one
 * @param {any} other
 * @param {Edge} from
 * @param {Edge} to
 */
const overlap = (one, other, from, to) => Math.min(one[to], other[to]) - Math.max(one[from], other[from]);
/** @type {Record<string, any[]>} */
const SIDES = {
  above: ['top', 'bottom', 'height', -1], below: ['top', 'bottom', 'height', 1],
  'left of': ['left', 'right', 'width', -1], 'right of': ['left', 'right', 'width', 1],
};

/**
 * @param {any} box
 * @param {any} anchor
 * @param {Relation} relation
 */
function isBeside(box, anchor, relation) {
  const [from, to, size, sign] = SIDES[relation];
  const isBeyond = sign * (box[from] + box[to] - anchor[from] - anchor[to]) > 0;
  return isBeyond && overlap(box, anchor, from, to) <= Math.min(box[size], anchor[size]) / 2;
}

/**
 * @param {Root[]} scopes
 * @param {{ name: string, form?: Form }} query
 */
function anchorsOf(scopes, { name, form }) {
  for (const scope of scopes) {
    const query = { name };
    const found = (form ? findForm(scope, form) : [findTexts, findControls, findFields].map((find) => find(scope, query)).find((each) => each.some(isVisible)) || [])
      .filter((/** @type {Element} */ each) => isVisible(each));
    if (found.length) return unique(found);
  }
  return [];
}

/**
 * What is aside counts twice; of what is near, what stands in another line does.
 * @param {any} box
 * @param {any} anchor
 * @param {Relation} relation
 */
function distanceTo(box, anchor, relation) {
  const across = Math.max(0, -overlap(box, anchor, 'left', 'right')), down = Math.max(0, -overlap(box, anchor, 'top', 'bottom'));
  return ['above', 'below'].includes(relation) ? down + 2 * across : across + 2 * down;
}

/**
 * @param {any} box
 * @param {any} anchor
 */
const isAligned = (box, anchor) => overlap(box, anchor, 'left', 'right') > 0 || overlap(box, anchor, 'top', 'bottom') > 0;

/**
 * What stands in the same line or column is not rivalled by what stands in none.
 * @param {[Element, DOMRect][]} boxes
 * @param {any} anchor
 * @param {Relation} relation
 */
function clearlyNearest(boxes, anchor, relation) {
  const ways = boxes.map(([element, box]) => ({ element, box, far: distanceTo(box, anchor, relation) })).sort((one, other) => one.far - other.far);
  const isRival = (/** @type {any} */ { box, far }) => far <= ways[0].far * NEAR_FACTOR + NEAR_PX
    && (relation === 'near' ? isAligned(box, anchor) || !isAligned(ways[0].box, anchor) : !isBeside(box, ways[0].box, relation));
  return ways.filter((way) => way === ways[0] || isRival(way)).map(({ element }) => element);
}

/**
 * The elements on the side of an anchor: the nearest one where one is meant, else all.
 * @param {Element[]} found
 * @param {any} anchor
 * @param {Relation} relation
 * @param {boolean} isOne
 */
function placedBeside(found, anchor, relation, isOne) {
  const others = found.filter((element) => element !== anchor && !(element.matches(CONTROLS) && element.contains(anchor)));
  const bounds = boundsOf(anchor);
  /** @type {[Element, DOMRect][]} */
  const all = others.map((element) => [element, boundsOf(element)]);
  const boxes = all.filter(([, box]) => relation === 'near' || isBeside(box, bounds, relation));
  const inLine = boxes.filter(([, box]) => ['left of', 'right of'].includes(relation) && overlap(box, bounds, 'top', 'bottom') > 0);
  const left = inLine.length ? inLine : boxes;
  return isOne ? clearlyNearest(left, bounds, relation) : left.map(([element]) => element);
}

/**
 * @param {Element[]} found
 * @param {Placement} placement
 * @param {Form} form
 * @param {Root[]} scopes
 */
function placed(found, placement, form, scopes) {
  const isOne = form.quantity === 'one' && !form.nth && !form.ranking && !form.spot;
  const kept = new Set(anchorsOf(scopes, placement).flatMap((anchor) => placedBeside(found, anchor, placement.relation, isOne)));
  return found.filter((element) => kept.has(element));
}

