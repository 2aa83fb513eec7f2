/** What a person can do with a run: stop it, take it back, go on with it, run it again. */

import { h } from '../dom/elements.js';
import { send } from '../wires/api.js';
import { attempt, go, notify, redraw, refresh } from '../app.js';
import { isLive, lookOf } from '../runs/words.js';
import { badge, button, errorBox } from './chips.js';
import { diffView } from './diffs.js';

/**
 * @typedef {import('../wires/types').RunRecord} RunRecord
 * @typedef {import('../wires/types').RunState} RunState
 */

/** What would be taken back of which run, while a person looks at it. */
const undoing = { runId: '', busy: false, told: /** @type {any} */ (null) };

/**
 * @param {RunRecord} run
 * @param {RunState} state
 */
export function runActions(run, state) {
  const path = `v1/runs/${encodeURIComponent(run.run_id)}`;
  if (isLive(run)) {
    return h('div', { class: 'run-actions' }, button('Stop', () => stop(path), { look: 'danger', icon: 'stop' }));
  }
  const steps = [...state.steps.values()];
  const acted = steps.some((step) => step.undo || ['confirmed', 'unverified'].includes(step.effect));
  const isCut = !run.outcome || steps.some((step) => lookOf(step) === 'unknown');
  return h('div', { class: 'run-actions' },
    isCut ? button('Go on', () => resume(path), { look: 'primary', icon: 'resume' }) : null,
    repeatOf(run) ? button('Run again', () => again(run), { icon: 'again' }) : null,
    acted ? button('Undo…', () => lookBack(run.run_id, path), { icon: 'undo' }) : null);
}

/** @param {string} path */
async function stop(path) {
  const done = await attempt(() => send(`${path}/stop`));
  if (done) notify('The run was told to stop.');
  await refresh();
}

/** @param {string} path */
async function resume(path) {
  const ticket = await attempt(() => send(`${path}/resume`));
  await refresh();
  if (ticket) go(`/runs/${ticket.run_id}?again=${Date.now()}`);
}

/**
 * @param {RunRecord} run
 * @returns {Record<string, any> | null} What asks for the same again.
 */
function repeatOf(run) {
  const asked = run.request ?? {};
  const text = asked['utterance'] ?? asked['text'];
  if (text) return { text, session: run.session };
  if (Array.isArray(asked['goals']) && asked['goals'].length) return { goals: asked['goals'], session: run.session };
  return run.order ? { ...run.order, request_id: undefined } : null;
}

/** @param {RunRecord} run */
async function again(run) {
  const order = { ...repeatOf(run), request_id: crypto.randomUUID() };
  const ticket = await attempt(() => send('v1/runs', order));
  await refresh();
  if (ticket) go(`/runs/${ticket.run_id}`);
}

/**
 * @param {string} runId
 * @param {string} path
 */
async function lookBack(runId, path) {
  const told = await attempt(() => send(`${path}/undo`, { dry: true }));
  if (!told) return;
  Object.assign(undoing, { runId, told, busy: false });
  redraw();
}

/** @type {Record<string, string>} */
const UNDO_WORDS = { taken_back: '', already: 'already undone', not_undoable: 'can’t be undone', failed: 'failed' };

/** @param {string} runId */
export function undoPart(runId) {
  if (undoing.runId !== runId) return null;
  const path = `v1/runs/${encodeURIComponent(runId)}`;
  /** @type {{steps?: any[], errors?: any[]}} */
  const { steps = [], errors = [] } = undoing.told;
  const possible = steps.filter((step) => step.status === 'taken_back').length;
  return h('div', { key: 'undo', class: 'card undo' },
    h('h2', null, possible ? `${possible} of ${steps.length} ${steps.length === 1 ? 'step' : 'steps'} can be undone` : 'Nothing can be undone'),
    errors.map((error) => errorBox(error)),
    h('ul', { class: 'undo-steps' }, steps.map((step, place) => undoStep(step, place))),
    h('div', { class: 'question-foot' },
      possible ? button('Undo now', () => undo(path), { look: 'danger', icon: 'undo', disabled: undoing.busy }) : null,
      button('Leave it', () => {
        undoing.runId = '';
        redraw();
      })));
}

/**
 * @param {any} step
 * @param {number} place
 */
function undoStep(step, place) {
  const why = step.error?.message ?? step.how ?? '';
  return h('li', { key: place, class: `undo-step ${step.status}` },
    badge(step.status === 'taken_back' ? 'confirmed' : 'skipped', UNDO_WORDS[step.status] || 'can be undone'),
    h('div', null, h('p', null, step.description), h('p', { class: 'undo-why' }, [UNDO_WORDS[step.status], why].filter(Boolean).join(': ')),
      step.preview?.diff ? diffView(step.preview.diff, 'the file') : null));
}

/** @param {string} path */
async function undo(path) {
  undoing.busy = true;
  redraw();
  const told = await attempt(() => send(`${path}/undo`, { dry: false }));
  undoing.busy = false;
  if (told) {
    notify(told.reply || 'It was undone.');
    undoing.runId = '';
  }
  await refresh();
}
