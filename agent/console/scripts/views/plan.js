/** What a goal would do, before anything is done: its plan, and its changes to take as a whole or in part. */

import { h } from '../dom/elements.js';
import { send } from '../wires/api.js';
import { attempt, go, redraw, refresh } from '../app.js';
import { previewed } from '../runs/previewing.js';
import { planGraph } from '../parts/plan_graph.js';
import { diffView, dataList } from '../parts/diffs.js';
import { button, emptyPlace } from '../parts/chips.js';
import { clear } from '../parts/goal_box.js';
import { icon } from '../parts/icons.js';
import { tellApproval } from '../runs/words.js';

/** @typedef {import('../runs/previewing.js').PreviewedGoal} PreviewedGoal */
/** @typedef {import('../wires/types').Change} Change */

const SHORT = 12;

export const planView = {
  title: 'Plan',
  draw() {
    const goal = previewed.now;
    if (!goal) {
      const back = h('a', { class: 'button', href: '#/' }, 'Back');
      return [h('h1', { key: 'title', tabindex: '-1' }, 'Plan'), emptyPlace('Nothing is planned.', 'Type a goal and choose “Plan first”.', back)];
    }
    const steps = [...goal.state.steps.values()];
    const leftOut = listLeftOut(goal);
    for (const step of steps) step.status = leftOut.has(step.action_id) ? 'skipped' : 'planned';
    return [
      h('p', { key: 'crumbs', class: 'crumbs' }, h('a', { href: '#/' }, 'Now'), ' / plan'),
      h('h1', { key: 'title', tabindex: '-1' }, goal.order['text']),
      h('p', { key: 'lead', class: 'lead' }, `${steps.length} ${steps.length === 1 ? 'step' : 'steps'}. Nothing was done yet.`),
      planGraph(goal.state, () => {}),
      goal.changes.length ? changeList(goal) : null,
      h('ol', { key: 'steps', class: 'plan-list' }, steps.map((step) => h('li', { key: step.action_id },
        h('span', { class: 'receipt-number' }, String(step.number)), h('span', null, step.description),
        step.approval === 'none' ? null : h('span', { class: 'chip chip-asks' }, icon('asking'), tellApproval(step.approval))))),
      h('div', { key: 'foot', class: 'plan-foot' },
        button(nameAct(goal), () => doIt(goal), { look: 'primary', icon: 'send', disabled: goal.busy }),
        h('a', { class: 'button', href: '#/' }, 'Back')),
    ];
  },
};

/**
 * @param {PreviewedGoal} goal
 * @returns {Set<string>} The steps that are left out: changes that are not marked, and all that follows from them.
 */
function listLeftOut(goal) {
  const leftOut = new Set(goal.changes.map((each) => each.id).filter((id) => !goal.chosen.has(id)));
  const edges = goal.state.plan?.edges ?? [];
  for (const id of leftOut) for (const [from, to] of edges) if (from === id) leftOut.add(to);
  return leftOut;
}

/**
 * @param {PreviewedGoal} goal
 * @returns {string}
 */
function nameAct(goal) {
  const leftOut = listLeftOut(goal);
  const [chosen, all] = [goal.changes.filter((each) => !leftOut.has(each.id)).length, goal.changes.length];
  return chosen < all ? `Do it with ${chosen} of ${all} changes` : 'Do it';
}

/** @param {PreviewedGoal} goal */
function changeList(goal) {
  return h('section', { key: 'changes', class: 'questions' }, h('h2', null, 'What it would change'),
    goal.changes.map((change) => changeCard(goal, change)));
}

/**
 * @param {PreviewedGoal} goal
 * @param {Change} change
 */
function changeCard(goal, change) {
  const toggle = (/** @type {Event} */ event) => {
    if (/** @type {HTMLInputElement} */ (event.target).checked) goal.chosen.add(change.id);
    else goal.chosen.delete(change.id);
    redraw();
  };
  const isDragged = goal.chosen.has(change.id) && listLeftOut(goal).has(change.id);
  return h('article', { key: change.id, class: 'question approval' },
    h('label', { class: 'question-head' },
      h('input', { type: 'checkbox', class: 'chooser', checked: goal.chosen.has(change.id), on: { change: toggle } }),
      h('span', { class: 'question-words' }, h('span', { class: 'question-prompt' }, change.text),
        isDragged ? h('span', { class: 'question-about' }, 'Left out, since it follows what is left out.') : null,
        change.note ? h('span', { class: 'question-about' }, change.note) : null)),
    change.diff ? diffView(change.diff, String(change.operation?.['path'] ?? 'the file').split(/[\\/]/).pop() ?? 'the file') : dataList(change.operation ?? {}));
}

/** @param {PreviewedGoal} goal */
async function doIt(goal) {
  goal.busy = true;
  redraw();
  const all = goal.chosen.size === goal.changes.length;
  const changes = goal.changes.filter((each) => goal.chosen.has(each.id)).map((each) => `${each.id}@${each.digest.slice(0, SHORT)}`);
  const order = { ...goal.order, ...(all ? {} : { changes }), request_id: crypto.randomUUID() };
  const ticket = await attempt(() => send('v1/runs', order));
  goal.busy = false;
  if (!ticket) return redraw();
  clear();
  previewed.now = null;
  await refresh();
  return go(`/runs/${ticket.run_id}`);
}
