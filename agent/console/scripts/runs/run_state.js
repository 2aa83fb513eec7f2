/** What is known of a run, put together from its events or from what was saved of it. Pure. */

/**
 * @typedef {import('../wires/types').RunState} RunState
 * @typedef {import('../wires/types').RunEvent} RunEvent
 * @typedef {import('../wires/types').RunRecord} RunRecord
 * @typedef {import('../wires/types').StepState} StepState
 * @typedef {import('../wires/types').StepLog} StepLog
 * @typedef {import('../wires/types').Plan} Plan
 */

/**
 * @param {string} runId
 * @returns {RunState} Of a run of which nothing is known.
 */
export function beginState(runId) {
  return {
    run_id: runId, plan: null, steps: new Map(), seq: -1, at_ms: 0, outcome: '', reply: '', question: '', errors: [], ended: false, held: false, notes: [],
  };
}

/**
 * Take an event in; one that was taken in before changes nothing.
 * @param {RunState} state
 * @param {RunEvent} event
 */
export function takeEvent(state, event) {
  if (event.seq <= state.seq) return;
  state.seq = event.seq;
  state.at_ms = event.at_ms;
  const take = TAKERS[event.event];
  if (take) take(state, event);
}

/** @type {Record<string, (state: RunState, event: RunEvent) => void>} */
const TAKERS = {
  accepted: (state, event) => takePlan(state, event['plan']),
  question: (state, event) => {
    const step = state.steps.get(event['action_id']);
    if (step) step.status = 'asking';
    else state.question = event['prompt'];
  },
  step: (state, event) => takeStep(state, event),
  say: (state, event) => {
    state.reply = event['text'];
  },
  'planner.rejected': (state, event) => {
    state.errors = event['errors'] ?? [];
    state.question = event['question'] ?? '';
  },
  intervened: (state, event) => {
    state.held = event['held'];
    const deeds = event['deeds'] ?? [];
    state.notes.push(event['held'] ? 'A person took the page over.' : `The page was handed back. ${deeds.length ? `The person ${deeds.join(', ')}.` : 'Nothing was done on it.'}`);
  },
  final: (state, event) => {
    state.ended = true;
    state.outcome = event['outcome'];
    state.reply = event['reply'] || state.reply;
    for (const log of event['steps'] ?? []) takeLog(state, log);
    settleRest(state);
  },
};

/**
 * Take in what the service says of the run as a whole.
 * @param {RunState} state
 * @param {RunRecord} record
 */
export function takeRecord(state, record) {
  if (record.plan?.nodes && !state.plan) takePlan(state, record.plan);
  if (record.status !== 'ended') return;
  state.ended = true;
  state.outcome = record.outcome ?? '';
  state.reply = record.reply || state.reply;
  state.question = record.question ?? '';
  state.errors = record.errors ?? [];
  for (const log of record.step_logs ?? []) takeLog(state, log);
  settleRest(state);
}

/**
 * @param {RunState} state
 * @param {Plan} plan
 */
function takePlan(state, plan) {
  state.plan = plan;
  state.errors = [];
  plan.nodes.forEach((node, place) => {
    const known = state.steps.get(node.action_id);
    const made = makeStep(node.action_id, place + 1, node.name, node.description);
    state.steps.set(node.action_id, { ...made, args: node.args, approval: node.approval, ...(known ?? {}) });
  });
}

/**
 * @param {RunState} state
 * @param {RunEvent} event
 */
function takeStep(state, event) {
  const step = needStep(state, event['action_id'], '', event['description']);
  const { status, effect, output, evidence, error, ms } = event;
  if (status === 'started') step.status = 'started';
  else Object.assign(step, { status, effect, output, evidence, error, ms });
}

/**
 * @param {RunState} state
 * @param {StepLog} log
 */
function takeLog(state, log) {
  const step = needStep(state, log.action_id, log.name, log.description);
  const { status, effect, output, evidence, error, ms } = log.result;
  Object.assign(step, { status, effect, output, evidence, error, ms });
  step.name = log.name;
  step.summary = log.summary ?? '';
  step.origins = log.origins ?? [];
  step.undo = log.result.undo ?? '';
  step.note = log.result.note ?? '';
  step.tainted = log.result.tainted ?? {};
  if (log.args && Object.keys(log.args).length) step.args = log.args;
}

/**
 * @param {RunState} state
 * @param {string} actionId
 * @param {string} name
 * @param {string} description
 * @returns {StepState}
 */
function needStep(state, actionId, name, description) {
  const known = state.steps.get(actionId);
  if (known) return known;
  const step = makeStep(actionId, state.steps.size + 1, name, description);
  state.steps.set(actionId, step);
  return step;
}

/**
 * @param {string} actionId
 * @param {number} number
 * @param {string} name
 * @param {string} description
 * @returns {StepState}
 */
function makeStep(actionId, number, name, description) {
  return {
    action_id: actionId, number, name, description, approval: 'none', status: 'planned', effect: 'none', output: {}, evidence: {},
    error: null, summary: '', undo: '', note: '', args: {}, origins: [], tainted: {}, ms: 0,
  };
}

/** @param {RunState} state Of a run that has ended: what was not told of did not happen. */
function settleRest(state) {
  for (const step of state.steps.values()) {
    if (['planned', 'asking', 'started'].includes(step.status)) step.status = 'left';
  }
}
