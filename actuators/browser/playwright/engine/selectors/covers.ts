/** What lies over elements. */
import { drawnBy } from '../names/areas.ts';
import { layersOver } from '../finding/probes.ts';
import { nameOf } from '../names/naming.ts';
import { CONTAINERS, CONTROLS } from '../names/roles.ts';
import { hitAt } from '../names/sight.ts';
import { holds } from '../names/tree.ts';
import { headingsOf } from './callings.ts';

/** What a press in the middle of an element would meet instead of it, where that is in the window; null where it would meet the element. */
export function coverOf(element: Element): Element | null {
  const box = element.getBoundingClientRect();
  const x = box.x + box.width / 2, y = box.y + box.height / 2;
  if (!box.width || !box.height || x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return null;
  const hit = hitAt(element);
  if (!hit || holds(element, hit) || holds(hit, element) || drawnBy(hit) === element) return null;
  return Array.from(element.labels || []).some((label) => holds(label, hit)) ? null : toldLayer(hit, element);
}

/** What people would say that lies over an element: of what was hit and what is around it, that which has a name. */
export function toldLayer(hit: Element, element: Element): Element | null {
  const layers = layersOver(hit, element);
  const isTold = (each: Element) => each.matches(`${CONTAINERS}, ${CONTROLS}`) && Boolean(nameOf(each) || headingsOf(each).length);
  return layers.find(isTold) || layers.find((each) => each.matches('[role], dialog, [id], [aria-label]')) || layers.at(-1) || null;
}
