import { labelOf, readTick } from './choices.ts';
import { drawnBy } from '../names/areas.ts';
import { childText, describe, forgetTexts, namesOf } from '../names/naming.ts';
import { isMine, PRESSES } from './presses.ts';
import { notePressed, readQuestioned } from '../names/questions.ts';
import { CONTROLS } from '../names/roles.ts';
import { askPending, beginAct, isSending, readSending, whenRefused } from './settling.ts';
import { isVisible } from '../names/sight.ts';
import { canPress, takerOf, textBoxes } from './spots.ts';
import { key } from '../names/texts.ts';
import { attributeOf, findAll, holds } from '../names/tree.ts';

const LAST: Record<string, string> = { left: 'click', middle: 'auxclick', right: 'contextmenu' };
const SENDERS = 'button:not([type=button], [type=reset]), input:is([type=submit], [type=image])';
let armed: any = null;

/** Forms have their fields as properties, under whatever names a page gives them: what is asked of them is asked past these. */
const fits = (node: any, css: string) => node instanceof Element && Element.prototype.matches.call(node, css);

function tellNode(node: any) {
  forgetTexts();
  try { return describe(node); } catch { return { role: 'form', name: attributeOf(node, 'name') || '', tag: 'form' }; }
}

function notePress(event: any) {
  event.stopImmediatePropagation();
  if (!armed) return;
  const type = PRESSES[event.detail];
  const path = event.composedPath();
  if (type === 'pointerdown' && isBesideText(path, event)) event.preventDefault(); // the guard stops it
  else if (type.startsWith('pointer')) noteHalf(type, path);
  else notePart(type, path);
}

// Whether a press comes down beside the text by which its element was found: on a control in it that doesn't show that, or beside
// where it is drawn, where that is in something else in it, which may be the only part that listens.
const MANY_TIMES = 4;

function isBesideText(path: any[], { clientX, clientY }: { clientX: number, clientY: number }) {
  const { element, text } = armed;
  const at = path.indexOf(element);
  const takesAll = (node: any) => fits(node, `${CONTROLS}, label`);
  if (!text || at < 0 || path.slice(at).some(takesAll)) return false;
  forgetTexts();
  const hit = path.slice(0, at).find(takesAll);
  if (hit) return ![childText(hit), ...namesOf(hit)].some((each) => key(each).includes(key(text)));
  const boxes = textBoxes(element, text);
  const isOn = ({ left, top, right, bottom }: any) => clientX >= left - 1 && clientX <= right + 1 && clientY >= top - 1 && clientY <= bottom + 1;
  if (!element.firstElementChild || boxes.some(isOn) || !boxes.some((box) => canPress(element, box))) return false;
  const { width, height } = element.getBoundingClientRect();
  const drawn = boxes.reduce((sum, box) => sum + box.width * box.height, 0);
  return width * height > MANY_TIMES * drawn || !findAll(element, CONTROLS).some(isVisible);
}

/** Where the page has written its document anew, the guard is gone. */
function noteEvent(event: any) {
  if (armed && !armed.isGuarded && event.isTrusted) notePart(event.type, event.composedPath());
}

function notePart(type: string, path: any[]) {
  const link = path.find((node) => ['A', 'AREA', 'FORM'].includes(node.nodeName));
  const target = (link && attributeOf(link, 'target')) || '';
  armed.opens = type === 'click' && Boolean(target) && !target.startsWith('_s');
  armed.sends = path.some((node) => fits(node, SENDERS) && Boolean(node.form));
  const mine = isMine(path, armed.element);
  (mine ? armed.events : armed.strays).push(type);
  if (!mine && path[0] instanceof Element) armed.stray = tellNode(path[0]);
  if (!mine) countChanges(armed.watcher.takeRecords());
  armed.over ||= !mine && path.some((node) => armed.fresh.has(node));
  if (type !== LAST[armed.button]) return;
  armed.watcher.disconnect();
  tell();
}

function noteStop(event: any) {
  event.stopImmediatePropagation();
  if (!armed || PRESSES[event.detail] !== LAST[armed.button]) return;
  const node = event.composedPath()[0];
  armed.stopped_by = tellNode(node instanceof Element ? node : document.documentElement);
  tell();
}

/** A page may act upon a press, and no click follow: until that is complete, what the page makes of it is counted. */
function noteHalf(type: string, path: any[]) {
  if (isMine(path, armed.element)) armed.halves.push(type);
  armed.watcher.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}

let leaving: any = null; // the document's way to another one, until it has come to nothing
let hasLeft = false;

