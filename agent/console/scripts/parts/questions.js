/** What waits for a person: acts to approve with what they would change, and things to choose or to say. */

import { h } from '../dom/elements.js';
import { answerQuestion, app, redraw } from '../app.js';
import { icon } from './icons.js';
import { diffView, dataList } from './diffs.js';
import { button } from './chips.js';
import { sessionChip } from './run_rows.js';
import { tellApproval } from '../runs/words.js';

/** @typedef {import('../app.js').AskedQuestion} AskedQuestion */

const MANY = 2;

/** @type {Map<string, {busy: boolean, text: string, chosen: boolean}>} */
const ANSWERS = new Map();

/**
 * @param {AskedQuestion[]} questions
 * @param {{withLink?: boolean}} [how]
 */
export function questionList(questions, how = {}) {
  if (!questions.length) return null;
  const approvals = questions.filter((each) => each.kind === 'confirm' && !each.needs_person);
  return h('section', { key: 'questions', class: 'questions', 'aria-label': 'Waiting for you' },
    h('h2', { class: 'unseen' }, 'Waiting for you'),
    approvals.length >= MANY ? manyAtOnce(approvals) : null,
    questions.map((each) => questionCard(each, how, approvals.length >= MANY)));
}

/**
 * Several at once: the marked ones are approved, the others are declined. This is how a part of what a run would change is taken.
 * @param {AskedQuestion[]} approvals
 */
function manyAtOnce(approvals) {
  const chosen = approvals.filter((each) => stateOf(each).chosen);
  const others = approvals.length - chosen.length;
  const words = others ? `Approve ${chosen.length}, decline ${others}` : `Approve all ${approvals.length}`;
  const settle = async () => {
    for (const each of approvals) await answerNow(each, stateOf(each).chosen);
  };
  return h('div', { key: 'many', class: 'many' },
    h('p', null, h('strong', null, `${approvals.length} changes wait for you. `), 'Unmark what you do not want.'),
    button(words, settle, { look: 'primary', icon: 'confirmed' }));
}

/**
 * @param {AskedQuestion} question
 * @param {{withLink?: boolean}} how
 * @param {boolean} among Whether it is one of several to approve.
 */
function questionCard(question, how, among) {
  const isApproval = question.kind === 'confirm';
  return h('article', { key: question.question_id, class: `question ${isApproval ? 'approval' : ''}`, 'aria-label': question.prompt },
    h('header', { class: 'question-head' },
      isApproval && among && !question.needs_person ? chooser(question) : h('span', { class: 'badge look-asking' }, icon('asking')),
      h('div', { class: 'question-words' },
        h('h3', { class: 'question-prompt' }, question.diff ? headOf(question.prompt) : question.prompt),
        h('p', { class: 'question-about' },
          question.asker ? h('strong', null, `${question.asker} asks`) : null,
          question.approval ? h('span', { class: 'chip' }, tellApproval(question.approval)) : null,
          sessionChip(question.session),
          question.until ? h('span', { class: 'countdown' }, tellLeft(question.until)) : null,
          how.withLink && question.run_id && !question.asker ? h('a', { href: `#/runs/${question.run_id}` }, 'Show the run') : null))),
    question.diff ? diffView(question.diff, nameChange(question)) : null,
    question.diff && headOf(question.prompt) !== question.prompt ? h('details', { class: 'in-full' }, h('summary', null, 'In full'), h('p', null, question.prompt)) : null,
    !question.diff && isApproval ? dataList(question.operation) : null,
    isApproval ? approvalButtons(question) : choices(question));
}

/**
 * @param {string} prompt
 * @returns {string} What would be done, without the values that the diff below shows.
 */
function headOf(prompt) {
  return prompt.split(' — with ')[0] ?? prompt;
}

/** @param {AskedQuestion} question */
function chooser(question) {
  const state = stateOf(question);
  return h('input', {
    type: 'checkbox', class: 'chooser', checked: state.chosen, 'aria-label': `Approve: ${question.prompt}`,
    on: { change: (/** @type {Event} */ event) => {
      state.chosen = /** @type {HTMLInputElement} */ (event.target).checked;
      redraw();
    } },
  });
}

/** @param {AskedQuestion} question */
function approvalButtons(question) {
  const { busy } = stateOf(question);
  return h('footer', { class: 'question-foot' },
    question.needs_person ? null : button('Approve', () => answerNow(question, true), { look: 'primary', icon: 'confirmed', disabled: busy, label: `Approve: ${question.prompt}` }),
    button('Decline', () => answerNow(question, false), { icon: 'failed', disabled: busy, label: `Decline: ${question.prompt}` }),
    h('span', { class: 'question-note' }, question.needs_person ? 'Somebody who may approve has to say yes.' : 'Holds once, for exactly what is shown.'));
}

/** @param {AskedQuestion} question */
function choices(question) {
  const state = stateOf(question);
  if (question.choices.length) {
    return h('footer', { class: 'question-foot' },
      question.choices.map((choice) => button(choice, () => answerNow(question, choice), { disabled: state.busy })));
  }
  const id = `answer-${question.question_id}`;
  return h('form', { class: 'question-foot', on: { submit: (/** @type {Event} */ event) => {
    event.preventDefault();
    if (state.text) void answerNow(question, state.text);
  } } },
    h('label', { for: id, class: 'unseen' }, 'Your answer'),
    h('input', { id, class: 'field', autocomplete: 'off', placeholder: 'Your answer', on: { input: (/** @type {Event} */ event) => {
      state.text = /** @type {HTMLInputElement} */ (event.target).value;
    } } }),
    h('button', { type: 'submit', class: 'button primary', disabled: state.busy }, h('span', null, 'Answer')));
}

/**
 * @param {AskedQuestion} question
 * @param {boolean | string} answer
 */
async function answerNow(question, answer) {
  const state = stateOf(question);
  if (state.busy) return;
  state.busy = true;
  redraw();
  await answerQuestion(question, answer);
  state.busy = false;
}

/** @param {AskedQuestion} question */
function stateOf(question) {
  const known = ANSWERS.get(question.question_id);
  if (known) return known;
  const made = { busy: false, text: '', chosen: true };
  ANSWERS.set(question.question_id, made);
  return made;
}

/**
 * @param {number} until
 * @returns {string}
 */
function tellLeft(until) {
  const seconds = Math.max(0, Math.round((until - Date.now()) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`;
}

/** @param {AskedQuestion} question */
function nameChange(question) {
  const path = String(question.operation['path'] ?? question.operation['destination'] ?? '');
  return path.split(/[\\/]/).pop() || /^\+\+\+ (?:b\/)?(.*)$/m.exec(question.diff)?.[1] || 'the file';
}

/**
 * @param {string} runId
 * @param {string} session
 * @returns {AskedQuestion[]} What this run waits for; what its session asks counts where nothing of it runs.
 */
export function questionsOf(runId, session) {
  return app.questions.filter((each) => each.run_id === runId || (!each.run_id && !each.asker && each.session === session && session));
}
