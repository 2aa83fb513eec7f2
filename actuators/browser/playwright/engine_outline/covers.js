/** What lies over elements. */
import { layersOver } from '../engine/probes.js';
import { nameOf } from '../engine_names/naming.js';
import { hitAt } from '../engine_names/sight.js';
import { holds } from '../engine_names/tree.js';
import { kindOfElement } from '../engine_more/vocabulary.js';

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
  if (!hit || holds(element, hit) || holds(hit, element)) return null;
  if (Array.from(element.labels || []).some((label) => holds(label, hit))) return null;
  const layers = layersOver(hit, element);
  return layers.find((each) => kindOfElement(each).kind !== 'text' && nameOf(each)) || layers.find((each) => kindOfElement(each).kind === 'role') || layers.at(-1) || null;
}
