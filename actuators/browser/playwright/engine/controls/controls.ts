import { labelOf, readTick } from '../acting/choices.ts';
import { editedText } from '../acting/entering.ts';
import { isSecret } from '../names/secrecy.ts';
import { fieldOf } from '../acting/fields.ts';
import { describe, nameOf } from '../names/naming.ts';
import { CONTROLS, EDITABLE, HANDLES, isSliderLike, PRESSED, RADIOS, roleOf } from '../names/roles.ts';
import { disabledBecause, isVisible } from '../names/sight.ts';
import { fold } from '../names/texts.ts';
import { allIn, classText, findAll, innermost, outermost, scopeOf, tagOf } from '../names/tree.ts';
import { findAccept, partsOfCalendar } from './calendars.ts';
import { clockParts } from './clocks.ts';
import { pairOf, readSections, sectionHolder, sectionsOf } from './sections.ts';
import { BOX_FIELDS, countersIn, litStars, numberIn, starsOf, stepsBeside } from './counters.ts';

const WIDGETS = `${EDITABLE}, ${BOX_FIELDS}, ${RADIOS}, [role=radiogroup], .ui-slider`;
const MOST_NUMBERS = 300; // elements with a number around a control that are watched
const LEVELS_UP = 5; // around a control, for what shows its value

function standInOf(select: Element) {
  const beside = [select.nextElementSibling, select.nextElementSibling?.nextElementSibling].flatMap((each) => (each ? [each, ...each.querySelectorAll('*')] : []));
  return beside.find((each) => each.matches('[role=combobox], [aria-haspopup=listbox], [aria-haspopup=true]') && isVisible(each)) || null;
}

function widgetOf(element: Element) {
  const labelled = fieldOf(element);
  const holder = sectionHolder(labelled);
  if (holder) return holder;
  const own = (tagOf(labelled) === 'SELECT' && !isVisible(labelled) && standInOf(labelled)) || labelled;
  if (own.matches(`${WIDGETS}, ${HANDLES}`) && !own.matches('label')) return own.closest('.ui-slider, [role=slider]') || own;
  if (isSliderLike(own)) return own;
  const inside = findAll(scopeOf(own), WIDGETS).filter((each) => isVisible(each) || labelOf(each));
  const outer = outermost(inside);
  if (outer.length > 1 && outer.every((each) => each.matches(RADIOS))) return own;
  if (outer.length === 1) return outer[0];
  const sliders = outer.length ? [] : Array.from(own.querySelectorAll('*')).filter(isSliderLike);
  if (sliders.length) return sliders[0];
  const counters = outer.length || own.matches(CONTROLS) ? [] : countersIn(own);
  if (counters.length === 1) return counters[0];
  const around = own.closest(WIDGETS) || own.closest('label')?.control;
  return (!outer.length && around) || own;
}

export const findWidget = (element: Element) => [widgetOf(element)];

function drawnIn(widget: Element, css: string) {
  const put = findAll(widget, 'slot').flatMap((slot) => slot.assignedElements({ flatten: true }))
    .flatMap((each) => [each, ...allIn(each, '*')]);
  return [...new Set([...findAll(scopeOf(widget), css), ...put.filter((each) => each.matches(css))])];
}

function radiosOf(widget: Element) {
  if (!widget.matches(RADIOS)) return drawnIn(widget, RADIOS);
  const group = widget.closest('[role=radiogroup], [role=menu]');
  if (!widget.matches('input')) return group ? findAll(group, RADIOS) : [widget];
  return findAll(widget.form || widget.getRootNode(), 'input[type=radio]').filter((each) => each.name === widget.name && each.form === widget.form);
}

function radioName(radio: Element) {
  const behind = radio.nextSibling && radio.nextSibling.nodeType === 3 ? fold(radio.nextSibling.data) : '';
  return nameOf(radio) || behind || fold(radio.nextElementSibling ? radio.nextElementSibling.textContent : '');
}

function thumbsIn(widget: Element) {
  const found = widget.matches(EDITABLE) ? [] : findAll(scopeOf(widget), WIDGETS).filter(isVisible);
  return found.every((each) => roleOf(each) === 'slider') ? found : [];
}

const isSlider = (widget: Element) => widget.matches('[role=slider], .ui-slider') || isSliderLike(widget) || thumbsIn(widget).length > 1;

