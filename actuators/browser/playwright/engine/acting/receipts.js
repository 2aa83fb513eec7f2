import { labelOf, readTick } from './choices.js';
import { drawnBy } from '../names/areas.js';
import { childText, describe, forgetTexts, namesOf } from '../names/naming.js';
import { isMine, PRESSES } from './presses.js';
import { notePressed, readQuestioned } from '../names/questions.js';
import { CONTROLS } from '../names/roles.js';
import { askPending, beginAct, readSending, whenRefused } from './settling.js';
import { isVisible } from '../names/sight.js';
import { canPress, textBoxes } from './spots.js';
import { key } from '../names/texts.js';
import { attributeOf, findAll, holds } from '../names/tree.js';

/** @type {Record<string, string>} */
const LAST = { left: 'click', middle: 'auxclick', right: 'contextmenu' };
const SENDERS = 'button:not([type=button], [type=reset]), input:is([type=submit], [type=image])';
/** @type {any} */
let armed = null;

/**
 * Forms have their fields as properties, under whatever names a page gives them: what is asked of them is asked past these.
 * @param {any} node
 * @param {string} css
 */
const fits = (node, css) => node instanceof Element && Element.prototype.matches.call(node, css);

/** @param {any} node */
function tellNode(node) {
  forgetTexts();
  try { return describe(node); } catch { return { role: 'form', name: attributeOf(node, 'name') || '', tag: 'form' }; }
}

/** @param {any} event */
function notePress(event) {
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

/**
 * @param {any[]} path
 * @param {{ clientX: number, clientY: number }} query
 */
function isBesideText(path, { clientX, clientY }) {
  const { element, text } = armed;
  const at = path.indexOf(element);
  const takesAll = (/** @type {any} */ node) => fits(node, `${CONTROLS}, label`);
  if (!text || at < 0 || path.slice(at).some(takesAll)) return false;
  forgetTexts();
  const hit = path.slice(0, at).find(takesAll);
  if (hit) return ![childText(hit), ...namesOf(hit)].some((each) => key(each).includes(key(text)));
  const boxes = textBoxes(element, text);
  const isOn = (/** @type {any} */ { left, top, right, bottom }) => clientX >= left - 1 && clientX <= right + 1 && clientY >= top - 1 && clientY <= bottom + 1;
  if (!element.firstElementChild || boxes.some(isOn) || !boxes.some((box) => canPress(element, box))) return false;
  const { width, height } = element.getBoundingClientRect();
  const drawn = boxes.reduce((sum, box) => sum + box.width * box.height, 0);
  return width * height > MANY_TIMES * drawn || !findAll(element, CONTROLS).some(isVisible);
}

/**
 * Where the page has written its document anew, the guard is gone.
 * @param {any} event
 */
function noteEvent(event) {
  if (armed && !armed.isGuarded && event.isTrusted) notePart(event.type, event.composedPath());
}

/**
 * @param {string} type
 * @param {any[]} path
 */
function notePart(type, path) {
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

/** @param {any} event */
function noteStop(event) {
  event.stopImmediatePropagation();
  if (!armed || PRESSES[event.detail] !== LAST[armed.button]) return;
  const node = event.composedPath()[0];
  armed.stopped_by = tellNode(node instanceof Element ? node : document.documentElement);
  tell();
}

/**
 * A page may act upon a press, and no click follow: until that is complete, what the page makes of it is counted.
 * @param {string} type
 * @param {any[]} path
 */
function noteHalf(type, path) {
  if (isMine(path, armed.element)) armed.halves.push(type);
  armed.watcher.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}

const noteLeaving = () => { if (armed && armed.halves.length && !armed.events.includes(LAST[armed.button])) tell(); };

/** @param {any[]} records */
function countChanges(records) {
  for (const { addedNodes } of records) for (const node of addedNodes) armed.fresh.add(node);
  armed.changes += records.filter(({ type, target }) => type !== 'attributes' || !holds(armed.element, target)).length;
}

/** @param {any} event */
function noteOpening(event) {
  event.stopImmediatePropagation();
  if (!armed) return;
  armed.opens = true;
  tell();
}

const tell = () => console.debug(SETTINGS.receipt_mark + armed.token, JSON.stringify(readReceipt()));

function readReceipt() {
  const { events, halves, strays, stray, element, label, opens, stopped_by, sends } = armed;
  const opened = !armed.expanded && element.getAttribute('aria-expanded') === 'true';
  return { events, halves, strays, stray, opens, opened, over: Boolean(armed.over) && element.isConnected && isVisible(element), stopped_by, sends, refused: readSending().fields, received_by: label,
    connected: element.isConnected, visible: isVisible(element), disabled: element.matches(':disabled') };
}

/**
 * What people click on of a box that only its label shows.
 * @param {Element} element
 */
const labelOver = (element) => (element.matches('input[type=checkbox], input[type=radio]') && readTick(element)?.by_label && labelOf(element)) || null;

/**
 * @param {Element} named
 * @param {{ token: string, button: string, count: number, limit_ms: number, text: string, in_picture: boolean }} query
 */
export function armReceipt(named, { token, button, count, limit_ms, text, in_picture }) {
  if (drawnBy(named) !== named && !in_picture) throw new Error(SETTINGS.area_mark); // a press on its picture could meet anything
  const element = labelOver(named) || named;
  const questioned = readQuestioned(element);
  if (questioned) throw new Error(SETTINGS.question_mark + JSON.stringify(questioned));
  notePressed(element);
  for (const [type, note] of /** @type {[string, (event: any) => void][]} */ ([[SETTINGS.press_event, notePress],
    [SETTINGS.stop_event, noteStop], [SETTINGS.open_event, noteOpening]])) window.addEventListener(type, note, true);
  for (const type of PRESSES.filter((each) => !each.startsWith('pointer'))) window.addEventListener(type, noteEvent, true);
  window.navigation?.addEventListener('navigate', noteLeaving);
  if (armed) armed.watcher.disconnect();
  armed = { element, token, button, text, events: [], strays: [], stray: null, halves: [], label: describe(element), stopped_by: null, sends: false, opens: false,
    changes: 0, expanded: element.getAttribute('aria-expanded') === 'true', fresh: new WeakSet(), watcher: new MutationObserver(countChanges) };
  whenRefused(() => { if (armed) tell(); });
  beginAct();
  armed.isGuarded = !element.dispatchEvent(new MouseEvent(SETTINGS.aim_event, { composed: true, cancelable: true, detail: count, screenX: limit_ms }));
  return [drawnBy(element)];
}

/**
 * @param {Root} root
 * @param {{ token: string }} query
 */
export function watchKey(root, { token }) {
  beginAct();
  window.addEventListener('keydown', (event) => {
    if (!event.isTrusted) return;
    const target = /** @type {any} */ (event.composedPath()[0]);
    const report = { events: ['keydown'], strays: [], opens: false, key: event.key, received_by: describe(target), editable: target.isContentEditable };
    console.debug(SETTINGS.receipt_mark + token, JSON.stringify(report));
  }, { capture: true, once: true });
  return [root];
}

/** @param {string} token */
export function endReceipt(token) {
  if (!armed || armed.token !== token) return null;
  countChanges(armed.watcher.takeRecords());
  const told = { ...readReceipt(), changes: armed.changes, requests: askPending().requests };
  armed.watcher.disconnect();
  armed = null;
  window.dispatchEvent(new MouseEvent(SETTINGS.aim_event));
  return told;
}
