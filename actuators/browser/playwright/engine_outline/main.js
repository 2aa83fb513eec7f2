/** What there is on a page, as it is told in an outline; evaluated at the first look. */
import { readFrame } from './frames.js';
import { collect } from './collecting.js';
import { keepTold, listCandidates, nameTold } from './candidates.js';
import { elementWith, findRef } from './refs.js';
import { nameElements, selectorOf } from './selectors.js';

/** @type {Record<string, Finder>} */
export const queries = { ref: findRef };

/** @type {Record<string, Probe>} */
export const probes = {
  outline: collect, frame_name: readFrame, selector: selectorOf, candidates: listCandidates, keep_told: keepTold, name_told: nameTold,
  named: (root, { refs, limit_ms }) => nameElements(refs.map(elementWith), { limit_ms }),
};
