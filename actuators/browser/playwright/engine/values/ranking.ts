import { keptInQuery } from '../names/memory.ts';
import { ownText } from '../names/naming.ts';
import { parts, shownText } from '../acting/reading.ts';
import { isVisible } from '../names/sight.ts';
import { fieldKey, fold, key } from '../names/texts.ts';
import { innermost, scopeOf, unique } from '../names/tree.ts';
import { MONEY, readAmount, readDates, UNCLEAR } from './amounts.ts';
import { groupsOf, listRecords } from './records.ts';
import { cellsOf, cellText } from './tables.ts';
import { findValues, writtenValues } from './values.ts';

const PRICE_WORDS = /\b(?:price|cost|fare|amount|total|rate|fee)s?\b/;

// The text of the value that an element has under a label; undefined without one, UNCLEAR with two different ones.
const valuesUnder = keptInQuery((label) => keptInQuery((element) => readValueText(element, label)));
const valueText = (element: Element, label: any) => valuesUnder(label)(element);

function readValueText(element: Element, label: any) {
  const kept = new Map(parts);
  const inside = findValues(element, { name: label });
  const found = inside.length ? inside : writtenValues([element], (text) => fieldKey(text) === fieldKey(label)).map(([, value]) => value).filter(Boolean);
  const texts = unique(found.map((each) => (each.querySelector('time[datetime]') || (each.matches('time[datetime]') ? each : null))?.getAttribute('datetime')
    || fold(String(parts.has(each) ? parts.get(each) : shownText(each)))));
  for (const each of parts.keys()) if (!kept.has(each)) parts.delete(each);
  for (const [each, text] of kept) parts.set(each, text);
  return texts.length > 1 ? UNCLEAR : texts[0];
}

/** The only money that is written in an element, where the value that is asked for is one. */
function moneyText(element: Element, label: any) {
  const leaves = [element, ...element.querySelectorAll('*')].filter((each) => isVisible(each) && MONEY.test(ownText(each)) && !each.closest('s, del, strike'));
  const texts = unique(leaves.map((each) => fold(shownText(each))).filter((text) => /\d/.test(text) && text.length < 30));
  if (!PRICE_WORDS.test(key(label)) || texts.length !== 1) return texts.length > 1 ? UNCLEAR : undefined;
  return texts[0];
}

function withTexts(found: Element[], label: any): [Element, any][] {
  for (const read of PRICE_WORDS.test(key(label)) ? [valueText, moneyText] : [valueText]) {
    const pairs = found.map((element) => [element, read(element, label)] as [Element, any]).filter(([, text]) => text !== undefined && text !== '');
    if (pairs.length) return pairs;
  }
  return [];
}

const SUMS = /^(?:(?:sub|grand)[ -]?)?(?:total|sum)s?:?$/;

const isSum = (element: Element) => Boolean(element.closest('tfoot')) || (element.matches('tr, [role=row]') && SUMS.test(key(cellText(cellsOf(element)[0] || element))));

/** Of records without a name those of which several beside each other have such a value, each one of its own. */
export function comparableRecords(scope: Root, label: any) {
  const texts = new Map(withTexts(listRecords(scopeOf(scope)).filter((each) => !isSum(each)), label));
  const groups = groupsOf([...texts.keys()]).filter((group) => group.filter((each: Element) => texts.get(each) !== UNCLEAR).length > 1);
  return innermost(groups.length ? groups.flat() : [...texts.keys()].filter((each) => texts.get(each) !== UNCLEAR));
}

function measure(pairs: [Element, any][], order: string, language: string) {
  const texts = pairs.map(([, text]) => text);
  if (texts.includes(UNCLEAR)) return null;
  const dates = readDates(texts, language);
  const amounts = texts.map((text) => readAmount(text, language));
  const isDated = ['newest', 'oldest'].includes(order) || amounts.every((each) => each === UNCLEAR || each === null);
  const sizes: [Element, any][] = (isDated ? dates : amounts).map((each, at) => [pairs[at][0], each] as [Element, any]).filter(([, each]) => each !== null);
  const units = new Set(sizes.map(([, each]) => each.unit).filter((unit) => unit !== 'free'));
  return sizes.some(([, each]) => each === UNCLEAR) || units.size > 1 ? null : sizes.map(([element, { size }]) => [element, size] as [Element, number]);
}

/** In the order of their values; where it isn't clear, all of them. */
export function ranked(found: Element[], form: Form) {
  const { order, label } = form.ranking as { order: string, label: string };
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
