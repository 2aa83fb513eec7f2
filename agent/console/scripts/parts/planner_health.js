/** How planners do: what they have to do, how long they took, what is wrong, and what failed. */

import { h } from '../dom/elements.js';
import { send } from '../wires/api.js';
import { attempt, notify } from '../app.js';
import { button, mark, emptyPlace } from './chips.js';
import { dataList } from './diffs.js';
import { icon } from './icons.js';
import { tellAgo, tellMs, tellSince } from '../runs/words.js';

/** @type {Record<string, string>} */
const SEVERITIES = { critical: 'failed', warning: 'asking', info: 'read', ok: 'confirmed' };

/**
 * @param {any} told As `surehand health --json` prints it.
 * @param {() => void} reload Looks again.
 */
export function plannersPart(told, reload) {
  /** @type {any[]} */
  const alerts = told.alerts ?? [];
  const known = new Map((told.episodes ?? []).map((/** @type {any} */ each) => [`${each.alert_id}:${each.subject}`, each]));
  return h('div', { class: 'planners' },
    alerts.length ? h('ul', { class: 'alerts' }, alerts.map((alert) => alertRow(alert, known.get(`${alert.alert_id}:${alert.subject}`), reload))) : h('p', null, mark('confirmed', 'Nothing is wrong')),
    backlogPart(told.backlog ?? {}),
    told.backlog?.counts?.pending ? button('Work off now', () => workOff(reload), { look: 'small' }) : null,
    plannerTable(told.planners ?? []),
    plannerList(told.known ?? []),
    failureList(told.failures ?? []),
    thresholdPart(told.thresholds ?? {}));
}

/**
 * @param {any} alert
 * @param {any} episode What is known of how long it goes on, and who took note.
 * @param {() => void} reload
 */
function alertRow(alert, episode, reload) {
  const look = SEVERITIES[alert.severity] ?? 'asking';
  const isNoted = Boolean(episode?.acknowledged_at || episode?.acknowledged);
  return h('li', { key: `${alert.alert_id}:${alert.subject}`, class: `alert look-${look}` },
    mark(look, alert.severity),
    h('div', { class: 'alert-words' },
      h('p', { class: 'alert-text' }, alert.summary),
      h('p', { class: 'alert-about' }, h('code', null, alert.alert_id), ` · ${alert.subject}`, episode?.began_at ? ` · since ${tellSince(episode.began_at)}` : '')),
    isNoted ? h('span', { class: 'chip' }, 'Acknowledged') : button('Acknowledge', () => acknowledge(alert, reload), { look: 'small' }));
}

/**
 * Take note of an alert, so that nobody is told again while it goes on.
 * @param {any} alert
 * @param {() => void} reload
 */
async function acknowledge(alert, reload) {
  const name = encodeURIComponent(`${alert.alert_id}:${alert.subject}`);
  const done = await attempt(() => send(`health/planners/alerts/${name}/acknowledge`));
  if (done) notify('Noted. Nobody is told of it again while it goes on.');
  reload();
}

/** @param {any[]} known All planners, as GET /v1/planners lists them. */
function plannerList(known) {
  if (!known.length) return null;
  return h('details', { key: 'known', class: 'folded' }, h('summary', null, icon('chevron'), 'All planners'),
    h('ul', null, known.map((each) => h('li', { key: each.name },
      h('code', null, each.name), ` (${each.capabilities.join(', ')}) ${each.description}`))));
}

/**
 * Work the backlog off, item by item.
 * @param {() => void} reload
 */
async function workOff(reload) {
  const worked = await attempt(() => send('v1/backlog/work', {}));
  if (worked) notify(worked.length ? `${worked.length} worked off.` : 'Nothing is pending for a planner.');
  reload();
}

/** @param {Record<string, any>} thresholds */
function thresholdPart(thresholds) {
  if (!Object.keys(thresholds).length) return null;
  return h('details', { key: 'thresholds', class: 'folded' }, h('summary', null, icon('chevron'), 'From when on something is wrong'), dataList(thresholds));
}

/** @param {any} backlog */
function backlogPart(backlog) {
  const counts = Object.entries(backlog.counts ?? {});
  const coverage = Object.entries(backlog.coverage ?? {});
  if (!counts.length && !coverage.length) return null;
  return h('div', { key: 'backlog' },
    h('h3', null, 'Backlog'),
    h('dl', { class: 'figures' },
      counts.map(([name, value]) => h('div', { key: name, class: `figure ${name === 'stuck' && value ? 'look-failed' : ''}` }, h('dt', null, name), h('dd', null, String(value)))),
      backlog.oldest_pending_s ? h('div', { class: 'figure' }, h('dt', null, 'oldest waits since'), h('dd', null, tellAgo(backlog.oldest_pending_s))) : null),
    coverage.map(([plan, share]) => h('div', { key: plan, class: 'coverage' },
      h('span', { class: 'coverage-name' }, plan), h('progress', { max: '1', value: Number(share), 'aria-label': `Coverage of ${plan}` }),
      h('span', { class: 'section-count' }, `${Math.round(Number(share) * 100)} %`))));
}

/** @param {any[]} planners */
function plannerTable(planners) {
  if (!planners.length) return emptyPlace('No planner ran in the last 24 hours.', '');
  return h('div', { key: 'planners', class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': 'Planners' },
    h('table', { class: 'table' },
      h('thead', null, h('tr', null, ['Planner', 'Runs', 'Outcomes', 'p50', 'p95', 'Retries', 'Tokens'].map((name) => h('th', { key: name, scope: 'col' }, name)))),
      h('tbody', null, planners.map((each) => h('tr', { key: each.planner_id },
        h('th', { scope: 'row' }, h('code', null, each.planner_id)),
        h('td', null, each.runs),
        h('td', null, Object.entries(each.outcomes ?? {}).map(([name, count]) => `${name} ${count}`).join(', ')),
        h('td', null, tellSeconds(each.p50_s)), h('td', null, tellSeconds(each.p95_s)),
        h('td', null, String(each.retries ?? 0)), h('td', null, String(each.tokens ?? 0)))))));
}

/**
 * @param {number | null | undefined} seconds
 * @returns {string}
 */
function tellSeconds(seconds) {
  return seconds === null || seconds === undefined ? '–' : tellMs(seconds * 1000);
}

/** @param {any[]} failures */
function failureList(failures) {
  if (!failures.length) return null;
  return h('div', { key: 'failures' }, h('h3', null, 'What failed lately'),
    h('ul', { class: 'failures' }, failures.map((each, place) => h('li', { key: place, class: 'card' },
      h('p', { class: 'alert-text' }, `${each.planner_id}: ${each.message || each.code}`),
      h('p', { class: 'alert-about' }, h('code', null, each.code), ` ${tellSince(each.began_at)}`,
        (each.saved_runs ?? []).slice(0, 3).map((/** @type {string} */ run, /** @type {number} */ at) => [' · ', h('a', { key: run, href: `#/runs/${run}` }, at ? `run ${at + 1}` : 'Show the run')])),
      each.snippet?.length ? h('ol', { class: 'snippet' }, each.snippet.map((/** @type {any} */ line, /** @type {number} */ at) => h('li', { key: at, class: line.is_tainted ? 'tainted' : '' },
        h('span', { class: 'snippet-kind' }, line.kind), line.text))) : null))));
}
