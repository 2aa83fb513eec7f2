/** What there is on a page, as it is told in an outline; evaluated at the first look. */
import { readFrame } from './frames.js';
import { collect } from './collecting.js';
import { findRef } from './refs.js';

/** @type {Record<string, Finder>} */
export const queries = { ref: findRef };

/** @type {Record<string, Probe>} */
export const probes = { outline: collect, frame_name: readFrame };
