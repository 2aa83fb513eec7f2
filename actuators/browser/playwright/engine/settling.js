import { isSecret } from '../engine_names/secrecy.js';
import { describe, forgetTexts } from '../engine_names/naming.js';

/** @type {any} */
let refused = null; // of the latest act: the fields that a form was not sent for, and whether one was
let pending = null;

/** @param {any} event */
function notePending(event) {
  event.stopImmediatePropagation();
  pending = { pending: event.detail, age_ms: event.screenX, requests: event.screenY };
}

/** @param {any} event */
function noteInvalid(event) {
  if (!refused || refused.fields.length >= MOST_INVALID) return;
  forgetTexts();
  const field = event.composedPath()[0];
  refused.fields.push({ ...describe(field), message: isSecret(field) ? '' : field.validationMessage || '' });
  tellRefusal();
}

/** What is told as soon as a field was refused. */
let tellRefusal = () => {};

/** @param {() => void} tell */
export function whenRefused(tell) { tellRefusal = tell; }

/** @param {any} event */
function noteSubmit(event) { if (refused) refused.submit = event; }
const MOST_INVALID = 20;

export function beginAct() {
  for (const [type, note] of /** @type {[string, (event: any) => void][]} */ ([[SETTINGS.pending_event, notePending],
    ['invalid', noteInvalid], ['submit', noteSubmit]])) window.addEventListener(type, note, true);
  refused = { fields: [], submit: null };
  window.dispatchEvent(new MouseEvent(SETTINGS.begin_event));
}

/** @param {Element} element */
export function noteAct(element) { beginAct(); return [element]; }

export function askPending() {
  pending = null;
  window.dispatchEvent(new MouseEvent(SETTINGS.ask_event));
  return pending || { pending: 0, age_ms: SETTINGS.settling_ms, requests: 0 };
}

/** Whether a form was sent by the act, or the page was asked to send it, or sends something itself. */
export function readSending() {
  const { fields, submit } = refused || { fields: [], submit: null };
  return { fields, is_sent: Boolean(submit && !submit.defaultPrevented), is_asked: Boolean(submit), requests: askPending().requests };
}
