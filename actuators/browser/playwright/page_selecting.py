"""JavaScript that finds what a whole plain selector names: kind and name, and all that stands behind; part of the page engine.

A form is the selector as data: ``query`` is what the finder of its kind takes, and ``regions``, ``exceptions``, ``placements``,
``ranking``, ``nth`` and ``quantity`` are what stands behind. All of it is decided in one go, anew at every attempt. Where
it can't be decided which element is meant, all that may be are returned, so that they are an error.
"""

SELECT_SCRIPT = r"""
const NEAR_FACTOR = 1.25, NEAR_PX = 4; // how much farther the second may be and still not be clearly farther
const PRICE_WORDS = /\b(?:price|cost|fare|amount|total|rate|fee)s?\b/;

const unique = (elements) => [...new Set(elements)];
function regionsIn(scope, region) { return region.form ? findForm(scope, region.form) : findRegions(scope, region); }
const scopesOf = (root, { regions }) => [...regions].reverse().reduce((scopes, region) => unique(scopes.flatMap((scope) => regionsIn(scope, region))), [root]);
function findForm(root, form) {
  const scopes = scopesOf(root, form);
  const isOpen = form.query.op === 'record' && !form.query.name && form.ranking;
  let found = unique(scopes.flatMap((scope) => (isOpen ? comparableRecords(scope, form.ranking.label) : queries[form.query.op](scope, form.query))));
  if (form.exceptions.length) found = leaveOut(found, form.exceptions);
  for (const placement of form.placements) found = placed(found, placement, form, [...scopes, root]);
  if (form.ranking) return ranked(found, form);
  if (form.nth) return form.nth < 0 ? found.slice(-1) : found.slice(form.nth - 1, form.nth);
  return typeof form.quantity === 'number' ? found.slice(0, form.quantity) : found;
}

function findTestIds(root, { name }) {
  return findAll(scopeOf(root), '[data-testid]').filter((each) => each.getAttribute('data-testid') === name);
}

// Several elements that are acted on one by one. What is acted on may be made anew, or be gone afterwards.
let held = { token: '', elements: [] };
function holdForm(root, { token, form }) {
  held = { token, elements: findForm(root, form) };
  return held.elements;
}
function heldAt(root, { token, form, at }) {
  if (held.token !== token) return [];
  const element = held.elements[at];
  if (element.isConnected) return [element];
  const now = findForm(root, form);
  if (now.length === held.elements.length) return [now[at]];
  return now.length === held.elements.length - at ? [now[0]] : [];
}

// Without those of these names: their own, else a text in the record around them. A name that none has leaves nothing.
function leaveOut(found, exceptions) {
  const named = found.map((element) => [element, [...namesOf(element), shownText(element)].map(key)]);
  const around = found.map((element) => [element, recordAround(element)]).filter(([, record]) => record)
    .map(([element, record]) => [element, [record, ...record.querySelectorAll('*')].map((each) => key(wordsOn(each) || ''))]);
  const out = exceptions.map((exception) => {
    const wanted = key(exception);
    const hits = [[named, (text) => text === wanted], [around, (text) => text === wanted], [named, (text) => hasWords(text, wanted)],
      [around, (text) => hasWords(text, wanted)]].map(([pairs, test]) => pairs.filter(([, texts]) => texts.some(test)).map(([element]) => element));
    return hits.find((each) => each.length) || [];
  });
  const gone = new Set(out.flat());
  return out.every((each) => each.length) ? found.filter((element) => !gone.has(element)) : [];
}

// Where the text of an element is, or the element itself, if it is a control or has none.
function boundsOf(element) {
  const box = element.getBoundingClientRect();
  if (element.matches(CONTROLS) || !fold(element.textContent || '')) return box;
  const range = document.createRange();
  range.selectNodeContents(element);
  const inner = range.getBoundingClientRect();
  return inner.width && inner.height ? inner : box;
}
const overlap = (one, other, from, to) => Math.min(one[to], other[to]) - Math.max(one[from], other[from]);
const SIDES = {
  above: ['top', 'bottom', 'height', -1], below: ['top', 'bottom', 'height', 1],
  'left of': ['left', 'right', 'width', -1], 'right of': ['left', 'right', 'width', 1],
};
function isBeside(box, anchor, relation) {
  const [from, to, size, sign] = SIDES[relation];
  const isBeyond = sign * (box[from] + box[to] - anchor[from] - anchor[to]) > 0;
  return isBeyond && overlap(box, anchor, from, to) <= Math.min(box[size], anchor[size]) / 2;
}
function anchorsOf(scopes, { name, form }) {
  for (const scope of scopes) {
    const query = { name };
    const found = (form ? findForm(scope, form) : [findTexts, findControls, findFields].map((find) => find(scope, query)).find((each) => each.some(isVisible)) || [])
      .filter((each) => isVisible(each));
    if (found.length) return unique(found);
  }
  return [];
}
// What is aside counts twice; of what is near, what stands in another line does.
function distanceTo(box, anchor, relation) {
  const across = Math.max(0, -overlap(box, anchor, 'left', 'right')), down = Math.max(0, -overlap(box, anchor, 'top', 'bottom'));
  return ['above', 'below'].includes(relation) ? down + 2 * across : across + 2 * down;
}
const isAligned = (box, anchor) => overlap(box, anchor, 'left', 'right') > 0 || overlap(box, anchor, 'top', 'bottom') > 0;
// What stands in the same line or column is not rivalled by what stands in none.
function clearlyNearest(boxes, anchor, relation) {
  const ways = boxes.map(([element, box]) => ({ element, box, far: distanceTo(box, anchor, relation) })).sort((one, other) => one.far - other.far);
  const isRival = ({ box, far }) => far <= ways[0].far * NEAR_FACTOR + NEAR_PX
    && (relation === 'near' ? isAligned(box, anchor) || !isAligned(ways[0].box, anchor) : !isBeside(box, ways[0].box, relation));
  return ways.filter((way) => way === ways[0] || isRival(way)).map(({ element }) => element);
}
// The elements on the side of an anchor: the nearest one where one is meant, else all.
function placedBeside(found, anchor, relation, isOne) {
  const others = found.filter((element) => element !== anchor && !(element.matches(CONTROLS) && element.contains(anchor)));
  const bounds = boundsOf(anchor);
  const boxes = others.map((element) => [element, boundsOf(element)]).filter(([, box]) => relation === 'near' || isBeside(box, bounds, relation));
  const inLine = boxes.filter(([, box]) => ['left of', 'right of'].includes(relation) && overlap(box, bounds, 'top', 'bottom') > 0);
  const left = inLine.length ? inLine : boxes;
  return isOne ? clearlyNearest(left, bounds, relation) : left.map(([element]) => element);
}
function placed(found, placement, form, scopes) {
  const isOne = form.quantity === 'one' && !form.nth && !form.ranking;
  const kept = new Set(anchorsOf(scopes, placement).flatMap((anchor) => placedBeside(found, anchor, placement.relation, isOne)));
  return found.filter((element) => kept.has(element));
}

// The text of the value that an element has under a label; undefined without one, UNCLEAR with two different ones.
let valueTexts = new Map();
function valueText(element, label) {
  if (!valueTexts.size) Promise.resolve().then(() => { valueTexts = new Map(); });
  if (!valueTexts.has(label)) valueTexts.set(label, new Map());
  const known = valueTexts.get(label);
  if (!known.has(element)) known.set(element, readValueText(element, label));
  return known.get(element);
}
function readValueText(element, label) {
  const kept = new Map(parts);
  const inside = findValues(element, { name: label });
  const found = inside.length ? inside : writtenValues([element], (text) => fieldKey(text) === fieldKey(label)).map(([, value]) => value).filter(Boolean);
  const texts = unique(found.map((each) => (each.querySelector('time[datetime]') || (each.matches('time[datetime]') ? each : null))?.getAttribute('datetime')
    || fold(String(parts.has(each) ? parts.get(each) : shownText(each)))));
  for (const each of parts.keys()) if (!kept.has(each)) parts.delete(each);
  for (const [each, text] of kept) parts.set(each, text);
  return texts.length > 1 ? UNCLEAR : texts[0];
}
// The only money that is written in an element, where the value that is asked for is one.
function moneyText(element, label) {
  const leaves = [element, ...element.querySelectorAll('*')].filter((each) => isVisible(each) && MONEY.test(ownText(each)) && !each.closest('s, del, strike'));
  const texts = unique(leaves.map((each) => fold(shownText(each))).filter((text) => /\d/.test(text) && text.length < 30));
  if (!PRICE_WORDS.test(key(label)) || texts.length !== 1) return texts.length > 1 ? UNCLEAR : undefined;
  return texts[0];
}
function withTexts(found, label) {
  for (const read of PRICE_WORDS.test(key(label)) ? [valueText, moneyText] : [valueText]) {
    const pairs = found.map((element) => [element, read(element, label)]).filter(([, text]) => text !== undefined && text !== '');
    if (pairs.length) return pairs;
  }
  return [];
}
// Sums below the rows that are compared.
const SUMS = /^(?:(?:sub|grand)[ -]?)?(?:total|sum)s?:?$/;
const isSum = (element) => Boolean(element.closest('tfoot')) || (element.matches('tr, [role=row]') && SUMS.test(key(cellText(cellsOf(element)[0] || element))));
// Of records without a name those of which several beside each other have such a value, each one of its own.
function comparableRecords(scope, label) {
  const texts = new Map(withTexts(listRecords(scopeOf(scope)).filter((each) => !isSum(each)), label));
  const groups = groupsOf([...texts.keys()]).filter((group) => group.filter((each) => texts.get(each) !== UNCLEAR).length > 1);
  const left = groups.length ? groups.flat() : [...texts.keys()].filter((each) => texts.get(each) !== UNCLEAR);
  return innermost(left);
}
function measure(pairs, order, language) {
  const texts = pairs.map(([, text]) => text);
  if (texts.includes(UNCLEAR)) return null;
  const dates = readDates(texts, language);
  const amounts = texts.map((text) => readAmount(text, language));
  const isDated = ['newest', 'oldest'].includes(order) || amounts.every((each) => each === UNCLEAR || each === null);
  const sizes = (isDated ? dates : amounts).map((each, at) => [pairs[at][0], each]).filter(([, each]) => each !== null);
  const units = new Set(sizes.map(([, each]) => each.unit).filter((unit) => unit !== 'free'));
  return sizes.some(([, each]) => each === UNCLEAR) || units.size > 1 ? null : sizes.map(([element, { size }]) => [element, size]);
}
// In the order of their values; where it isn't clear, all of them.
function ranked(found, form) {
  const { order, label } = form.ranking;
  const pairs = withTexts(found.filter((each) => !isSum(each)), label);
  const sizes = measure(pairs, order, (found[0] && found[0].closest('[lang]')?.lang) || '');
  if (!sizes) return pairs.map(([element]) => element);
  const sign = ['lowest', 'oldest'].includes(order) ? 1 : -1;
  const sorted = [...sizes].sort((one, other) => sign * (one[1] - other[1]));
  const from = form.nth ? (form.nth < 0 ? sorted.length - 1 : form.nth - 1) : 0;
  const count = typeof form.quantity === 'number' ? form.quantity : 1;
  if (!sorted[from]) return [];
  const last = sorted[Math.min(from + count, sorted.length) - 1][1]; // equals of the last one are as good as it
  return sorted.filter(([, size], at) => (at >= from && at < from + count) || size === last).map(([element]) => element);
}
"""
