/** A run: its plan as a graph that fills in, what it asks, its receipts, its files, and the page that it acts on. */

import { h } from '../dom/elements.js';
import { follow, read, ApiError } from '../wires/api.js';
import { app, listOf, redraw } from '../app.js';
import { beginState, takeEvent, takeRecord } from '../runs/run_state.js';
import { isLive, tellCount, tellMoment, tellMs, tellRun, tellSince, lookOf } from '../runs/words.js';
import { isNamed, shorten, tellDoor, tellRequest } from '../runs/names.js';
import { planGraph, progressStrip, showRunning } from '../parts/plan_graph.js';
import { receiptList } from '../parts/receipts.js';
import { questionList, questionsOf } from '../parts/questions.js';
import { fileRow } from '../parts/pictures.js';
import { errorBox, foldedDetails, mark, emptyPlace } from '../parts/chips.js';
import { runActions, undoPart } from '../parts/run_actions.js';
import { screenPart } from '../parts/screen.js';

/**
 * @typedef {import('../wires/types').RunRecord} RunRecord
 * @typedef {import('../wires/types').RunState} RunState
 * @typedef {import('../wires/types').Artifact} Artifact
 */

/** Letters of the title and of the session above it. */
const MOST_TITLE = 160, MOST_CRUMB = 40;

const shown = {
  runId: '',
  /** @type {RunRecord | null} */
  record: null,
  /** @type {RunState} */
  state: beginState(''),
  /** @type {Artifact[]} */
  artifacts: [],
  /** @type {import('../wires/types').ErrorTold | null} */
  missing: null,
  /** @type {AbortController} */
  leaving: new AbortController(),
};

export const runView = {
  title: 'Run',
  /** @param {string} runId */
  enter(runId) {
    Object.assign(shown, { runId, record: null, state: beginState(runId), artifacts: [], missing: null, leaving: new AbortController() });
    void followRun(runId, shown.leaving.signal);
  },
  leave() {
    shown.leaving.abort();
  },
  draw() {
    const { record, state } = shown;
    if (shown.missing) return [h('h1', { key: 'title', tabindex: '-1' }, 'This run can’t be shown'), errorBox(shown.missing)];
    const run = { ...(record ?? knownRecord()), ...(state.ended ? { status: 'ended', outcome: state.outcome } : {}) };
    const questions = questionsOf(shown.runId, isLive(run) ? '' : run.session);
    if (questions.length && isLive(run)) run.status = 'asking';
    return [
      header(run),
      questionList(questions),
      reply(run),
      drawPlan(),
      h('div', { key: 'body', class: `run-body ${isLive(run) ? 'live' : ''}` }, drawMain(run), drawSide(run)),
    ];
  },
  drawn() {
    showRunning(document.querySelector('.plan-part'));
  },
};

/** @returns {RunRecord} What the list of runs says of it, until it has come as a whole. */
function knownRecord() {
  return app.runs.find((each) => each.run_id === shown.runId) ?? { run_id: shown.runId, session: '', status: 'loading' };
}

/**
 * @param {string} runId
 * @param {AbortSignal} signal
 */
async function followRun(runId, signal) {
  const path = `v1/runs/${encodeURIComponent(runId)}`;
  try {
    await readRecord(path);
    await follow(`${path}/events`, (event) => {
      takeEvent(shown.state, event);
      if (event.event === 'step' && event.status !== 'started') void readArtifacts(path);
      redraw();
    }, signal);
    await readRecord(path);
  } catch (error) {
    if (signal.aborted || !(error instanceof ApiError)) return;
    if (!shown.record) shown.missing = error.told;
    redraw();
  }
}

/** @param {string} path */
async function readRecord(path) {
  shown.record = await read(path);
  if (shown.record) takeRecord(shown.state, shown.record);
  await readArtifacts(path);
  redraw();
}

