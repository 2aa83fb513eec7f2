import { fieldOf } from '../acting/fields.ts';
import { readTick } from '../acting/choices.ts';
import { byName, captionsOf } from '../names/matching.ts';
import { labelsOf, namesOf } from '../names/naming.ts';
import { BOXES, EDITABLE, RADIOS, roleOf } from '../names/roles.ts';
import { firstStage, isExposed, isSeen, isVisible } from '../names/sight.ts';
import { fieldKey, fold, key } from '../names/texts.ts';
import { above, findAll, holds, scopeOf, tagOf, withId } from '../names/tree.ts';

const LEVELS_UP = 6; // from a part to what is around all of them
const MOST_SECTIONS = 14; // two dates with times
const GROUPS = 'fieldset, [role=group], [role=radiogroup], [role=presentation], [role=none]';

const isHiddenField = (part: Element) => part.matches('input[type=hidden], [aria-hidden=true], [tabindex="-1"]:not([role])') && !isSeen(part);

function fieldsOf(holder: Element) {
  const found = findAll(scopeOf(holder), EDITABLE).filter((each) => isVisible(each) && !isHiddenField(each) && !each.matches('[role=listbox]') && !each.closest('[aria-hidden=true]'));
  const parts = found.filter((each) => !found.some((other) => other !== each && roleOf(other) === 'spinbutton' && holds(each, other)));
  return parts.filter((each) => !parts.some((other) => other !== each && holds(other, each)));
}

function unitsOf(parts: Element[]): string[] | null {
  if (parts.length < 2 || parts.length > MOST_SECTIONS) return null;
  const units = parts.map(unitOf);
  if (units.length === 2 && units[0] === 'date' && !units[1] && roleOf(parts[1]) === 'combobox') return ['date', 'time'];
  return units.every(Boolean) && (new Set(units).size > 1 || units.every((unit) => ['date', 'both', 'time'].includes(unit))) ? units : null;
}

/** What holds the parts of one date or time, each in a field of its own: around a field that the page keeps from sight, or the element itself. */
export function sectionHolder(element: Element): Element | null {
  const own = fieldOf(element);
  if (own.matches(EDITABLE) && !isHiddenField(own)) return null;
  if (!own.matches(EDITABLE)) return unitsOf(partsIn(own)) ? own : null;
  const holder = above(own, LEVELS_UP).find((up) => partsIn(up).length);
  return holder && unitsOf(partsIn(holder)) ? holder : null;
}

/** What was found around a date before: what one of its parts opens may hide the others from readers of the screen. */
const known = new WeakMap();

function partsIn(holder: Element) {
  const found = fieldsOf(holder);
  const earlier = known.get(holder);
  if (earlier && earlier.length > found.length && earlier.every(isVisible)) return earlier;
  if (unitsOf(found)) known.set(holder, found);
  return found;
}

export const sectionsOf = (element: Element) => [sectionHolder(element)].flatMap((holder) => (holder ? partsIn(holder) : []));

function partKind(part: Element) {
  if (tagOf(part) === 'SELECT') return 'select';
  if (part.matches('input')) return roleOf(part) === 'combobox' || ['date', 'time', 'datetime-local'].includes(part.type) || part.readOnly ? 'whole' : 'input';
  return roleOf(part) === 'spinbutton' ? 'keys' : 'whole';
}

const textOf = (part: Element) => (part.matches('select') ? fold(part.selectedOptions[0]?.label || '') : part.matches('input') ? part.value : fold(part.innerText || ''));

function readPart(part: Element) {
  const now = part.getAttribute('aria-valuenow');
  const number = (name: string) => Number(part.getAttribute(`aria-value${name}`) || part.getAttribute(name) || NaN);
  return { kind: partKind(part), text: textOf(part), told: part.getAttribute('aria-valuetext'), now: now === null || now === '' ? null : Number(now),
    lowest: number('min') || null, highest: number('max') || null,
    read_only: part.readOnly === true || part.getAttribute('aria-readonly') === 'true', options: tagOf(part) === 'SELECT' ? Array.from(part.options, (option: any) => fold(option.label)) : [] };
}

export function readSections(element: Element) {
  const parts = sectionsOf(element);
  const units = unitsOf(parts);
  return units && parts.map((part: Element, at: number) => ({ unit: units[at], ...readPart(part) }));
}

export function joinSections(found: Element[], name: string) {
  const group = found.length === 1 && found[0].closest('[role=group], fieldset');
  if (group && known.has(group) && namesOf(group).some((each: string) => fieldKey(each) === fieldKey(name))) return [group];
  if (found.length < 2 || found.length > MOST_SECTIONS) return found;
  const holder = above(found[0], LEVELS_UP).find((up) => found.every((each) => holds(up, each)));
  return holder && partsIn(holder).length === found.length && unitsOf(partsIn(holder)) ? [holder] : found;
}

const opensField = (button: Element) => button.matches('button, [role=button]')
  && (button.labels?.length > 0 || button.matches('[aria-haspopup=dialog], [aria-haspopup=grid], [aria-haspopup=listbox]'));

function labelledOtherwise(root: Root, name: string) {
  const labels = findAll(scopeOf(root), 'label[for]').filter((each) => !each.control && isVisible(each) && fieldKey(each.textContent) === fieldKey(name));
  const labelled = labels.map((each) => withId(each, each.getAttribute('for') || '')).filter((each) => each && isVisible(each));
  return labelled.map((each) => { const inner = each.matches(EDITABLE) ? [] : fieldsOf(each); return inner.length === 1 ? inner[0] : each; });
}

const isShownBox = (box: Element) => box.matches(BOXES) && !box.matches(`${RADIOS}, [aria-pressed]`) && (isVisible(box) || Boolean(readTick(box)?.by_label));

