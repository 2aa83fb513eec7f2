/** What has the keyboard focus, before and after keys are pressed into it, taking it away, and what is marked. */
import { readValue } from '../acting/entering.ts';
import { beginAct } from '../acting/settling.ts';
import { describe } from '../names/naming.ts';
import { isSecret } from '../names/secrecy.ts';
import { above, activeElement, findAll, holds, scopeOf } from '../names/tree.ts';
import { isVisible } from '../names/sight.ts';
import { textNodesIn } from '../acting/spots.ts';
import { isInWord } from '../names/texts.ts';

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

const markedField = (element: Element) => element.matches('textarea, input:not([type]), input[type=text], input[type=search], input[type=url], input[type=tel], input[type=password]');

/** The places of a text: as it is written, else in any case; whole words before parts of others. */
function placesOf(whole: string, wanted: string) {
  for (const [text, part] of [[whole, wanted], [whole.toLowerCase(), wanted.toLowerCase()]]) {
    if (text.length !== whole.length) continue;
    const found = [];
    for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found.push(at);
    const words = found.filter((at) => !isInWord(text.charAt(at - 1), text.charAt(at)) && !isInWord(text.charAt(at + part.length - 1), text.charAt(at + part.length)));
    if (found.length) return words.length ? words : found;
  }
  return [];
}

function pointAt(nodes: Text[], offset: number, isEnd: boolean) {
  let left = offset;
  for (const node of nodes) {
    if (left < node.data.length || (isEnd && left === node.data.length)) return [node, left];
    left -= node.data.length;
  }
  return null;
}

function markField(field: Element, text: string) {
  const places = text ? placesOf(field.value, text) : [0];
  field.focus();
  if (places.length === 1) field.setSelectionRange(places[0], text ? places[0] + text.length : field.value.length);
  return { places: places.length };
}

export function markText(element: Element, { text }: { text: string }) {
  beginAct();
  const inside = findAll(scopeOf(element), 'textarea, [contenteditable]:not([contenteditable=false])').filter(isVisible);
  const host = !element.isContentEditable && !markedField(element) && inside.length === 1 && (!text || !placesOf(element.textContent, text).length) ? inside[0] : element;
  if (markedField(host)) return markField(host, text);
  const nodes = textNodesIn(host);
  const whole = nodes.map((node) => node.data).join('');
  const start = whole.length - whole.trimStart().length;
  const places = text ? placesOf(whole, text) : whole.trim() ? [start] : [];
  if (places.length !== 1) return { places: places.length };
  const end = text ? places[0] + text.length : whole.trimEnd().length;
  if (host.isContentEditable) (host.closest('[contenteditable]:not([contenteditable=false])') || host).focus();
  const [from, to] = [pointAt(nodes, places[0], false), pointAt(nodes, end, true)] as any;
  getSelection()?.setBaseAndExtent(from[0], from[1], to[0], to[1]);
  return { places: 1 };
}

export function readMarked() {
  const active = document.activeElement;
  if (active && markedField(active) && active.selectionEnd > active.selectionStart) {
    return { text: isSecret(active) ? '' : active.value.slice(active.selectionStart, active.selectionEnd), secret: isSecret(active) };
  }
  return { text: String(getSelection()), secret: false };
}
