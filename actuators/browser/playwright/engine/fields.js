import { byName, captionsOf } from '../engine_names/matching.js';
import { once } from '../engine_names/memory.js';
import { labelsOf } from '../engine_names/naming.js';
import { EDITABLE, isClosedList, isFilledIn } from '../engine_names/roles.js';
import { best, firstStage } from '../engine_names/sight.js';
import { fieldKey, key, LEAST_BEGINNING, wordsIn } from '../engine_names/texts.js';
import { classText, findAll, scopeOf, tagOf, withId } from '../engine_names/tree.js';
import { later } from './later.js';

/** @param {Root} root */
const fieldsIn = (root) => once('fields', root, () => {
  const filled = findAll(scopeOf(root), `${EDITABLE}, [class*=slider]`).filter((each) => isFilledIn(each) && !isClosedList(each));
  const opened = new Set(filled.map((each) => each.getAttribute('role') === 'combobox' && ownedList(each)));
  return filled.filter((each) => !opened.has(each)); // the list of a combo box is a part of it
});

/**
 * @param {Root} root
 * @param {{ name: string }} query
 */
export function findFields(root, { name }) {
  const fields = fieldsIn(root);
  const spellings = new Set(['', ' ', '-', '_'].map((joint) => key(name).split(/[\s_-]+/).join(joint)));
  const byAttribute = (/** @type {any[]} */ ...attributes) => () => fields.filter((field) =>
    attributes.some((attribute) => spellings.has((field.getAttribute(attribute) || '').toLowerCase())));
  // "The text field": one line without a type, else whatever takes text.
  const lines = fields.filter((field) => field.matches('input:not([type])'));
  const textual = () => (key(name) === 'text' ? (lines.length ? lines : fields.filter((field) => field.matches('textarea, [contenteditable], [role=textbox]'))) : []);
  const byWord = () => fields.filter((field) => wordsIn([field.id, field.getAttribute('name'), classText(field)].join(' ')).some((word) =>
    word === key(name) || (key(name).length >= LEAST_BEGINNING && word.startsWith(key(name)))));
  if (!name) return best(fields);
  const bare = once('unlabelled', fields, () => fields.filter((field) => !labelsOf(field).some(Boolean)));
  return firstStage([...byName(fields, name, fieldKey), byAttribute('name', 'id', 'autocomplete'),
    ...byName(bare, name, fieldKey, captionsOf), byAttribute('type'), textual,
    () => later().ratingNames(root)(name), () => firstStage(byName(later().countersIn(root), name, fieldKey, later().captionOfCounter)), byWord]);
}

/** @param {Element} element */
export const fieldOf = (element) => (tagOf(element) === 'LABEL' && element.control) || element;

/** @param {Element} element */
export function ownedList(element) {
  const ids = `${element.getAttribute('aria-controls') || ''} ${element.getAttribute('aria-owns') || ''}`.split(/\s+/).filter(Boolean);
  return ids.map((id) => withId(element, id)).find((list) => list && list.matches('[role=listbox], [role=menu], [role=tree], [role=grid]'));
}
