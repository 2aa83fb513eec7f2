/** What all places of the page share: what is known now, where we are, and what is told to the person. */

import { read, send, ApiError } from './wires/api.js';
import { isSignedIn } from './wires/token.js';
import { isLive } from './runs/words.js';

/**
 * @typedef {import('./wires/types').RunRecord} RunRecord
 * @typedef {import('./wires/types').SessionRecord} SessionRecord
 * @typedef {import('./wires/types').OpenQuestion} OpenQuestion
 * @typedef {import('./wires/types').ErrorTold} ErrorTold
 * @typedef {OpenQuestion & {until: number}} AskedQuestion With the moment, in milliseconds, until which it can be answered; 0 for no such.
 */

const HURRIED_MS = 700;
const CALM_MS = 2500;
const HIDDEN_MS = 15_000;

export const app = {
  /** @type {RunRecord[]} */
  runs: [],
  /** @type {SessionRecord[]} */
  sessions: [],
  /** @type {AskedQuestion[]} */
  questions: [],
  /** @type {'' | 'joining' | 'here' | 'gone' | 'unknown'} How we stand with the service. */
  standing: /** @type {'' | 'joining' | 'here' | 'gone' | 'unknown'} */ ('joining'),
  /** @type {{id: number, text: string, look: string}[]} */
  notices: [],
  /** Draws the page; set by `main`. */
  draw: () => {},
};

let drawing = false;

/** Draw the page soon, once for all changes of this moment. */
export function redraw() {
  if (drawing) return;
  drawing = true;
  queueMicrotask(() => {
    drawing = false;
    app.draw();
  });
}

/** Ask again what there is, and go on asking; what runs or waits is asked about more often. */
export async function watch() {
  await refresh();
  const busy = app.questions.length > 0 || app.runs.some(isLive);
  setTimeout(() => void watch(), document.hidden ? HIDDEN_MS : busy ? HURRIED_MS : CALM_MS);
}

/** Ask what there is, now. */
export async function refresh() {
  if (!isSignedIn()) app.standing = 'unknown';
  else await askAll();
  redraw();
}

/** Ask the service for all that is shown everywhere. */
async function askAll() {
  try {
    const [runs, sessions, questions] = await Promise.all([read('v1/runs?most=50'), read('v1/sessions'), read('v1/questions')]);
    app.runs = listOf(runs, 'runs');
    app.sessions = listOf(sessions, 'sessions');
    takeQuestions(listOf(questions, 'questions'));
    app.standing = 'here';
  } catch (error) {
    const status = error instanceof ApiError ? error.status : 0;
    if (status === 401 || status === 403) app.standing = 'unknown';
    else if (status !== 429) app.standing = 'gone';
  }
}

/**
 * @param {any} answer A list, or a mapping with one.
 * @param {string} name
 * @returns {any[]}
 */
export function listOf(answer, name) {
  return Array.isArray(answer) ? answer : answer?.[name] ?? [];
}

/** @param {OpenQuestion[]} questions */
function takeQuestions(questions) {
  const known = new Map(app.questions.map((each) => [each.question_id, each.until]));
  const fresh = questions.filter((each) => !known.has(each.question_id));
  if (fresh.length) tell(fresh.length === 1 ? `You are asked: ${fresh[0]?.prompt}` : `${fresh.length} questions wait for you.`);
  app.questions = questions.map((each) => {
    const until = each.expires_in_s ? Date.now() + each.expires_in_s * 1000 : 0;
    return { ...each, until: known.get(each.question_id) ?? until };
  });
}

/** @param {string} text For those who hear the page. */
export function tell(text) {
  const place = document.getElementById('told');
  if (place) place.textContent = text;
}

let notices = 0;

/**
 * Show a word for a moment; errors stay longer.
 * @param {string} text
 * @param {'good' | 'bad'} [look]
 */
export function notify(text, look = 'good') {
  notices += 1;
  const notice = { id: notices, text, look };
  app.notices.push(notice);
  tell(text);
  setTimeout(() => dismiss(notice.id), look === 'bad' ? 12_000 : 4000);
  redraw();
}

/** @param {number} id */
export function dismiss(id) {
  app.notices = app.notices.filter((each) => each.id !== id);
  redraw();
}

/**
 * Do something; what goes wrong is shown.
 * @template T
 * @param {() => Promise<T>} act
 * @returns {Promise<T | undefined>}
 */
export async function attempt(act) {
  try {
    return await act();
  } catch (error) {
    const told = error instanceof ApiError ? error.told : { message: String(error), hint: '' };
    notify([told.message, told.hint].filter(Boolean).join(' '), 'bad');
    return undefined;
  }
}

/**
 * @param {OpenQuestion} question
 * @param {boolean | string} answer
 */
export async function answerQuestion(question, answer) {
  await attempt(async () => {
    await send(`v1/questions/${encodeURIComponent(question.question_id)}`, { digest: question.digest, answer });
    app.questions = app.questions.filter((each) => each.question_id !== question.question_id);
  });
  await refresh();
}

/** @param {string} path Behind `#`, such as `/runs/r1`. */
export function go(path) {
  location.hash = path;
}
