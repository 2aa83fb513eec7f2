/** The box to type a goal: said in a session's conversation, or planned first so that a person sees what it would do. */

import { h } from '../dom/elements.js';
import { send } from '../wires/api.js';
import { app, attempt, go, redraw, refresh } from '../app.js';
import { callSession, shorten } from '../runs/names.js';
import { icon } from './icons.js';
import { previewGoal } from '../runs/previewing.js';

const OWN = 'console';
const TALL_PX = 180, MOST = 44;

export const goalBox = { text: '', session: OWN, busy: false };

/** The box. */
export function goalForm() {
  const names = [...new Set([OWN, goalBox.session, ...app.sessions.map((each) => each.name)])].filter(Boolean);
  return h('form', { key: 'goal', class: 'goal', on: { submit } },
    h('label', { for: 'goal-text', class: 'unseen' }, 'What shall be done?'),
    h('textarea', {
      id: 'goal-text', rows: '1', class: 'goal-text', placeholder: 'open example.com and read the title', spellcheck: 'false',
      'aria-describedby': 'goal-hint', value: goalBox.text, on: { input: type, keydown: pressKey },
    }),
    h('div', { class: 'goal-foot' },
      h('label', { class: 'goal-session' }, h('span', null, 'in session'),
        h('select', { value: goalBox.session, on: { change: (/** @type {Event} */ event) => {
          goalBox.session = /** @type {HTMLSelectElement} */ (event.target).value;
        } } }, names.map((name) => h('option', { key: name, value: name }, shorten(callSession(name, app.runs), MOST))))),
      h('span', { id: 'goal-hint', class: 'goal-hint' }, h('kbd', null, 'Enter'), ' does it, ', h('kbd', null, 'Shift Enter'), ' makes a line'),
      h('span', { class: 'goal-buttons' },
        h('button', { type: 'button', class: 'button', disabled: goalBox.busy || !goalBox.text.trim(), on: { click: () => void planFirst() } }, icon('read'), h('span', null, 'Plan first')),
        h('button', { type: 'submit', class: 'button primary', disabled: goalBox.busy || !goalBox.text.trim() }, icon('send'), h('span', null, 'Do it')))));
}

/** @param {Event} event */
function type(event) {
  const box = /** @type {HTMLTextAreaElement} */ (event.target);
  goalBox.text = box.value;
  box.style.setProperty('height', 'auto');
  box.style.setProperty('height', `${Math.min(box.scrollHeight, TALL_PX)}px`);
  redraw();
}

/** @param {KeyboardEvent} event */
function pressKey(event) {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  void submit(event);
}

/** @param {Event} event */
async function submit(event) {
  event.preventDefault();
  const text = goalBox.text.trim();
  if (!text || goalBox.busy) return;
  await whileBusy(async () => {
    const said = { text, request_id: crypto.randomUUID() };
    const ticket = await attempt(() => send(`v1/sessions/${encodeURIComponent(goalBox.session)}/say`, said));
    if (!ticket) return;
    clear();
    await refresh();
    go(`/runs/${ticket.run_id}`);
  });
}

/** Show what it would do; nothing is done. */
async function planFirst() {
  const order = { text: goalBox.text.trim(), session: goalBox.session };
  await whileBusy(async () => {
    const plan = await attempt(() => send('v1/plan', order));
    if (!plan) return;
    previewGoal(order, plan);
    go('/plan');
  });
}

/** @param {() => Promise<void>} act */
async function whileBusy(act) {
  goalBox.busy = true;
  redraw();
  await act();
  goalBox.busy = false;
  redraw();
}

/** Make the box empty. */
export function clear() {
  goalBox.text = '';
  document.getElementById('goal-text')?.style.removeProperty('height');
}
