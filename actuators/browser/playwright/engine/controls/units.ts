import { labelsOf, namesOf } from '../names/naming.ts';
import { roleOf } from '../names/roles.ts';
import { fold, key } from '../names/texts.ts';
import { tagOf } from '../names/tree.ts';

const UNITS = ['year', 'month', 'day', 'hour', 'minute', 'second', 'dayPeriod'];
const WORDS_OF: Record<string, string> = { years: 'year', months: 'month', days: 'day', hours: 'hour', minutes: 'minute', seconds: 'second', meridiem: 'dayPeriod', 'am/pm': 'dayPeriod',
  ampm: 'dayPeriod', hh: 'hour', yyyy: 'year', jjjj: 'year', aaaa: 'year', dd: 'day', tt: 'day', jj: 'day' };
const LONGEST_HOUR = 23, LONGEST_MINUTE = 59, MOST_MONTHS = 12, LEAST_YEAR = 1000;
let unitNames: Map<string, string> | null = null;

/** As it is now: while a page is being loaded, its document has no element yet. */
export const languages = () => [...new Set([document.documentElement?.lang, navigator.language, 'en'].filter(Boolean))];

/** The parts of dates and times by what people call them, in the languages that the page may be in. */
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
