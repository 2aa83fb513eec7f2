/** What lies over elements. */
import { drawnBy } from '../names/areas.js';
import { layersOver } from '../finding/probes.js';
import { nameOf } from '../names/naming.js';
import { CONTAINERS, CONTROLS } from '../names/roles.js';
import { hitAt } from '../names/sight.js';
import { holds } from '../names/tree.js';
import { headingsOf } from './callings.js';

/**
 * What a press in the middle of an element would meet instead of it, where that is in the window; null where it would meet the element.
 * @param {Element} element
 * @returns {Element | null}
 */
export function coverOf(element) {
  const box = element.getBoundingClientRect();
  const x = box.x + box.width / 2, y = box.y + box.height / 2;
  if (!box.width || !box.height || x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return null;
  const hit = hitAt(element);
  if (!hit || holds(element, hit) || holds(hit, element) || drawnBy(hit) === element) return null;
  return Array.from(element.labels || []).some((label) => holds(label, hit)) ? null : toldLayer(hit, element);
}

/**
 * What people would say that lies over an element: of what was hit and what is around it, that which has a name.
 * @param {Element} hit
 * @param {Element} element
 * @returns {Element | null}
 */
export function toldLayer(hit, element) {
  const layers = layersOver(hit, element);
  const isTold = (/** @type {Element} */ each) => each.matches(`${CONTAINERS}, ${CONTROLS}`) && Boolean(nameOf(each) || headingsOf(each).length);
  return layers.find(isTold) || layers.find((each) => each.matches('[role], dialog, [id], [aria-label]')) || layers.at(-1) || null;
}
