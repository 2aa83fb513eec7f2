import { fold, fromPrint } from '../names/texts.ts';

export const UNCLEAR = Symbol('unclear');
export const MONEY = /(?:us\$|[\p{Sc}]|\b(?:usd|eur|gbp|chf|jpy|inr|cad|aud|sek|nok|dkk|pln|czk|brl|cny)\b)/iu;
const FREE = /^(?:free|gratis|kostenlos|no charge)$/i;
const SCALES: Record<string, number> = { k: 1e3, m: 1e6, bn: 1e9, b: 1e9 };
const UNITS: Record<string, { base: string, scale: number }> = {};
for (const [base, scales] of Object.entries({
  byte: { b: 1, bytes: 1, byte: 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12, kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3, tib: 1024 ** 4 },
  gram: { mg: 0.001, g: 1, kg: 1000, t: 1e6 }, metre: { mm: 0.001, cm: 0.01, km: 1000 }, litre: { ml: 0.001, cl: 0.01, l: 1 },
})) for (const [word, scale] of Object.entries(scales)) UNITS[word] = { base, scale };
const DURATIONS: [RegExp, number][] = [[/^(?:weeks?|wks?)$/, 604800], [/^(?:days?|d)$/, 86400], [/^(?:hours?|hrs?|h)$/, 3600], [/^(?:minutes?|mins?|min|m)$/, 60],
  [/^(?:seconds?|secs?|sec|s)$/, 1], [/^(?:months?|mos?)$/, 2629800], [/^(?:years?|yrs?|y)$/, 31557600]];

const secondsIn = (word: string) => DURATIONS.find(([test]) => test.test(word))?.[1];
const COMMA_LANGUAGES = /^(?:af|be|bg|bs|ca|cs|da|de|el|es|et|eu|fi|fr|gl|hr|hu|hy|id|is|it|ka|kk|lt|lv|mk|nb|nl|nn|no|pl|pt|ro|ru|sk|sl|sq|sr|sv|tr|uk|vi)(?:-|$)/i;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH = `(${MONTHS.join('|')})[a-z]*\\.?`;

