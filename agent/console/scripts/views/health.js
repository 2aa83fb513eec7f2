/** How the machine, the service and the planners do. */

import { h } from '../dom/elements.js';
import { read, ApiError } from '../wires/api.js';
import { listOf, redraw } from '../app.js';
import { badge, errorBox, mark } from '../parts/chips.js';
import { plannersPart } from '../parts/planner_health.js';
import { tellMs } from '../runs/words.js';

/** @typedef {{data: any, error: import('../wires/types').ErrorTold | null}} Part */

/** @type {Record<string, Part>} */
const parts = {};
const SOURCES = { service: 'v1/health', planners: 'health/planners', known: 'v1/planners', doctor: 'v1/doctor' };

export const healthView = {
  title: 'Health',
  enter() {
    for (const [name, path] of Object.entries(SOURCES)) void load(name, path);
  },
  draw() {
    return [
      h('h1', { key: 'title', tabindex: '-1' }, 'Health'),
      section('service', 'Service', servicePart),
      section('planners', 'Planners', (data) => plannersPart({ ...data, known: listOf(parts['known']?.data, '') }, () => void load('planners', SOURCES.planners))),
      section('doctor', 'This machine', doctorPart),
    ];
  },
};

/**
 * @param {string} name
 * @param {string} path
 */
async function load(name, path) {
  try {
    parts[name] = { data: await read(path), error: null };
  } catch (error) {
    parts[name] = { data: null, error: error instanceof ApiError ? error.told : { code: '', message: String(error) } };
  }
  redraw();
}

/**
 * @param {string} name
 * @param {string} title
 * @param {(data: any) => import('../dom/elements.js').Child} draw
 */
function section(name, title, draw) {
  const part = parts[name];
  return h('section', { key: name, class: 'health-part' }, h('h2', null, title),
    part?.error ? errorBox(part.error) : part ? draw(part.data) : h('p', { class: 'loading' }, 'Looking…'));
}

/** @param {any} data */
function servicePart(data) {
  const facts = /** @type {[string, string][]} */ ([
    ['Status', data.status === 'ok' ? 'up' : data.status],
    ['Runs going on', String(data.running ?? 0)],
    ['Open sessions', String(listOf(data.sessions, '').length || data.sessions || 0)],
    ['Open questions', String(data.questions ?? 0)],
    ['Up for', data.uptime_s === undefined ? '' : tellMs(data.uptime_s * 1000)],
  ]);
  return h('dl', { class: 'figures' }, facts.filter(([, value]) => value).map(([name, value]) => h('div', { key: name, class: 'figure' }, h('dt', null, name), h('dd', null, value))));
}

/** @typedef {{available: boolean, reason: string, remedy: string}} Ability */

/** @param {{capabilities?: Record<string, Ability>, verbs?: (Ability & {verb: string})[]}} data As `surehand doctor --json` prints it. */
function doctorPart(data) {
  const abilities = Object.entries(data.capabilities ?? {}).filter(([name]) => !name.includes(':'));
  const verbs = data.verbs ?? [];
  const missing = verbs.filter((each) => !each.available);
  const words = missing.length ? `${verbs.length - missing.length} of ${verbs.length} verbs work here` : `All ${verbs.length} verbs work here`;
  return h('div', null,
    h('p', null, mark(missing.length ? 'partial' : 'confirmed', words)),
    h('ul', { class: 'checks' }, abilities.sort(([, a], [, b]) => Number(a.available) - Number(b.available)).map(([name, each]) => checkRow(name, each))));
}

/**
 * @param {string} text
 * @returns {string} With a capital and a full stop.
 */
function tellSentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.+$/, '')}.`;
}

/**
 * @param {string} name
 * @param {Ability} each
 */
function checkRow(name, each) {
  return h('li', { key: name, class: 'check' }, badge(each.available ? 'confirmed' : 'refused', each.available ? 'works' : 'does not work'),
    h('div', null, h('p', { class: 'check-name' }, name),
      each.available ? null : h('p', { class: 'check-why' }, [each.reason, each.remedy].filter(Boolean).map(tellSentence).join(' '))));
}