/** @param {string} path */
async function readArtifacts(path) {
  try {
    shown.artifacts = listOf(await read(`${path}/artifacts`), 'artifacts');
    redraw();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/** @param {RunRecord} run */
function header(run) {
  const [look, words] = tellRun(run);
  const facts = [run.door && `by ${tellDoor(run.door)}`, tellSince(run.began_at), shown.state.ended && shown.state.at_ms && `took ${tellMs(shown.state.at_ms)}`];
  return h('header', { key: 'head', class: 'run-head' },
    h('p', { class: 'crumbs' }, h('a', { href: '#/' }, 'Now'), ' / ', h('a', { href: '#/sessions' }, isNamed(run.session) ? shorten(run.session, MOST_CRUMB) : 'Sessions')),
    h('div', { class: 'run-title' },
      h('h1', { tabindex: '-1' }, shorten(nameRun(run), MOST_TITLE, MOST_TITLE)),
      shown.record ? runActions(run, shown.state) : null),
    h('div', { class: 'run-facts' }, mark(look, words), h('span', null, facts.filter(Boolean).join(' · ')), shown.record ? detailsOf(run) : null),
    undoPart(run.run_id));
}

/** @param {RunRecord} run */
function detailsOf(run) {
  return foldedDetails([['Asked for', nameRun(run)], ['Session', run.session], ['Begun', tellMoment(run.began_at)], ['Run id', run.run_id]]);
}

/**
 * @param {RunRecord} run
 * @returns {string} What was asked for; of goals what the first step does, since goals have no words of their own.
 */
function nameRun(run) {
  const asked = run.request ?? {};
  const [first, ...others] = shown.state.steps.values();
  if (run.status === 'loading') return 'A run';
  if (!first || asked['utterance'] || asked['flow']) return tellRequest(run);
  return others.length ? `${first.description}, and ${others.length} more` : first.description;
}

/** @param {RunRecord} run */
function reply(run) {
  const { state } = shown;
  const unknown = [...state.steps.values()].filter((step) => lookOf(step) === 'unknown');
  return h('div', { key: 'reply', class: 'reply-place' },
    state.reply && !state.errors.length ? h('p', { class: `reply look-${tellRun(run)[0]}` }, state.reply) : null,
    state.errors.map((error) => errorBox(error)),
    state.notes.map((note) => h('p', { class: 'note' }, note)),
    run.status === 'interrupted' ? h('div', { class: 'unknown-box' }, h('p', null, h('strong', null, 'The service ended during this run. '),
      'Go on with it: nothing is done twice, and you are asked about what nobody saw.')) : null,
    unknown.length ? h('div', { class: 'unknown-box' },
      h('p', null, h('strong', null, `Nobody saw how ${unknown.length === 1 ? `step ${unknown[0]?.number}` : tellCount(unknown.length, 'step')} ended. `),
        'It was not tried again. Look at the evidence below, then go on: you are asked what happened.')) : null);
}

/** The graph, over the whole width. */
function drawPlan() {
  if (!shown.state.plan?.nodes.length) return null;
  return h('section', { key: 'plan', class: 'plan-part', 'aria-label': 'Plan' },
    h('div', { class: 'section-head' }, h('h2', null, 'Plan'), progressStrip(shown.state)),
    planGraph(shown.state, showStep));
}

/** @param {RunRecord} run */
function drawMain(run) {
  const steps = [...shown.state.steps.values()];
  return h('div', { key: 'main', class: 'run-main' },
    h('section', { 'aria-label': 'Receipts' }, h('h2', null, 'Receipts'),
      steps.length ? receiptList(steps, shown.artifacts) : emptyPlace(isLive(run) ? 'It is being planned.' : shown.record ? 'No step was run.' : 'The run is loading.', '')));
}

/** @param {RunRecord} run */
function drawSide(run) {
  const files = shown.artifacts;
  return h('aside', { key: 'side', class: 'run-side', 'aria-label': 'Live view and files' },
    screenPart(app.sessions.some((each) => each.name === run.session) ? run.session : ''),
    files.length ? h('section', { key: 'files', class: 'card' }, h('h2', null, 'Files'), h('ul', { class: 'files' }, files.map((each) => fileRow(each, nameFile(each))))) : null);
}

/**
 * @param {Artifact} artifact
 * @returns {string} Its name, with the number of its step for the id of it.
 */
function nameFile(artifact) {
  const step = shown.state.steps.get(artifact.action_id);
  return step ? artifact.name.replace(artifact.action_id, `Step ${step.number}`).replace('.before', ', before').replace('.after', ', after') : artifact.name;
}

/** @param {string} actionId */
function showStep(actionId) {
  const receipt = document.getElementById(`step-${actionId}`);
  receipt?.scrollIntoView({ block: 'center', behavior: 'smooth' });
  receipt?.focus({ preventScroll: true });
}
