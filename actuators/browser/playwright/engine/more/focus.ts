/** What has the keyboard focus, before and after keys are pressed into it, and taking it away. */
import { readValue } from '../acting/entering.ts';
import { beginAct } from '../acting/settling.ts';
import { describe } from '../names/naming.ts';
import { isSecret } from '../names/secrecy.ts';
import { above, activeElement, holds } from '../names/tree.ts';

let noted: Element | null = null; // what had the focus
let changes = 0;
const watcher = new MutationObserver((records) => { changes += records.length; });

const isNothing = (element: any) => !element || (element.matches('html, body') && !element.isContentEditable);

const PLACES = ['main', 'dialog', '[role=main]', '[role=dialog]', '[role=alertdialog]', '[role=region]', '[role=tabpanel]', '[role=application]']
  .map((place) => `${place}[tabindex]`).join(', ');

/** Takes the focus away from a field or a part of it, as a press on the empty page beside it does: what is around there takes it. What has several parts may not be left otherwise. */
export function leaveField(element: Element) {
  const active = activeElement() as any;
  if (isNothing(active) || (active !== element && !holds(element, active))) return false;
  [...above(element), document.body, document.documentElement].find((up) => up?.matches(PLACES))?.focus({ preventScroll: true });
  const now = activeElement() as any;
  if (!isNothing(now)) now.blur();
  return true;
}

const NO_TEXT = ['checkbox', 'radio', 'button', 'submit', 'reset', 'image', 'file', 'range', 'color'].map((type) => `[type=${type}]`).join(', ');

/** Whether it is edited as a text; what says that it is something else, such as a part of a date, only takes keys. */
const isEditor = (field: any) => field.isContentEditable && ['textbox', ''].includes(field.getAttribute('role') || '');

/** Notes what has the focus, and from now on what changes; an act on it begins. Null where nothing has the focus. */
export function noteFocus() {
  beginAct();
  const active = activeElement() as any;
  noted = active || document.documentElement;
  changes = 0;
  watcher.disconnect();
  watcher.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  if (isNothing(active)) return null;
  const isText = isEditor(active) || (active.matches('input, textarea') && !active.matches(`:disabled, ${NO_TEXT}`));
  const caret = active.matches('input, textarea') && active.selectionStart !== null ? [active.selectionStart, active.selectionEnd] : null;
  return { who: describe(active), ...readValue(active), is_text: isText, takes_lines: isEditor(active) || active.matches('textarea'), caret };
}

export const findNoted = () => (noted && noted.isConnected ? [noted] : []);

/** What that holds now, how much has changed in the document, and what has the focus now. */
export function readNoted() {
  changes += watcher.takeRecords().length;
  const active = activeElement();
  return { ...(noted ? readValue(noted) : {}), secret: Boolean(noted && isSecret(noted)), connected: Boolean(noted && noted.isConnected), changes,
    moved: active !== noted && !(isNothing(active) && isNothing(noted)), now: isNothing(active) ? null : describe(active as Element) };
}
