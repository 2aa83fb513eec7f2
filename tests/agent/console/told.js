/** What the console's modules return, as plain data for tests. */

import { placePlan } from '../../../agent/console/scripts/runs/placing.js';
import { beginState, takeEvent } from '../../../agent/console/scripts/runs/run_state.js';

/** @param {any} plan */
export function tellPlaced(plan) {
  const placed = placePlan(plan);
  return { ...placed, cells: Object.fromEntries(placed.cells) };
}

/** @param {any[]} events */
export function tellRun(events) {
  const state = beginState('r');
  for (const event of events) takeEvent(state, event);
  return { ...state, steps: Object.fromEntries(state.steps) };
}