function captionedRadios(root: Root, name: string) {
  const holders = new Set(findAll(scopeOf(root), 'input[type=radio]').flatMap((each) => holderOfRadios(each) || []));
  return byName([...holders], name, fieldKey, captionsOf)[0]();
}

/** What holds the radio buttons that go with one: those of its name, else those beside it, each of which may have a name of its own. */
function holderOfRadios(radio: Element) {
  const named = findAll(radio.form || document, 'input[type=radio]').filter((each) => radio.name && each.name === radio.name && each.form === radio.form);
  const isAll = (up: Element) => (named.length > 1 ? named.every((each) => holds(up, each)) : findAll(up, 'input[type=radio]').length > 1);
  const holder = above(radio).find(isAll);
  return holder && holder !== radio.form && findAll(holder, EDITABLE).length === 0 ? holder : null;
}

/** What takes a value without being a field to type into: radio buttons in a group, dates in parts, boxes, buttons that a label names. */
export function findGrouped(root: Root, name: string): Element[] {
  const all = findAll(scopeOf(root), `${GROUPS}, ${BOXES}, button, [role=button]`);
  const isRange = (fields: Element[]) => fields.length === 2 && fields.every((each) => roleOf(each) === 'slider'); // the handles of one slider
  const isOne = (each: Element) => each.matches('[role=radiogroup]') || (each.matches('fieldset, [role=group]') && (unitsOf(fieldsOf(each))
    || (each.querySelector(RADIOS) && !fieldsOf(each).length) || isRange(fieldsOf(each))));
  const exact = (some: Element[]) => () => byName(some.filter((each) => namesOf(each).length), name, fieldKey)[0]();
  return firstStage([exact(all.filter((each) => isExposed(each) && isOne(each))), exact(all.filter(opensField)), exact(all.filter(isShownBox)),
    () => labelledOtherwise(root, name), () => captionedRadios(root, name)]);
}

export function pairOf(widget: Element) {
  for (const up of above(widget, 4)) {
    const fields = fieldsOf(up).filter((each) => each.matches('input'));
    if (fields.length > 1) return fields.length === 2 && fields.includes(widget) ? fields.map((each) => each.value).join(' to ') : '';
  }
  return '';
}

const UNITS = ['year', 'month', 'day', 'hour', 'minute', 'second', 'dayPeriod'];
const WORDS_OF: Record<string, string> = { years: 'year', months: 'month', days: 'day', hours: 'hour', minutes: 'minute', seconds: 'second', meridiem: 'dayPeriod', 'am/pm': 'dayPeriod',
  ampm: 'dayPeriod', hh: 'hour', yyyy: 'year', jjjj: 'year', aaaa: 'year', dd: 'day', tt: 'day', jj: 'day' };
const LONGEST_HOUR = 23, LONGEST_MINUTE = 59, MOST_MONTHS = 12, LEAST_YEAR = 1000;
let unitNames: Map<string, string> | null = null;

/** As it is now: while a page is being loaded, its document has no element yet. */
export const languages = () => [...new Set([document.documentElement?.lang, navigator.language, 'en'].filter(Boolean))];

function namesOfUnits() {
  if (unitNames) return unitNames;
  unitNames = new Map(Object.entries(WORDS_OF));
  for (const language of languages()) {
    let names;
    try { names = new Intl.DisplayNames(language, { type: 'dateTimeField' }); } catch { continue; }
    for (const unit of UNITS) unitNames.set(key(names.of(unit) || unit), unit);
  }
  return unitNames;
}

function unitSaid(text: string) {
  const names = namesOfUnits();
  const whole = names.get(key(text.split(/[,:]/)[0]));
  if (whole) return whole;
  const found = new Set(key(text).split(/[^\p{L}/]+/u).map((word) => names.get(word)).filter(Boolean));
  return found.size === 1 ? [...found][0] : '';
}

function unitByLimits(part: Element) {
  const [lowest, highest] = ['min', 'max'].map((side) => Number(part.getAttribute(`aria-value${side}`) || part.getAttribute(side) || NaN));
  if (highest >= LEAST_YEAR) return 'year';
  if (highest === LONGEST_HOUR || (highest === MOST_MONTHS - 1 && lowest === 0)) return 'hour';
  if (highest === LONGEST_MINUTE) return 'minute';
  if (highest >= 28 && highest <= 31 && lowest === 1) return 'day';
  return highest === MOST_MONTHS && lowest === 1 ? 'month' : '';
}

function unitByOptions(select: Element) {
  const labels = Array.from(select.options, (option: any) => fold(option.label)).filter((label) => /\d/.test(label) || label.length > 2);
  const numbers = labels.filter((label) => /^\d+$/.test(label)).map(Number);
  return numbers.length > 2 && numbers.every((each) => each > 1800 && each < 2200) ? 'year' : '';
}

/** Which part of a date or time something takes: `year`, `hour` and so on, a whole `date`, `time` or `both`; empty for something else. */
export function unitOf(part: Element): string {
  const native: Record<string, string> = { date: 'date', time: 'time', 'datetime-local': 'both' };
  if (tagOf(part) === 'INPUT' && native[part.type]) return native[part.type];
  const said = [...labelsOf(part), ...namesOf(part), part.getAttribute('name') || '', part.getAttribute('title') || ''].map(unitSaid).find(Boolean);
  if (said) return said;
  if (tagOf(part) === 'SELECT') return unitByOptions(part);
  if (roleOf(part) === 'spinbutton' || part.matches('input[type=range]')) return unitByLimits(part);
  return part.matches('[aria-haspopup=dialog], [aria-haspopup=grid]') && part.matches('input') ? 'date' : '';
}
