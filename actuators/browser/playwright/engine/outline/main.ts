/** What there is on a page, as it is told in an outline; evaluated at the first look. */
import { boxesOf } from './boxes.ts';
import { collect } from './collecting.ts';
import { keepTold, listCandidates, nameElements, nameLayer, nameTold, selectorOf } from '../selectors/selectors.ts';
import { elementWith, findRef } from '../things/refs.ts';
import { readFacts, readSeen } from './seen.ts';

export const queries: Record<string, Finder> = { ref: findRef };

export const probes: Record<string, Probe> = {
  outline: collect, boxes: boxesOf, selector: selectorOf, layer: nameLayer, candidates: listCandidates, keep_told: keepTold, name_told: nameTold,
  seen: readSeen, facts: readFacts,
  named: (_root, { refs, limit_ms }) => nameElements(refs.map(elementWith), { limit_ms }),
};
