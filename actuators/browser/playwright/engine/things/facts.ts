import { ownedList } from '../acting/fields.ts';
import { isSecret } from '../names/secrecy.ts';
import { captionsOf } from '../names/matching.ts';
import { nameOf } from '../names/naming.ts';
import { disabledBecause } from '../names/sight.ts';
import { fold } from '../names/texts.ts';
import { activeElement, findAll, tagOf } from '../names/tree.ts';
import { firstText, isHuge, tell } from './wording.ts';

const LONGEST_NAME = 200, LONGEST_VALUE = 120, LONGEST_OPTION = 40;
const MOST_SHOWN = 8, MOST_CHARS = 80; // of options

export const tellName = (element: Element) => tell(!element.getAttribute('aria-label') && isHuge(element) ? firstText(element) : nameOf(element), LONGEST_NAME);

export const tellFieldName = (field: any) => (tell(nameOf(field), LONGEST_NAME) || tell(captionsOf(field)[0] || '', LONGEST_NAME)).replace(/\s*[:*]+$/, '');

const isTrue = (element: Element, name: string) => element.getAttribute(`aria-${name}`) === 'true';

function tickOf(element: Element) {
  const isBox = element.matches('input[type=checkbox], input[type=radio]');
  if (isBox ? element.indeterminate : element.getAttribute('aria-checked') === 'mixed') return 'partly ticked';
  return (isBox ? element.checked : isTrue(element, 'checked')) ? 'ticked' : '';
}

export function statesOf(element: any) {
  const expanded = element.matches('summary') ? element.parentElement?.open : isTrue(element, 'expanded');
  return [
    tickOf(element), (isTrue(element, 'selected') && 'selected') || '', (isTrue(element, 'pressed') && 'pressed') || '',
    expanded ? 'expanded' : '', element.matches('[aria-current]:not([aria-current=false])') ? 'current' : '',
    disabledBecause(element) ? 'disabled' : '', element.required === true || isTrue(element, 'required') ? 'required' : '',
    element.matches('[aria-invalid]:not([aria-invalid=false], [aria-invalid=""]), :user-invalid') ? 'invalid' : '',
    element.readOnly === true || isTrue(element, 'readonly') ? 'read-only' : '', isTrue(element, 'busy') ? 'busy' : '',
    element === activeElement() && element !== document.body ? 'focused' : '', isSecret(element) ? 'secret' : '',
  ].filter(Boolean);
}

export const valueOf = (field: any): string | null => (isSecret(field) ? null : tell(rawValue(field), LONGEST_VALUE) || null);

function rawValue(field: any): string {
  if (tagOf(field) === 'SELECT') return Array.from(field.selectedOptions, (option: any) => option.label).slice(0, MOST_SHOWN).join(', ');
  if (field.matches('input[type=file]')) return Array.from(field.files, ({ name }) => name).slice(0, MOST_SHOWN).join(', ');
  if (field.matches('input, textarea')) return field.value || '';
  const told = field.getAttribute('aria-valuetext') ?? field.getAttribute('aria-valuenow');
  if (told !== null) return told;
  const text = firstText(field);
  return fold(text) === fold(nameOf(field)) && !field.isContentEditable ? '' : text;
}

const limitOf = (field: Element, native: string) => field.getAttribute(native) || field.getAttribute(`aria-value${native}`) || '';

function rangeOf(field: Element, what: string) {
  const [from, to] = [limitOf(field, 'min'), limitOf(field, 'max')];
  if (from && to) return `${what} ${from}–${to}`;
  if (from || to) return from ? `${what} from ${from}` : `${what} up to ${to}`;
  return what;
}

function choiceOf(labels: string[], all: number) {
  const shown = [];
  let length = 0;
  for (const label of labels) {
    const told = tell(label, LONGEST_OPTION);
    if (!told) continue;
    if (shown.length >= MOST_SHOWN || length + told.length > MOST_CHARS) break;
    shown.push(told);
    length += told.length;
  }
  const left = all - shown.length;
  return shown.length ? `choose: ${shown.join(' | ')}${left > 0 ? ` … ${left} more` : ''}` : 'choose';
}

const INPUTS: Record<string, string> = { date: 'date', time: 'time', 'datetime-local': 'date and time', month: 'month', week: 'week', color: 'colour' };

export function takesOf(field: any, role: string) {
  if (tagOf(field) === 'SELECT') {
    const first = Array.from({ length: Math.min(field.options.length, MOST_SHOWN * 2) }, (_, at) => field.options[at].label);
    return choiceOf(first, field.options.length);
  }
  if (field.matches('input[type=file]')) return field.multiple ? 'files' : 'file';
  const type = field.matches('input') ? field.type : '';
  if (INPUTS[type]) return rangeOf(field, INPUTS[type]);
  if (type === 'number' || type === 'range' || role === 'spinbutton' || role === 'slider') return rangeOf(field, 'number');
  if (field.list) return choiceOf(Array.from(field.list.options).slice(0, MOST_SHOWN * 2).map((each: any) => each.label || each.value), field.list.options.length);
  if (role !== 'combobox') return '';
  const list = ownedList(field);
  const options = list ? findAll(list, '[role=option]') : [];
  return options.length ? choiceOf(options.slice(0, MOST_SHOWN * 2).map((each) => firstText(each, 200)), options.length) : 'choose';
}
