/** The plan as a graph that fills in: steps as cards on tracks, the lines between them drawn behind. */

import { h } from '../dom/elements.js';
import { placePlan } from '../runs/placing.js';
import { lookOf, nameLook, tellMs, tellCount } from '../runs/words.js';
import { shorten } from '../runs/names.js';
import { icon, familyOf } from './icons.js';

/**
 * @typedef {import('../wires/types').RunState} RunState
 * @typedef {import('../wires/types').StepState} StepState
 * @typedef {import('../wires/types').Cell} Cell
 * @typedef {import('../wires/types').Plan} Plan
 * @typedef {import('../wires/types').Placed} Placed
 */

const WIDE = { width: 186, height: 82, across: 36, down: 18, edge: 14 };

/** Letters that two lines of a step have room for. */
const MOST_TEXT = 38, MOST_WORD = 19;

/** @type {WeakMap<Plan, Placed>} */
const PLACED = new WeakMap();

/**
 * @param {RunState} state
 * @param {(actionId: string) => void} choose Told which step a person wants to see.
 */
export function planGraph(state, choose) {
  const plan = state.plan;
  if (!plan?.nodes.length) return null;
  const placed = PLACED.get(plan) ?? placePlan(plan);
  PLACED.set(plan, placed);
  const size = {
    width: placed.columns * (WIDE.width + WIDE.across) - WIDE.across + 2 * WIDE.edge,
    height: placed.rows * (WIDE.height + WIDE.down) - WIDE.down + 2 * WIDE.edge,
  };
  return h('div', { key: 'graph', class: 'plan', tabindex: '0', role: 'region', 'aria-label': `The plan, ${tellCount(plan.nodes.length, 'step')}` },
    h('div', { class: 'plan-inside', style: { width: `${size.width}px`, height: `${size.height}px` } },
      h('svg', { class: 'plan-lines', viewBox: `0 0 ${size.width} ${size.height}`, width: size.width, height: size.height, 'aria-hidden': 'true' },
        placed.ways.map((way) => drawWay(way, state))),
      h('ol', { class: 'plan-steps' }, plan.nodes.map((node) => drawStep(node.action_id, placed, state, choose))),
    ),
  );
}

/**
 * A strip with a part for each step, for how far it is at a glance.
 * @param {RunState} state
 */
export function progressStrip(state) {
  const steps = [...state.steps.values()];
  const done = steps.filter((step) => !['planned', 'started', 'asking'].includes(step.status)).length;
  return [
    h('div', { class: 'strip', role: 'img', 'aria-label': `Ended: ${done} of ${tellCount(steps.length, 'step')}` },
      steps.map((step) => h('span', { key: step.action_id, class: `strip-part look-${lookOf(step)}` }))),
    h('span', { class: 'section-count' }, `${done} of ${steps.length}`),
  ];
}

/**
 * Bring what runs now into view; called when the state has changed.
 * @param {Element | null} host Around the graph.
 */
export function showRunning(host) {
  const plan = host?.querySelector('.plan');
  const steps = [...(plan?.querySelectorAll('.plan-step.look-running, .plan-step.look-asking') ?? [])];
  const places = /** @type {HTMLElement[]} */ (steps.map((step) => step.parentElement));
  const first = places.sort((one, other) => other.offsetLeft - one.offsetLeft)[0];
  if (!plan || !first || plan.matches(':hover, :focus-within')) return;
  const left = first.offsetLeft - plan.clientWidth / 2 + first.offsetWidth / 2;
  if (Math.abs(plan.scrollLeft - left) > plan.clientWidth / 4) plan.scrollTo({ left, behavior: 'smooth' });
}

/**
 * @param {string} actionId
 * @param {Placed} placed
 * @param {RunState} state
 * @param {(actionId: string) => void} choose
 */
function drawStep(actionId, placed, state, choose) {
  const step = /** @type {StepState} */ (state.steps.get(actionId));
  const look = lookOf(step);
  const { x, y } = locate(/** @type {Cell} */ (placed.cells.get(actionId)));
  return h('li', { key: actionId, class: 'plan-place', style: { left: `${x}px`, top: `${y}px` } },
    h('button', { type: 'button', class: `plan-step look-${look}`, title: step.description, on: { click: () => choose(actionId) } },
      h('span', { class: 'plan-head' },
        h('span', { class: 'plan-number' }, icon(familyOf(step.name)), h('span', null, h('span', { class: 'unseen' }, 'Step '), String(step.number))),
        h('span', { class: 'plan-mark' }, step.ms ? h('span', { class: 'plan-ms' }, tellMs(step.ms)) : null, h('span', { class: 'unseen' }, nameLook(look)), icon(look))),
      h('span', { class: 'plan-text' }, shorten(step.description.replace(/ (?:\/[^/\s]+)+\/([^/\s]+)/g, ' $1'), MOST_TEXT, MOST_WORD)),
    ),
  );
}

/**
 * @param {Placed['ways'][number]} way
 * @param {RunState} state
 */
function drawWay(way, state) {
  const from = state.steps.get(way.from);
  const to = state.steps.get(way.to);
  const reached = to && !['planned', 'skipped', 'left'].includes(to.status);
  const look = reached ? 'done' : from?.status === 'ok' ? 'next' : 'open';
  return h('path', { key: `${way.from}-${way.to}`, class: `way way-${look}`, d: drawPath(way.cells) });
}

/**
 * @param {Cell[]} cells
 * @returns {string} A curve through the cells.
 */
export function drawPath(cells) {
  const half = WIDE.height / 2;
  const parts = cells.slice(0, -1).map((cell, place) => {
    const next = /** @type {Cell} */ (cells[place + 1]);
    const start = { x: locate(cell).x + WIDE.width, y: locate(cell).y + half };
    const end = { x: locate(next).x, y: locate(next).y + half };
    const middle = (start.x + end.x) / 2;
    const through = place ? `L${start.x} ${start.y}` : `M${start.x} ${start.y}`;
    return `${through}C${middle} ${start.y} ${middle} ${end.y} ${end.x} ${end.y}`;
  });
  return parts.join('');
}

/**
 * @param {Cell} cell
 * @returns {{x: number, y: number}} Its upper left corner.
 */
function locate(cell) {
  return { x: WIDE.edge + cell.column * (WIDE.width + WIDE.across), y: WIDE.edge + cell.row * (WIDE.height + WIDE.down) };
}
