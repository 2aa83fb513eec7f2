import { isSecret } from '../names/secrecy.ts';
import { fieldsIn } from '../acting/fields.ts';
import { captionsOf } from '../names/matching.ts';
import { labelsOf, nameOf, namesOf } from '../names/naming.ts';
import { parts, shownIn } from '../acting/reading.ts';
import { BOXES, CONTROLS, EDITABLE, isClosedList, isPressable } from '../names/roles.ts';
import { disabledBecause, isExposed, isSeen, isVisible } from '../names/sight.ts';
import { fieldKey, fold, LONGEST_CAPTION } from '../names/texts.ts';
import { activeElement, findAll, innermost, scopeOf, tagOf } from '../names/tree.ts';
import { pin, pinned } from '../choosing/pinning.ts';
import { fieldFor } from '../choosing/widgets.ts';
import { columnValues, labelValues, rowValues, termValues } from '../values/values.ts';

let neighbour: { token: string, found: Element[] } = { token: '', found: [] }; // asked again with the same token, it is the same field, though it has the focus by then

export function findNeighbour(root: Root, { token, move }: { token: string, move: string }) {
  if (neighbour.token === token) return neighbour.found.filter((each) => each.isConnected);
  const back = move === 'previous';
  const fields = findAll(scopeOf(root), EDITABLE).filter((each) => !isClosedList(each) && each.tabIndex >= 0 && isVisible(each) && !disabledBecause(each));
  const active = activeElement();
  const isHere = active && active !== document.body && active !== document.documentElement;
  const side = back ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING;
  const place = fields.indexOf(active as any);
  const rest = !isHere ? fields : place >= 0 ? (back ? fields.slice(0, place) : fields.slice(place + 1))
    : fields.filter((each) => active.compareDocumentPosition(each) & side);
  neighbour = { token, found: back ? rest.slice(-1) : rest.slice(0, 1) };
  return neighbour.found;
}

const SENDS = /^(submit|send|search|find|go|ok|okay|apply|save|done|enter|register|sign|create|continue|next|order|book|buy|suche?n?|senden|absenden|weiter|speichern|bestellen|buchen|anmelden|registrieren)(?![\p{L}\p{N}])/iu;
const MOST_FIELDS = 100;
const TEXTUAL = 'textarea, input:not([type=checkbox], [type=radio], [type=range], [type=file], [type=color])';

/** The text right behind a field that has none in front: pages put labels below, too. */
function captionBehind(field: Element) {
  let text = '';
  for (let each: any = field.nextSibling; each; each = each.nextSibling) {
    if (each.nodeType === Node.ELEMENT_NODE && (each.matches(`br, hr, ${CONTROLS}`) || each.querySelector(CONTROLS))) break;
    if (each.nodeType === Node.TEXT_NODE || (each.nodeType === Node.ELEMENT_NODE && isVisible(each))) text += each.textContent;
  }
  return fold(text) && fold(text).length <= LONGEST_CAPTION ? [text] : [];
}

function modelsIn(root: Root): Map<Element, Element> {
  const hidden = findAll(scopeOf(root), 'select, input').filter((each) => !(isVisible(each) && isSeen(each)) && labelsOf(each).length);
  return new Map(hidden.map((each) => [fieldFor(each), each]));
}

function calledBy(field: Element, model?: Element) {
  if (model && model !== field) return [...labelsOf(model), ...namesOf(field)].map(fold).filter(Boolean);
  for (const read of [namesOf, captionsOf, captionBehind]) {
    const names = read(field).map(fold).filter(Boolean);
    if (names.length) return names;
  }
  return [];
}

/** What the page says elsewhere under the label of a field; only where that is one thing. */
function saidElsewhere(root: Root, field: Element, name: string) {
  const fits = (text: string) => fieldKey(text) === fieldKey(name);
  const scope = scopeOf(root);
  for (const source of [termValues, rowValues, columnValues, labelValues]) {
    const found = [...new Set(source(scope, fits, root).map(([, value]) => value))].filter((value) => value && value !== field
      && !value.matches(CONTROLS) && !value.querySelector(CONTROLS) && isVisible(value) && !value.contains(field));
    if (found.length) return found.length === 1 ? fold(parts.get(found[0]) || shownIn(found[0])) : '';
  }
  return '';
}

/** All fields that people may fill in; also those that only take a text now and then, and are not drawn as long as their widget shows what it holds. */
function fillableIn(root: Root) {
  const usable = fieldsIn(root).filter((field) => isExposed(field) && !disabledBecause(field));
  return usable.some(isSeen) ? usable.filter((field) => isSeen(field) || (field.matches('[role=combobox]') && isVisible(field))) : usable;
}

export function listFillable(root: Root, { values }: { values: any }) {
  const models = modelsIn(root);
  return fillableIn(root).slice(0, MOST_FIELDS).map((field) => {
    const names = calledBy(field, models.get(field));
    return { names: names.map((name: string) => name.replace(/[\s:：*]+$/, '')),
      marks: [field, models.get(field)].flatMap((each) => (each ? [each.id, each.getAttribute('name')] : [])).filter(Boolean),
      value: values && names.length ? saidElsewhere(root, field, names[0]) : '',
      held: field.matches(TEXTUAL) && !isSecret(field) && isSeen(field) ? field.value : null,
      empty: !('value' in field) || tagOf(field) === 'SELECT' || field.type === 'range' || !field.value };
  });
}

/** Asked again with the same token, it is the same field: what has opened for it may be a field, too. */
export function findFillable(root: Root, { place, token }: { place: number, token: string }) {
  const known = pinned(token);
  const found = known ? [known] : fillableIn(root).slice(place, place + 1);
  if (!known && found.length) pin(token, found[0]);
  return found;
}

export function findSubmitter(root: Root, { places }: { places: number[] }) {
  const all = fillableIn(root);
  const filled = places.map((place) => all[place]).filter(Boolean);
  const form = filled.length && filled[0].form;
  const fits = (each: Element) => isVisible(each) && !disabledBecause(each);
  if (form) {
    const own = Array.from<Element>(form.elements).filter((each) => each.matches('button:not([type=button], [type=reset]), input[type=submit], input[type=image]') && fits(each));
    if (own.length === 1) return own;
  }
  for (let around = filled.length && filled[0].parentElement; around; around = around.parentElement) {
    if (!filled.every((each) => around.contains(each))) continue;
    const pressed = innermost(findAll(around, '*').filter((each) => fits(each) && isPressable(each) && !each.matches(`${EDITABLE}, ${BOXES}, label, a[href]`)
      && (each.matches('input') || fold(each.textContent)) && !each.closest(EDITABLE)));
    const sending = pressed.filter((each) => SENDS.test(nameOf(each) || fold(each.textContent)));
    if (sending.length || pressed.length === 1) return sending.length ? sending : pressed;
  }
  return [];
}
