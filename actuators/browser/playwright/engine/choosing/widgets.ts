/** What a field of a page's own making consists of: what is pressed, what is typed into, what it shows, and the hidden field that it stands for. */
import { fieldOf } from '../acting/fields.ts';
import { labelsOf } from '../names/naming.ts';
import { EDITABLE, roleOf } from '../names/roles.ts';
import { hitAt, isVisible } from '../names/sight.ts';
import { fold, key } from '../names/texts.ts';
import { activeElement, allIn, aroundOf, findAll, holds, kidsOf, ledToBy, scopeOf, tagOf } from '../names/tree.ts';

const OPENING = '[role=combobox], [aria-haspopup]:not([aria-haspopup=false]), input[list], [aria-autocomplete]:not([aria-autocomplete=none])';
const LISTS = '[role=listbox], [role=tree], [role=treegrid], [role=grid], [role=menu], [role=radiogroup]';
const TYPED = 'input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=reset], [type=file], [type=range], [type=hidden], [type=color]),'
  + ' textarea, [contenteditable]:not([contenteditable=false])';
const BOUNDS = 'body, form, section, fieldset, table, tr, td, dialog, [role=dialog], [role=group][aria-label], [role=tabpanel]';
const OTHERS = 'label, legend, p, br, hr, script, style, template, input, select, textarea, fieldset, h1, h2, h3, h4, h5, h6';
const PRESSED_PARTS = 'a, button, [tabindex]';
const MOST_LEVELS = 8, LEAST_PX = 4, MOST_LEFT = 500, MOST_CUTTING = 3;

export function isDrawn(element: any) {
  const { width, height } = element.getBoundingClientRect();
  return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true });
}

export function cutsAway(element: Element) {
  const { clip, clipPath } = getComputedStyle(element);
  return /^rect\((0(px)?[\s,]*|1px[\s,]*)+\)$/.test(clip) || /^inset\((50|100)%/.test(clipPath);
}

/** Whether nothing of it can be seen though it has a size: closed lists are often clipped away, or let all shine through. */
export function isConcealed(element: Element) {
  if (!element.checkVisibility({ opacityProperty: true })) return true;
  for (let each = element, level = 0; each && level < MOST_CUTTING; each = aroundOf(each), level += 1) if (cutsAway(each)) return true;
  return false;
}

function isShown(element: any) {
  const style = getComputedStyle(element), box = element.getBoundingClientRect();
  return isDrawn(element) && style.opacity !== '0' && style.clipPath === 'none' && style.clip === 'auto' && box.right + scrollX > 0 && box.bottom + scrollY > 0;
}

function boundedAround(field: Element) {
  const found: Element[] = [];
  for (let around = aroundOf(field); around && found.length < MOST_LEVELS && !around.matches(BOUNDS); around = aroundOf(around)) found.push(around);
  return found;
}

const drawnLists: WeakSet<Element> = new WeakSet();

/** Whether a page has drawn something in the place of a hidden list of its own, by which the list is opened though it doesn't say so. */
export const isDrawnList = (field: Element) => drawnLists.has(field);

function drawnBeside(hidden: Element): Element | null {
  const box = hidden.nextElementSibling;
  if (!box || !isShown(box) || box.matches(`${OTHERS}, :has(select, label)`)) return null;
  const kinds = (hidden as any).multiple ? [TYPED, PRESSED_PARTS] : [PRESSED_PARTS, TYPED]; // what shows the one value, before what looks for others
  const found = kinds.map((css) => findAll(box, css).find(isShown)).find(Boolean) || box;
  if (labelsOf(found).some((each: string) => !labelsOf(hidden).includes(each)) && found.matches(EDITABLE)) return null;
  drawnLists.add(found);
  return found;
}

/** What people use in the place of a field that its page has hidden: the nearest thing that opens, is typed into, or takes the focus. */
function standInOf(hidden: Element) {
  const beside = [hidden.nextElementSibling, hidden.nextElementSibling?.nextElementSibling, hidden.previousElementSibling].filter(Boolean)
    .flatMap((each: any) => [each, ...findAll(each, OPENING)]).find((each) => each.matches(OPENING) && isDrawn(each) && isAlike(each, hidden));
  if (beside) return beside;
  const all = boundedAround(hidden);
  const drawn = tagOf(hidden) === 'SELECT' ? all.find((each) => each.matches(OPENING) && isDrawn(each)) || drawnBeside(hidden) : null;
  if (drawn) return drawn;
  for (const around of all) {
    const found = [OPENING, TYPED, '[tabindex="0"], button'].map((css) => findAll(around, css).filter((each) => each !== hidden && isDrawn(each))).find((some) => some.length);
    const ours = (found || []).filter((each) => isAlike(each, hidden));
    if (found) return ours.find((each) => each.matches('[role=combobox]')) || ours[0] || null;
  }
  return null;
}

function isAlike(each: Element, hidden: Element) {
  const names = labelsOf(hidden).map(key);
  const own = Array.from((each as any).labels || [], (label: any) => key(label.textContent || ''));
  return !own.length || !names.length || own.some((label) => names.some((name: string) => label.includes(name) || name.includes(label)));
}

const isModel = (field: Element) => field.matches('select, input') && !isShown(field)
  && (tagOf(field) === 'SELECT' || field.matches('[aria-hidden=true], [tabindex="-1"], [type=hidden]') || !isDrawn(field));

/** The part that opens, of a widget that was named by its host, its label or what is around it. */
export function fieldFor(element: Element) {
  const own = fieldOf(element);
  if (own.matches(`${OPENING}:not(select)`) || (own.matches('select') && isShown(own))) return own;
  if (isModel(own)) return standInOf(own) || own;
  if (own.matches(`${OPENING}, ${LISTS}, ${TYPED}`) || roleOf(own) === 'combobox') return own;
  const inside = [OPENING, LISTS, 'select', TYPED].map((css) => allIn(own, css).filter(isDrawn)).find((some) => some.length);
  return inside ? inside[0] : own;
}

export const isList = (field: Element) => field.matches(LISTS) && !field.matches('[aria-haspopup]:not([aria-haspopup=false])');

export const opensSomething = (field: Element) => field.matches(OPENING) || roleOf(field) === 'combobox' || Boolean(field.closest('[role=combobox]'));

export const isTyped = (element: any) => element.matches(TYPED) && !element.readOnly && !element.disabled && element.getAttribute('aria-readonly') !== 'true';

/** All that belongs to the field: around it as far as there is no other one. The regions that it has opened are apart. */
export function boxOf(field: Element, regions: Element[]) {
  const isOther = (each: Element) => isDrawn(each) && !regions.some((region) => holds(region, each));
  let box = field;
  const own = new Set(findAll(field, EDITABLE));
  for (const around of boundedAround(field)) {
    const more = findAll(around, EDITABLE).filter((each) => each !== field && !own.has(each) && isOther(each) && !(field.matches('[role=combobox], button') && field.contains(each)));
    if (more.some((each) => !box.contains(each) && !each.contains(field) && !isPart(each, field))) break;
    box = around;
  }
  return box;
}

/** Whether both are parts of one widget: the one is led to by the other, or hasn't any name of its own. */
function isPart(each: Element, field: Element) {
  const names = labelsOf(each);
  return each.matches('[aria-hidden=true], [tabindex="-1"]') || !isShown(each) || (names.length > 0 && names.join() === labelsOf(field).join());
}

export function pressedPart(field: Element, regions: Element[]) {
  const box = boxOf(field, regions);
  for (let each = field; each; each = aroundOf(each)) {
    const size = each.getBoundingClientRect();
    if (size.width > LEAST_PX && size.height > LEAST_PX && isVisible(each)) {
      if (size.bottom > innerHeight || size.top < 0) each.scrollIntoView({ block: 'center', behavior: 'instant' });
      const hit = hitAt(each);
      if (hit && (holds(each, hit) || (holds(box, hit) && !hit.matches('label')))) return holds(each, hit) ? each : hit;
    }
    if (each === box) break;
  }
  return field;
}

/** What text goes into: the field, a part of it, or a field that has opened with the list and has the focus; the list may hold nothing to choose yet. */
export function typedPart(field: Element, regions: Element[], opened: Element[]) {
  const inRegion = regions.flatMap((region) => findAll(region, TYPED)).filter((each) => isTyped(each) && isDrawn(each));
  if (inRegion.length) return inRegion[0];
  if (isTyped(field)) return field;
  const active = activeElement();
  const box = boxOf(field, regions);
  if (active && active !== document.body && isTyped(active) && [box, ...opened].some((each) => holds(each, active))) return active;
  return [...findAll(scopeOf(field), TYPED), ...(field.matches('[role=combobox], [aria-haspopup]') ? findAll(box, TYPED) : [])].find((each) => isTyped(each) && isVisible(each)) || null;
}

export function openersIn(field: Element, regions: Element[]) {
  const box = boxOf(field, regions);
  return findAll(box, 'button, [role=button], [aria-haspopup]').filter((each) => each !== field && isDrawn(each) && !regions.some((region) => holds(region, each))
    && (each.hasAttribute('aria-expanded') || each.hasAttribute('aria-haspopup') || each.getAttribute('tabindex') === '-1'));
}

const isHushed = (element: any) => element.matches('script, style, template, noscript, label, legend, select, datalist') || cutsAway(element)
  || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true });