/** Whether the page has set out for another document, and is not there yet. */
export const isLeaving = () => (Boolean(leaving) && !leaving.defaultPrevented) || (!hasLeft && isSending());

function noteLeaving(event: any) {
  hasLeft = true;
  leaving = event.hashChange || event.downloadRequest !== null || event.destination.sameDocument ? null : event;
  if (armed && armed.halves.length && !armed.events.includes(LAST[armed.button])) tell();
}

const noteStaying = () => { leaving = null; };

function watchLeaving() {
  [leaving, hasLeft] = [null, false];
  window.navigation?.addEventListener('navigate', noteLeaving);
  for (const type of ['navigatesuccess', 'navigateerror']) window.navigation?.addEventListener(type, noteStaying);
}

function countChanges(records: any[]) {
  for (const { addedNodes } of records) for (const node of addedNodes) armed.fresh.add(node);
  armed.changes += records.filter(({ type, target }) => type !== 'attributes' || !holds(armed.element, target)).length;
}

function noteOpening(event: any) {
  event.stopImmediatePropagation();
  if (!armed) return;
  armed.opens = true;
  tell();
}

/** By the direct way's own channel, where it has one. */
export const report = (token: string, told: object) => {
  const send = (globalThis as any)[SETTINGS.channel] || ((text: string) => console.debug(SETTINGS.receipt_mark + text));
  send(`${token} ${JSON.stringify(told)}`);
};
const tell = () => report(armed.token, readReceipt());

function readReceipt() {
  const { events, halves, strays, stray, element, label, opens, stopped_by, sends } = armed;
  const opened = !armed.expanded && element.getAttribute('aria-expanded') === 'true';
  return { events, halves, strays, stray, opens, opened, over: Boolean(armed.over) && element.isConnected && isVisible(element), stopped_by, sends, refused: readSending().fields, received_by: label,
    connected: element.isConnected, visible: isVisible(element), disabled: element.matches(':disabled') };
}

const labelOver = (element: Element) => (element.matches('input[type=checkbox], input[type=radio]') && readTick(element)?.by_label && labelOf(element)) || null;

/** What is pressed where an element is named: its label, where only that is seen of it, or what takes a press on it. */
export const pressedFor = (named: Element) => labelOver(named) || takerOf(named) || named;

export function armReceipt(named: Element, { token, button, count, limit_ms, text, in_picture }:
  { token: string, button: string, count: number, limit_ms: number, text: string, in_picture: boolean }) {
  if (drawnBy(named) !== named && !in_picture) throw new Error(SETTINGS.area_mark); // a press on its picture could meet anything
  const element = pressedFor(named);
  const questioned = readQuestioned(element);
  if (questioned) throw new Error(SETTINGS.question_mark + JSON.stringify(questioned));
  notePressed(element);
  for (const [type, note] of [[SETTINGS.press_event, notePress],
    [SETTINGS.stop_event, noteStop], [SETTINGS.open_event, noteOpening]] as [string, (event: any) => void][]) window.addEventListener(type, note, true);
  for (const type of PRESSES.filter((each) => !each.startsWith('pointer'))) window.addEventListener(type, noteEvent, true);
  watchLeaving();
  if (armed) armed.watcher.disconnect();
  armed = { element, token, button, text, events: [], strays: [], stray: null, halves: [], label: describe(element), stopped_by: null, sends: false, opens: false,
    changes: 0, expanded: element.getAttribute('aria-expanded') === 'true', fresh: new WeakSet(), watcher: new MutationObserver(countChanges) };
  whenRefused(() => { if (armed) tell(); });
  beginAct();
  armed.isGuarded = !element.dispatchEvent(new MouseEvent(SETTINGS.aim_event, { composed: true, cancelable: true, detail: count, screenX: limit_ms }));
  return [drawnBy(element)];
}

export function watchKey(root: Root, { token }: { token: string }) {
  beginAct();
  watchLeaving();
  window.addEventListener('keydown', (event) => {
    if (!event.isTrusted) return;
    const target = event.composedPath()[0] as any;
    const told = { events: ['keydown'], strays: [], opens: false, key: event.key, received_by: describe(target), editable: target.isContentEditable };
    report(token, told);
  }, { capture: true, once: true });
  return [root];
}

export function endReceipt(token: string) {
  if (!armed || armed.token !== token) return null;
  countChanges(armed.watcher.takeRecords());
  const rest = askPending(), told = { ...readReceipt(), changes: armed.changes, requests: rest.requests, rest };
  armed.watcher.disconnect();
  armed = null;
  window.dispatchEvent(new MouseEvent(SETTINGS.aim_event));
  return told;
}
