/** What there is on a page, as it is told in an outline; evaluated at the first look. */
import { boxesOf } from './boxes.js';
import { readFrame } from '../selectors/frames.js';
import { collect } from './collecting.js';
import { keepTold, listCandidates, nameTold } from '../selectors/candidates.js';
import { elementWith, findRef } from '../things/refs.js';
import { readFacts, readSeen } from './seen.js';
import { nameElements, nameLayer, selectorOf } from '../selectors/selectors.js';

/** @type {Record<string, Finder>} */
export const queries = { ref: findRef };

/** @type {Record<string, Probe>} */
export const probes = {
  outline: collect, boxes: boxesOf, frame_name: readFrame, selector: selectorOf, layer: nameLayer, candidates: listCandidates, keep_told: keepTold, name_told: nameTold,
  seen: readSeen, facts: readFacts,
  named: (root, { refs, limit_ms }) => nameElements(refs.map(elementWith), { limit_ms }),
};