function kindOf(widget: Element) {
  if (sectionHolder(widget)) return 'sections';
  if (tagOf(widget) === 'SELECT') return 'select';
  if (widget.matches(RADIOS) || (!widget.matches(WIDGETS) && radiosOf(widget).length > 1) || widget.matches('[role=radiogroup]')) return 'radios';
  if (widget.matches('input[type=file]')) return 'file';
  if (widget.matches('input') && ['range', 'number', 'color', 'date', 'time', 'datetime-local', 'month', 'week', 'checkbox'].includes(widget.type)) {
    return widget.type === 'checkbox' ? 'box' : widget.type;
  }
  if (widget.matches(BOX_FIELDS)) return 'box';
  if (isSlider(widget)) return 'slider';
  if (roleOf(widget) === 'spinbutton') return widget.matches('input') && !widget.readOnly ? 'number' : 'spin';
  if (widget.matches('input, textarea, [role=textbox], [role=searchbox]') || widget.isContentEditable) {
    return widget.readOnly && stepsBeside(widget) && numberIn(widget.value) !== null ? 'spin' : 'text';
  }
  if (roleOf(widget) === 'combobox' || roleOf(widget) === 'listbox' || widget.getAttribute('aria-haspopup') === 'listbox') return 'list';
  if (opensCalendar(widget)) return 'text';
  return numberIn(widget.textContent) !== null && stepsBeside(widget) ? 'spin' : choicesIn(widget).length > 1 ? 'choices' : 'other';
}

function opensCalendar(widget: Element) {
  const told = `${classText(widget)} ${widget.id} ${widget.getAttribute('name') || ''} ${widget.placeholder || ''} ${nameOf(widget)}`;
  return widget.matches('[aria-haspopup=dialog], [aria-haspopup=grid]') || /date|calendar|kalender/i.test(told)
    || Boolean(widget.closest('[class*=date-picker], [class*=datepicker]'));
}

const suggests = (widget: Element) => widget.matches('[role=combobox], [aria-autocomplete=list], [aria-autocomplete=both], [class*=autocomplete], [class*=typeahead]')
  || ['listbox', 'true', 'menu'].includes(widget.getAttribute('aria-haspopup') || '');

/** Things beside each other of which one is chosen by a press, without a role that says so. */
function choicesIn(widget: Element) {
  const stars = starsOf(widget);
  if (stars.length) return stars;
  const list = findAll(scopeOf(widget), '[role=option], li, [data-value]').filter((each) => isVisible(each) && !each.querySelector(`li, ${CONTROLS}`) && fold(each.textContent));
  return list.length ? list : Array.from(widget.children).filter((each) => each.matches(PRESSED) && isVisible(each));
}

const isChosen = (element: Element) => ['aria-selected', 'aria-checked', 'aria-pressed', 'aria-current'].some((name) => element.getAttribute(name) === 'true')
  || /(^|[\s_-])(selected|active|checked|current|chosen|on)([\s_-]|$)/i.test(classText(element));

function orderHere() {
  const parts = new Intl.DateTimeFormat(navigator.language).formatToParts(new Date(2001, 2, 4)).map(({ type }) => type);
  return parts.filter((type) => ['day', 'month', 'year'].includes(type)).map((type) => type[0]).join('');
}

const limitOf = (widget: Element, native: string, aria: string) => widget.getAttribute(native) ?? widget.getAttribute(aria);

function heldBy(widget: Element, kind: string) {
  if (kind === 'sections') return (readSections(widget) || []).map(({ text }: any) => text).filter(Boolean).join(' ');
  if (kind === 'box') return readTick(widget)?.checked ? 'on' : 'off';
  if (kind === 'radios') return radiosOf(widget).filter((each) => readTick(each)?.checked).map(radioName).join(', ');
  if (kind === 'slider' && thumbsIn(widget).length > 1) return thumbsIn(widget).map((each) => String(Number(each.getAttribute('aria-valuenow') ?? each.value))).join(' to ');
  if (kind === 'slider' || kind === 'spin') return String(gaugeOf(widget) ?? '');
  if (kind === 'select') return Array.from(widget.selectedOptions, (option: any) => fold(option.label)).join(', ');
  if (kind === 'choices' && starsOf(widget).length) return String(litStars(starsOf(widget)));
  if (kind === 'choices') return choicesIn(widget).filter(isChosen).map((each) => fold(each.textContent)).join(', ');
  return isSecret(widget) ? '' : widget.isContentEditable ? editedText(widget) : widget.matches('input, textarea') ? widget.value : fold(widget.innerText || '');
}

