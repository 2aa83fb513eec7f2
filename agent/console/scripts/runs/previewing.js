/** What was planned and not yet begun, for the place that shows it. */

import { beginState, takeRecord } from './run_state.js';

/**
 * @typedef {import('../wires/types').Change} Change
 * @typedef {import('../wires/types').RunState} RunState
 * @typedef {{order: Record<string, any>, state: RunState, changes: Change[], chosen: Set<string>, busy: boolean}} PreviewedGoal
 */

/** @type {{now: PreviewedGoal | null}} */
export const previewed = { now: null };

/**
 * @param {Record<string, any>} order What would be asked for.
 * @param {any} plan As `surehand plan --json` prints it.
 */
export function previewGoal(order, plan) {
  const state = beginState('');
  takeRecord(state, { run_id: '', session: '', status: 'waiting', plan: plan.plan ?? plan.graph ?? plan });
  /** @type {Change[]} */
  const changes = plan.diff_preview ?? plan.changes ?? [];
  previewed.now = { order, state, changes, chosen: new Set(changes.map((each) => each.id)), busy: false };
}