/** The texts that a widget shows, each as it stands in its innermost element; without its label and what it has opened. */
export function shownTexts(field: Element, regions: Element[]) {
  const named = ledToBy(field, 'aria-labelledby');
  // What is called by what stands in it shows just that.
  const labels = new Set(named.length && named.every((each) => field.contains(each)) ? [] : labelsOf(field).map(key));
  const texts: string[] = [];
  const put = (text: string) => { const told = fold(text); if (told) texts.push(told); return told; };
  const walk = (node: any) => {
    if (regions.includes(node)) return '';
    if (node.nodeType === Node.TEXT_NODE) return put(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE || (isHushed(node) && !holds(node, field))) return '';
    if (node.matches('input, textarea') && !node.matches('[type=password], [type=checkbox], [type=radio]')) return put(node.value);
    const kids = kidsOf(node);
    const told: string = kids.map(walk).filter(Boolean).join(' ');
    return kids.length > 1 ? put(told) : told;
  };
  walk(boxOf(field, regions));
  return [...new Set(texts.filter((text) => text && !labels.has(key(text))))].slice(0, 60);
}

/** What the hidden list holds that the widget stands for, and what it could hold and doesn't; null without one. */
export function modelOf(field: Element, regions: Element[]) {
  const select = findAll(boxOf(field, regions), 'select').find((each) => each !== field && !isShown(each));
  if (!select) return null;
  const labels = (options: any[]) => options.map((each) => fold(each.label)).filter(Boolean);
  const options = Array.from((select as any).options), chosen = labels(options.filter((each: any) => each.selected));
  return { chosen, left: labels(options.filter((each: any) => !each.selected).slice(0, MOST_LEFT)).filter((each) => !chosen.includes(each)) };
}
