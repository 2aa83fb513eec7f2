/** Which element a person means with what they do. */
import { readTick } from '../acting/choices.ts';
import { CONTROLS, isFilledIn, isPressable, roleOf } from '../names/roles.ts';

const BOX_ROLES = ['checkbox', 'radio', 'switch'];
const TYPED = 'input:not([type=button], [type=submit], [type=reset], [type=image], [type=checkbox], [type=radio], [type=file], [type=color], [type=range]), textarea';
const MOST_UP = 12;
// What holds many things to press: where one of them was pressed, it isn't the whole.
const COMPOSITES = 'ul, ol, menu, table, [role=menu], [role=menubar], [role=listbox], [role=list], [role=grid], [role=treegrid],'
  + ' [role=table], [role=tree], [role=tablist], [role=radiogroup], [role=toolbar]';

export const pathOf = (event: Event): Element[] => event.composedPath().filter((each: any) => each instanceof Element).slice(0, 60);

/** What was pressed: the control around the place, else what looks as if it can be pressed; nothing where there is none. */
export function pressedIn(path: Element[]): Element | null {
  const near = path.slice(0, MOST_UP);
  const at = near.findIndex(isPressable);
  if (at < 0) return null;
  const parts = near.filter((each, place) => place <= at || !each.matches(COMPOSITES));
  const control = parts.find((each) => each.matches(CONTROLS) && !each.matches('[contenteditable]'));
  if (control) return control.matches('option') ? control.closest('select') || control : control;
  const explicit = parts.find((each) => each.matches('[onclick], [tabindex]:not([tabindex="-1"]), [draggable=true]'));
  if (explicit) return explicit;
  let outer = at; // all that is inside shows the same pointer
  while (near[outer + 1] && parts.includes(near[outer + 1]) && near[outer + 1] !== document.body && isPressable(near[outer + 1])) outer += 1;
  return near[outer];
}

/** The label that a press went to, where the browser presses its control next. */
export function labelPressed(path: Element[]) {
  const at = path.findIndex((each) => each.nodeName === 'LABEL');
  const label = path[at] && path[at].control ? path[at] : null;
  return label && !path.slice(0, at).some((each) => each === label.control || each.matches('a[href], button, input, select, textarea')) ? label : null;
}

export const isBox = (element: Element) => element.matches('input[type=checkbox], input[type=radio]') || BOX_ROLES.includes(roleOf(element));

/** Whether a box is ticked; null where something is none, or says nothing of it. */
export function tickOfBox(element: Element) {
  const tick = isBox(element) ? readTick(element) : null;
  return tick ? tick.checked : null;
}

export const isWrittenIn = (element: Element) => element.matches(TYPED) || Boolean(element.isContentEditable);

/** The field that is typed into: of something editable the whole of it. */
export function fieldIn(path: Element[]): Element | null {
  const field = path[0];
  if (!field) return null;
  if (!field.isContentEditable) return field.matches('input, textarea, select') ? field : null;
  let host = field;
  while (host.parentElement?.isContentEditable) host = host.parentElement;
  return host;
}

/** Whether a list belongs to a field, so that keys choose in it. */
export const choosesByKeys = (element: Element) => element.matches('[role=combobox], [aria-haspopup], [aria-autocomplete], [aria-expanded], [aria-controls], [aria-owns], [list]');

export const isPlainField = (element: Element) => isFilledIn(element) && (isWrittenIn(element) || element.nodeName === 'SELECT');
