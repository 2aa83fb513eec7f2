/** How states, times and sizes are told. Pure. */

/** @typedef {import('../wires/types').StepState} StepState */
/** @typedef {import('../wires/types').RunRecord} RunRecord */

/**
 * @typedef {'planned' | 'asking' | 'running' | 'confirmed' | 'done' | 'read' | 'failed' | 'refused' | 'skipped' | 'cancelled' | 'unknown'} Look
 */

/** @type {Record<Look, string>} */
const LOOKS = {
  planned: 'Planned',
  asking: 'Asks you',
  running: 'Running',
  confirmed: 'Confirmed',
  done: 'Done, not read back',
  read: 'Read',
  failed: 'Failed',
  refused: 'Refused',
  skipped: 'Skipped',
  cancelled: 'Stopped',
  unknown: 'Outcome unknown',
};

/** @type {Record<string, Look>} */
const BY_STATUS = {
  planned: 'planned', asking: 'asking', started: 'running', refused: 'refused', skipped: 'skipped', cancelled: 'cancelled', left: 'skipped',
};
/** @type {Record<string, Look>} */
const BY_EFFECT = { confirmed: 'confirmed', unverified: 'done' };
const UNKNOWN = new Set(['outcome_unknown', 'unknown_outcome']);

/**
 * @param {StepState} step
 * @returns {Look}
 */
export function lookOf(step) {
  if (step.error && UNKNOWN.has(step.error.code)) return 'unknown';
  if (step.status === 'ok') return BY_EFFECT[step.effect] ?? 'read';
  return BY_STATUS[step.status] ?? 'failed';
}

/**
 * @param {Look} look
 * @returns {string}
 */
export function nameLook(look) {
  return LOOKS[look];
}

/** @type {Record<string, [string, string]>} */
const OUTCOMES = {
  success: ['confirmed', 'Done'],
  partial: ['partial', 'Partly done'],
  failed: ['failed', 'Failed'],
  cancelled: ['cancelled', 'Stopped'],
};

/**
 * @param {Pick<RunRecord, 'status'>} run
 * @returns {boolean} Whether it waits or goes on; one that was cut short does not, nor one of which nothing is known yet.
 */
export function isLive(run) {
  return !['ended', 'interrupted', 'loading'].includes(run.status);
}

/**
 * @param {Pick<RunRecord, 'status' | 'outcome'>} run
 * @returns {[string, string]} How a run stands: a look, and words.
 */
export function tellRun(run) {
  if (run.status === 'loading') return ['planned', 'Loading…'];
  if (run.status === 'waiting') return ['planned', 'Waiting'];
  if (run.status === 'asking') return ['asking', 'Waits for you'];
  if (run.status === 'interrupted') return ['unknown', 'Cut short'];
  if (isLive(run)) return ['running', 'Running'];
  return OUTCOMES[run.outcome ?? ''] ?? ['planned', 'Ended'];
}

/**
 * @param {number} ms
 * @returns {string} Such as `148 ms`, `1.8 s` and `3 min`.
 */
export function tellMs(ms) {
  if (ms < 1) return '< 1 ms';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 90_000) return `${Math.round(ms / 1000)} s`;
  return `${Math.round(ms / 60_000)} min`;
}

/**
 * @param {number} seconds
 * @returns {string} Such as `just now`, `4 min ago` and `2 days ago`.
 */
export function tellAgo(seconds) {
  if (seconds < 5) return 'just now';
  if (seconds < 90) return `${Math.round(seconds)} s ago`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 129_600) return `${Math.round(seconds / 3600)} h ago`;
  return `${Math.round(seconds / 86_400)} days ago`;
}

/**
 * @param {string | undefined} moment In UTC, ISO 8601.
 * @param {number} [now] In milliseconds.
 * @returns {string}
 */
export function tellSince(moment, now = Date.now()) {
  const at = Date.parse(moment ?? '');
  return Number.isNaN(at) ? '' : tellAgo(Math.max(0, (now - at) / 1000));
}

/**
 * @param {number} count
 * @param {string} thing One of them.
 * @returns {string} Such as `1 step` and `3 steps`.
 */
export function tellCount(count, thing) {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

/**
 * @param {string | undefined} moment In UTC, ISO 8601.
 * @returns {string} Date and time of the day, as they are written here; empty for none.
 */
export function tellMoment(moment) {
  const at = Date.parse(moment ?? '');
  return Number.isNaN(at) ? '' : new Date(at).toLocaleString();
}

/**
 * @param {number} bytes
 * @returns {string}
 */
export function tellSize(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/** @type {Record<string, string>} */
const APPROVALS = {
  apply_diff: 'changes files',
  run_job: 'starts a program',
  confirm: 'needs your word',
};

/**
 * @param {string} approval Its class.
 * @returns {string}
 */
export function tellApproval(approval) {
  return APPROVALS[approval] ?? approval.replaceAll('_', ' ');
}