function figureIn(digits: string, language: string, isMoney: boolean) {
  const bareDigits = digits.replace(/[\s'’_]/g, '');
  const marks = bareDigits.replace(/\d/g, '');
  const hasComma = COMMA_LANGUAGES.test(language);
  if (!marks) return Number(bareDigits);
  if (new Set(marks).size > 1) {
    const last = marks[marks.length - 1];
    if (bareDigits.split(last).length > 2) return UNCLEAR;
    return Number(bareDigits.replaceAll(last === '.' ? ',' : '.', '').replace(last, '.'));
  }
  if (marks.length > 1) return /^\d{1,3}(?:[.,]\d{2,3})*[.,]\d{3}$/.test(bareDigits) ? Number(bareDigits.replace(/[.,]/g, '')) : UNCLEAR;
  const [whole, rest] = bareDigits.split(marks);
  const isGroup = rest.length === 3 && whole.length <= 3 && !whole.startsWith('0');
  if (!isGroup) return Number(`${whole}.${rest}`);
  if (!language && marks === '.' && isMoney) return UNCLEAR;
  const isDecimal = marks === (hasComma ? ',' : '.');
  return Number(isDecimal ? `${whole}.${rest}` : whole + rest);
}

function durationOf(text: string) {
  if (!/^(?:\d+(?:[.,]\d+)?\s*[a-z]+[\s,]*(?:and\s+)?)+$/.test(text)) return null;
  const found = [...text.matchAll(/(\d+(?:[.,]\d+)?)\s*([a-z]+)/g)].map(([, count, word]) => Number(count.replace(',', '.')) * (secondsIn(word) ?? NaN));
  return found.some(Number.isNaN) ? null : { unit: 'time', size: found.reduce((sum, each) => sum + each, 0) };
}

function clockOf(text: string) {
  const match = text.match(/^(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([ap])?\.?(?:m\.?)?$/);
  if (!match) return null;
  const hours = match[4] ? (Number(match[1]) % 12) + (match[4] === 'p' ? 12 : 0) : Number(match[1]);
  return { unit: 'clock', size: hours * 3600 + Number(match[2]) * 60 + Number(match[3] || 0) };
}

function sizeOf(_text: string, original: string, language: string) {
  const found = [...original.matchAll(/\d(?:[\d.,'’_]|\s(?=\d{3}(?!\d)))*/g)].map((match) => [match[0].replace(/[.,]+$/, ''), match.index]);
  const ratio = original.match(/^\D*(\d+(?:[.,]\d+)?)\s*(?:\/|out of|of)\s*(\d+(?:[.,]\d+)?)\D*$/i);
  if (ratio) return { unit: `of ${ratio[2]}`, size: Number(ratio[1].replace(',', '.')) };
  if (found.length !== 1) return found.length ? UNCLEAR : null;
  const [digits, at] = found[0] as [string, number];
  const money = original.match(MONEY);
  const size = figureIn(digits, language, Boolean(money));
  if (size === UNCLEAR) return UNCLEAR;
  const before = original.slice(0, at), behind = original.slice(at + digits.length);
  const sign = /[-−–]\s*\p{Sc}?\s*$/u.test(before) && !/[\p{L}\p{N}]\s*[-−–]\s*\p{Sc}?\s*$/u.test(before) ? -1 : 1;
  const [word, tail] = (behind.match(/^\s?([\p{L}%]+)/u) || ['', '']).slice(0, 2).reverse();
  const scale = /^(?:[kK]|M|bn|B)$/.test(word) && !/^\s/.test(tail) ? SCALES[word.toLowerCase()] : 0;
  if (money) return { unit: money[0].toLowerCase(), size: sign * size * (scale || 1) };
  const unit = UNITS[word.toLowerCase()];
  if (unit) return { unit: unit.base, size: sign * size * unit.scale };
  return { unit: scale ? '' : word.toLowerCase().replace(/(?<=..)s$/, ''), size: sign * size * (scale || 1) };
}

export function readAmount(raw: string, language: string) {
  const original = fold(fromPrint(raw));
  const text = original.toLowerCase();
  if (FREE.test(original)) return { unit: 'free', size: 0 };
  return durationOf(text) || clockOf(text) || sizeOf(text, original, language);
}

const dateAt = (year: number, month: number, day: number) => ({ unit: 'date', size: Date.UTC(year, month, day) / 1000 });

function timeIn(text: string) {
  const clock = text.match(/\b\d{1,2}:\d{2}(?::\d{2})?(?:\s*[ap]\.?m\b)?/);
  return (clock && clockOf(clock[0])?.size) || 0;
}

function spokenDate(text: string) {
  if (/^(?:just )?now$|^moments? ago$/.test(text)) return { unit: 'date', size: Date.now() / 1000 };
  const day = { yesterday: 1, today: 0, tomorrow: -1 }[(text.match(/^(?:yesterday|today|tomorrow)/) || [''])[0]];
  if (day !== undefined) {
    const now = new Date(Date.now() - day * 86400000);
    return { unit: 'date', size: dateAt(now.getFullYear(), now.getMonth(), now.getDate()).size + timeIn(text) };
  }
  const ago = text.match(/^(?:about |over )?(an?|\d+)\s*([a-z]+) ago$/);
  const seconds = ago && secondsIn(ago[2]);
  return seconds ? { unit: 'date', size: Date.now() / 1000 - (Number(ago[1]) || 1) * seconds } : null;
}

function writtenDate(text: string) {
  const iso = text.match(/\b(\d{4})-(\d{1,2})-(\d{1,2})/);
  if (iso) return dateAt(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]));
  const monthOf = (word: string) => MONTHS.indexOf(word);
  const first = text.match(new RegExp(`\\b${MONTH}\\s+(\\d{1,2})(?:st|nd|rd|th)?(?:,?\\s+(\\d{4}))?\\b`));
  const later = text.match(new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\.?\\s+${MONTH}(?:,?\\s+(\\d{4}))?`));
  const alone = text.match(new RegExp(`\\b${MONTH}\\s+(\\d{4})\\b`));
  const [day, month, year] = later ? [later[1], later[2], later[3]] : first ? [first[2], first[1], first[3]] : alone ? [1, alone[1], alone[2]] : [];
  if (month === undefined) return null;
  return year ? dateAt(Number(year), monthOf(month), Number(day)) : { unit: 'day of a year', size: monthOf(month) * 100 + Number(day) };
}

/** Day and month in figures: all texts together tell which comes first, else the language. */
function figuresIn(text: string) {
  const match = text.match(/\b(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})\b/);
  return match && { one: Number(match[1]), two: Number(match[3]), year: Number(match[4].length === 2 ? `20${match[4]}` : match[4]), mark: match[2] };
}

function orderOf(figures: any[], language: string) {
  if (figures.some(({ one }) => one > 12)) return figures.some(({ two }) => two > 12) ? '' : 'day';
  if (figures.some(({ two }) => two > 12)) return 'month';
  if (figures.every(({ mark }) => mark === '.')) return 'day';
  return !language || /^en$/i.test(language) ? '' : /^en-us$/i.test(language) ? 'month' : 'day';
}

export function readDates(texts: string[], language: string) {
  const folded = texts.map((text) => fold(fromPrint(text)).toLowerCase());
  const figures = folded.map(figuresIn);
  const order = orderOf(figures.filter(Boolean), language);
  return folded.map((text, at) => {
    if (!/\d|now|day|tomorrow|ago/.test(text)) return null;
    const figure = figures[at];
    if (figure && !order && figure.one !== figure.two) return UNCLEAR;
    const [day, month] = figure ? (order === 'month' ? [figure.two, figure.one] : [figure.one, figure.two]) : [];
    const date = spokenDate(text) || (figure ? dateAt(figure.year, Number(month) - 1, Number(day)) : writtenDate(text));
    if (date && !spokenDate(text)) return { ...date, size: date.unit === 'date' ? date.size + timeIn(text) : date.size };
    if (date) return date;
    return /^\d{4}$/.test(text) ? dateAt(Number(text), 0, 1) : clockOf(text) || UNCLEAR;
  });
}
