import { byName, captionsOf } from '../names/matching.ts';
import { once } from '../names/memory.ts';
import { contentName, labelsOf, namesOf, readLabelled } from '../names/naming.ts';
import { EDITABLE, isClosedList, isFilledIn } from '../names/roles.ts';
import { best, firstStage, isVisible } from '../names/sight.ts';
import { fieldKey, fold, key, LEAST_BEGINNING, wordsIn } from '../names/texts.ts';
import { classText, findAll, scopeOf, tagOf, withId } from '../names/tree.ts';
import { later } from '../later.ts';

const LISTS = '[role=listbox], [role=menu], [role=tree], [role=treegrid], [role=grid]';
const OPENING = '[role=combobox], [aria-haspopup=listbox], [aria-haspopup=tree], [aria-haspopup=grid], [aria-haspopup=dialog]';

const opensList = (element: Element) => element.matches('[aria-haspopup=listbox], [aria-haspopup=tree], [aria-haspopup=grid]');

export const fieldsIn = (root: Root) => once('fields', root, () => {
  const filled = findAll(scopeOf(root), `${EDITABLE}, [class*=slider], [aria-haspopup]`).filter((each) => (isFilledIn(each) && !isClosedList(each)) || opensList(each));
  const openers = filled.filter((each) => each.matches(OPENING));
  const lists = new Set(openers.map(ownedList));
  // The list of a combo box is a part of it, and so is what it holds its value in.
  return filled.filter((each) => !lists.has(each) && !openers.some((opener) => opener !== each && isPartOf(each, opener)));
});

function isPartOf(each: Element, opener: Element) {
  if (each.matches(LISTS) && !each.matches('[aria-haspopup]')) {
    const [name] = labelsOf(each);
    return opener.getAttribute('aria-expanded') === 'true' && Boolean(name) && calledOf(opener).includes(name);
  }
  if (opensList(each) && !each.matches(EDITABLE)) {
    const around = each.parentElement?.parentElement || each.parentElement;
    return opener.matches('input') && Boolean(around?.contains(opener)) && calledOf(opener).some((name: string) => calledOf(each).includes(name));
  }
  const isShowing = each !== opener && each.matches('[aria-readonly=true], [readonly]'); // what it has chosen
  return opener.contains(each) && (isShowing || each.matches('input[aria-hidden=true], select[aria-hidden=true]'));
}

const calledOf = (field: Element) => once(calledOf, field, () => {
  const ids = (field.getAttribute('aria-labelledby') || '').split(/\s+/).filter((id) => id && id !== field.id);
  const parts = ids.length > (opensList(field) || field.matches('[role=combobox]') ? 0 : 1) ? ids.map((id) => withId(field, id)).filter((each) => each && !field.contains(each)) : [];
  const around = field === document.body ? later().namesAround() : [];
  return [...namesOf(field), ...around, ...readLabelled(field), ...parts.map((part) => fold(contentName(part as Element, true))).filter(Boolean)];
});

export function findFields(root: Root, { name }: { name: string }) {
  const fields = fieldsIn(root);
  const spellings = new Set(['', ' ', '-', '_'].map((joint) => key(name).split(/[\s_-]+/).join(joint)));
  const byAttribute = (...attributes: any[]) => () => fields.filter((field) =>
    attributes.some((attribute) => spellings.has((field.getAttribute(attribute) || '').toLowerCase())));
  // "The text field": one line without a type, else whatever takes text.
  const lines = fields.filter((field) => field.matches('input:not([type])'));
  const textual = () => (key(name) === 'text' ? (lines.length ? lines : fields.filter((field) => field.matches('textarea, [contenteditable], [role=textbox]'))) : []);
  const byWord = () => fields.filter((field) => wordsIn([field.id, field.getAttribute('name'), classText(field)].join(' ')).some((word) =>
    word === key(name) || (key(name).length >= LEAST_BEGINNING && word.startsWith(key(name)))));
  if (!name) return best(fields);
  const bare = once('unlabelled', fields, () => fields.filter((field) => !labelsOf(field).some(Boolean)));
  const [same, shown, ...parts] = byName(fields, name, fieldKey, calledOf);
  const found = firstStage([same, shown, () => later().findGrouped(root, name), ...parts, byAttribute('name', 'id', 'autocomplete'),
    ...byName(bare, name, fieldKey, captionsOf), byName(fields, name, fieldKey, captionsOf)[0], () => later().findHeadedEditor(root, { name, fields: bare }), byAttribute('type'), textual,
    () => later().ratingNames(root)(name), () => firstStage(byName(later().countersIn(root), name, fieldKey, later().captionOfCounter)), byWord]);
  if (found.length && !found.some(isVisible)) return later().standInsFor(found);
  const joined = found.length > 1 ? '[role=spinbutton], [role=combobox]' : '[role=combobox][aria-haspopup=dialog]';
  return found.length && found.every((each) => each.matches(joined)) ? later().joinSections(found, name) : found;
}

export const fieldOf = (element: Element) => (tagOf(element) === 'LABEL' && element.control) || element;

export function ownedList(element: Element) {
  const ids = `${element.getAttribute('aria-controls') || ''} ${element.getAttribute('aria-owns') || ''}`.split(/\s+/).filter(Boolean);
  return ids.map((id) => withId(element, id)).find((list) => list && list.matches(LISTS));
}
