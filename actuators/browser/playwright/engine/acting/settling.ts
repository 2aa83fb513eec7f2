import { isSecret } from '../names/secrecy.ts';
import { describe, forgetTexts, nameOf } from '../names/naming.ts';
import { disabledBecause, isVisible } from '../names/sight.ts';
import { fold } from '../names/texts.ts';
import { attributeOf, findAll } from '../names/tree.ts';
import { FIGURES } from '../pending.ts';

let refused: any = null; // of the latest act: the fields that a form was not sent for, and whether one was
let pending = null;

let begun_ms = 0;

/** When the latest act began, on the clock of the document; 0 where there was none. */
export const lastAct = () => begun_ms;

function notePending(event: any) {
  event.stopImmediatePropagation();
  pending = readPending(event.data.split(';'));
}

/** Without any data: where nobody tells what goes on. */
function readPending(data: string[]): any {
  const told = Object.fromEntries(FIGURES.map((name, place) => [name, Number(data[place] || 0)]));
  const [under_way, failed, said] = data.slice(FIGURES.length).map(decodeURIComponent);
  return { ...told, is_building: told.is_building === 1, under_way: under_way ? under_way.split(',') : [],
    failed: failed ? failed.split(',').map(decodeURIComponent) : [], said: said || '' };
}

function noteInvalid(event: any) {
  if (!refused || refused.fields.length >= MOST_INVALID) return;
  forgetTexts();
  const field = event.composedPath()[0];
  refused.fields.push({ ...describe(field), message: isSecret(field) ? '' : field.validationMessage || '' });
  tellRefusal();
}

let tellRefusal = () => {};

export function whenRefused(tell: () => void) { tellRefusal = tell; }

let answering: MutationObserver | null = null; // sees what a page makes of being asked to send a form
let answers = 0;
const written = (form: any) => Array.from(form.elements || [], (each: any) => [each.value, each.checked].join()).join('\n');

function noteSubmit(event: any) {
  if (!refused) return;
  const form = event.composedPath()[0];
  [refused.submit, refused.form, refused.written, answers] = [event, form, written(form), 0];
  if (answering) answering.disconnect();
  answering = new MutationObserver((records) => { answers += records.length; });
  for (const root of new Set([document, form.getRootNode()])) answering.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
}

/** Whether anything has come of a form that the page keeps from being sent: a change, also in its own fields. */
function hasAnswered() {
  answers += answering ? answering.takeRecords().length : 0;
  return answers > 0 || written(refused.form) !== refused.written;
}
const MOST_INVALID = 20;

export function beginAct() {
  for (const [type, note] of [[SETTINGS.pending_event, notePending],
    ['invalid', noteInvalid], ['submit', noteSubmit]] as [string, (event: any) => void][]) window.addEventListener(type, note, true);
  refused = { fields: [], submit: null };
  begun_ms = performance.now();
  window.dispatchEvent(new MouseEvent(SETTINGS.begin_event));
}

export function noteAct(element: Element) { beginAct(); return [element]; }

export function askPending() {
  pending = null;
  window.addEventListener(SETTINGS.pending_event, notePending, true);
  window.dispatchEvent(new MouseEvent(SETTINGS.ask_event));
  return pending || { ...readPending([]), age_ms: SETTINGS.settling_ms };
}

export function readSending() {
  const { fields, submit } = refused || { fields: [], submit: null };
  const under_way = askPending(), { requests } = under_way;
  const isSwallowed = Boolean(submit && submit.defaultPrevented) && !requests && !hasAnswered();
  return { fields, is_sent: Boolean(submit && !submit.defaultPrevented), is_leaving: isSending(), is_asked: Boolean(submit), requests,
    is_swallowed: isSwallowed, is_open: isSwallowed && under_way.pending > 0 };
}

/** Whether the document is about to be left for what answers a form, which the browser does a moment after the form's own event. */
export function isSending() {
  const { submit, form } = refused || {};
  if (!submit || submit.defaultPrevented || performance.now() - submit.timeStamp > SETTINGS.settling_ms) return false;
  const by = submit.submitter || form;
  const read = (name: string) => (attributeOf(by, `form${name}`) || attributeOf(form, name) || '').toLowerCase();
  return read('method') !== 'dialog' && ['', '_self', '_top', '_parent'].includes(read('target'));
}

/** Lets the next Enter reach the page, but send no form by itself. */
export function guardEnter() {
  const guard = (event: any) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    window.removeEventListener('keydown', guard);
  };
  window.addEventListener('keydown', guard);
  return true;
}

const OPENING_MS = 10_000;
const MOST_TIMINGS = 250; // with more than these the browser writes none down

export function isFetching() {
  const timings = performance.getEntriesByType('resource');
  if (timings.length >= MOST_TIMINGS) return false;
  const come = new Set(timings.map(({ name }) => name));
  const asked = findAll(document, 'script[src], link[rel=modulepreload][href]');
  return performance.now() < OPENING_MS && asked.some((each) => /^https?:/.test(each.src || each.href) && !come.has(each.src || each.href));
}

/** Whether a document still fetches what it is made of, and the milliseconds since it got the last of that; 0 where it asked for nothing. What it asks again and again doesn't count. */
export function readBuilding() {
  const { is_building, fetched_ms } = askPending();
  return { is_building: is_building || isFetching(), fetched_ms };
}

// What looks for something or leads on is no such thing: it is pressed where one wants that.
const SENDS = /^(submit|send|save|apply|confirm|absenden|senden|speichern|anwenden|best\u00e4tigen)(?![\p{L}\p{N}])/iu;
const BUTTONS = 'button, input[type=submit], input[type=button], [role=button]';

/** The one button that still wants to be pressed for what was entered to count; empty where there is none, or several, so that it isn't clear which is meant. */
export function readUnsent(root: Element) {
  const sending = findAll(root, BUTTONS).map((each) => ({ each, name: fold(nameOf(each)) }))
    .filter(({ each, name }) => SENDS.test(name) && isVisible(each) && !disabledBecause(each));
  return { button: sending.length === 1 ? sending[0].name : '' };
}
