/** Small drawings: one for each family of verbs, each state of a step and each button. */

import { h } from '../dom/elements.js';

/** @type {Record<string, string>} */
const PATHS = {
  // families
  browser: 'M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15ZM2.5 10h15M10 2.5c2.2 2 3.2 4.6 3.2 7.5S12.2 15.5 10 17.5M10 2.5C7.8 4.5 6.8 7.1 6.8 10s1 5.5 3.2 7.5',
  file: 'M5.5 2.5h6l3.5 3.5v11.5h-9.5zM11.5 2.5v3.5h3.5M8 10.5h4.5M8 13.5h4.5',
  audio: 'M3 8v4h3l4 3.5v-11L6 8zM13 7.5c1.5 1.3 1.5 3.7 0 5M15.5 5c3 2.7 3 7.3 0 10',
  desktop: 'M2.5 4h15v10h-15zM7 17h6M10 14v3',
  system: 'M4 4.5h12v11h-12zM6.5 8l2 2-2 2M10.5 12.5h3',
  media: 'M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15zM8.5 7v6l4.5-3z',
  memory: 'M6 3h8v14l-4-3-4 3z',
  clipboard: 'M5 4.5h10v13h-10zM7.5 3h5v3h-5z',
  project: 'M2.5 5h5l1.5 2h8.5v9h-15z',
  // states
  planned: 'M10 5.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9z',
  asking: 'M7.5 7.8a2.5 2.5 0 1 1 3.7 2.2c-.8.45-1.2.9-1.2 1.9M10 14.4v.2',
  running: 'M10 4a6 6 0 1 1-6 6',
  confirmed: 'M4.5 10.5l3.7 3.7 7.3-8',
  done: 'M4.5 10.5l3.7 3.7 7.3-8',
  read: 'M2.5 10s2.8-4.5 7.5-4.5 7.5 4.5 7.5 4.5-2.8 4.5-7.5 4.5-7.5-4.5-7.5-4.5zM10 8a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  failed: 'M5.5 5.5l9 9M14.5 5.5l-9 9',
  refused: 'M10 3.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM5.5 5.5l9 9',
  skipped: 'M5 10h10',
  partial: 'M10 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM10 4v12',
  cancelled: 'M6 6h8v8h-8z',
  unknown: 'M7.5 7.8a2.5 2.5 0 1 1 3.7 2.2c-.8.45-1.2.9-1.2 1.9M10 14.4v.2',
  // places and acts
  now: 'M10 2.5v4M10 13.5v4M2.5 10h4M13.5 10h4M10 8.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z',
  runs: 'M6.5 5h11M6.5 10h11M6.5 15h11M2.8 5h.4M2.8 10h.4M2.8 15h.4',
  rules: 'M3 4h14v12h-14zM3 8h14M8 8v8',
  health: 'M2.5 10.5h3.5l2-5.5 3.5 10 2-4.5h4',
  hand: 'M7 10.5v-6a1.3 1.3 0 0 1 2.6 0v4.5-6a1.3 1.3 0 0 1 2.6 0v6-4.5a1.3 1.3 0 0 1 2.6 0v7.5c0 3.5-2 5.5-4.8 5.5-2.5 0-3.6-1-5-3.5l-1.7-3.2c-.6-1.2 1-2.2 1.9-1.2z',
  stop: 'M6 6h8v8h-8z',
  undo: 'M7.5 4.5L4 8l3.5 3.5M4 8h7.5a4 4 0 0 1 0 8h-3',
  again: 'M15.5 10a5.5 5.5 0 1 1-1.7-4M14.5 3v3.5h-3.5',
  resume: 'M6.5 4.5v11l9-5.5z',
  save: 'M10 3v9.5M6.5 9.5l3.5 3.5 3.5-3.5M4 16.5h12',
  sun: 'M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM10 2v1.5M10 16.5v1.5M2 10h1.5M16.5 10h1.5M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M4.3 15.7l1.1-1.1M14.6 5.4l1.1-1.1',
  send: 'M4 10h11M10.5 5.5L15 10l-4.5 4.5',
  chevron: 'M7.5 5l5 5-5 5',
};

/**
 * @param {string} name
 * @param {string} [extra] Classes.
 */
export function icon(name, extra = '') {
  const path = PATHS[name] ?? PATHS['system'];
  return h('svg', { class: `icon ${extra}`, viewBox: '0 0 20 20', 'aria-hidden': 'true', focusable: 'false' }, h('path', { d: path }));
}

/**
 * @param {string} verb Such as `browser.click`.
 * @returns {string} The name of its family's drawing.
 */
export function familyOf(verb) {
  const family = verb.split('.')[0] ?? '';
  return family in PATHS ? family : 'system';
}