export function readControl(element: Element) {
  const widget = widgetOf(element);
  const kind = kindOf(widget);
  const list = kind === 'radios' ? radiosOf(widget).map((each) => [radioName(each), each.value || each.getAttribute('data-value') || ''])
    : kind === 'choices' && starsOf(widget).length ? starsOf(widget).map((_, place) => [String(place + 1), ''])
    : kind === 'choices' ? choicesIn(widget).map((each) => [fold(each.textContent), each.getAttribute('data-value') || '']) : [];
  const told = kind === 'slider' ? (widget.matches('[role=slider]') && widget) || widget.querySelector('[role=slider]') || widget : widget;
  return { kind, held: heldBy(widget, kind), element: describe(widget), secret: isSecret(widget), order: orderHere(), hint: `${widget.placeholder || ''} ${nameOf(widget)}`,
    lowest: limitOf(told, 'min', 'aria-valuemin'), highest: limitOf(told, 'max', 'aria-valuemax'), step: widget.getAttribute('step')
      || (widget.matches('input[type=range], input[type=number]') ? '1' : null),
    place: kind === 'radios' ? radiosOf(widget).indexOf(widget) : -1, options: list.map(([label, value]) => ({ label,
      value })), editable: widget.matches('input, textarea') ? !widget.readOnly : widget.isContentEditable,
    said: kind === 'slider' || kind === 'range' ? told.getAttribute('aria-valuetext') || '' : '',
    disabled: disabledBecause(widget), calendar: kind === 'text' && opensCalendar(widget),
    sections: kind === 'sections' ? readSections(widget) : null, pair: kind === 'text' ? pairOf(widget) : '',
    expanded: widget.getAttribute('aria-expanded') === 'true', invalid: widget.getAttribute('aria-invalid') === 'true', suggests: kind === 'text' && suggests(widget), visible: isVisible(widget) };
}

function gaugeOf(widget: Element) {
  const told = widget.matches('[aria-valuenow]') ? widget : widget.matches('input') ? null : widget.querySelector('[aria-valuenow]');
  return told ? Number(told.getAttribute('aria-valuenow')) : numberIn(widget.matches('input, textarea') ? widget.value : kindOf(widget) === 'spin' ? widget.textContent : '');
}

const numbered = new WeakMap();
let lastNumber = 0;

/** The numbers around a control, those nearest to it in the document first; each with a number of its own for the element that shows it. */
function numbersAround(widget: Element) {
  const found = new Map();
  for (let around = widget as any, level = 0; level <= LEVELS_UP && around && found.size < MOST_NUMBERS; level += 1, around = around === document.body ? null : around.parentElement) {
    for (const each of findAll(around, '*').slice(0, MOST_NUMBERS * 10)) {
      if (found.has(each) || each.childElementCount || each.matches('script, style, option, input[type=range]')) continue;
      const number = numberIn(each.matches('input') ? each.value : each.textContent);
      if (number !== null) found.set(each, number);
    }
  }
  return Array.from(found, ([each, number]) => {
    if (!numbered.has(each)) numbered.set(each, lastNumber += 1);
    return [numbered.get(each), number];
  });
}

function handlesOf(widget: Element) {
  if (widget.matches('[role=slider], input')) return [widget];
  if (thumbsIn(widget).length > 1) return thumbsIn(widget);
  const found = innermost(Array.from(widget.querySelectorAll(HANDLES)));
  return found.length ? found : [widget];
}

const boxIn = (element: Element) => { const box = element.getBoundingClientRect(); return { x_px: box.x, y_px: box.y, width_px: box.width, height_px: box.height }; };

export function readGauge(element: Element) {
  const widget = widgetOf(element);
  const handles = handlesOf(widget);
  const thumb = handles[0] || widget;
  const track = thumb === widget ? widget.parentElement || widget : widget;
  return { told: gaugeOf(widget), numbers: numbersAround(widget), handles: handles.length, thumbs: handles.map(boxIn), thumb: boxIn(thumb), track: boxIn(track),
    vertical: widget.getAttribute('aria-orientation') === 'vertical' || /vertical/.test(classText(widget)), steps: Boolean(stepsBeside(widget)) };
}

export function findPart(element: Element, { what, index, side }: { what: string, index: number, side: string }) {
  const widget = widgetOf(element);
  const sources: Record<string, () => Element[]> = {
    radio: () => radiosOf(widget), choice: () => choicesIn(widget), handle: () => handlesOf(widget), section: () => sectionsOf(widget),
    step: () => { const found = stepsBeside(widget) as any; return found ? [found[side]] : []; },
    day: () => partsOfCalendar(widget, what, side), cell: () => partsOfCalendar(widget, what, side), turn: () => partsOfCalendar(widget, what, side),
    picker: () => partsOfCalendar(widget, what, side), accept: () => findAccept(widget), clock: () => clockParts(widget, side),
  };
  const part = sources[what]()[index || 0];
  return part ? [part] : [];
}
