/** Areas of pictures: links that nothing draws but the picture that takes them for its map. */
import { tagOf } from './tree.ts';

/** What shows an element: itself, or the picture that it is an area of. */
export function drawnBy(element: any) {
  const map = tagOf(element) === 'AREA' && element.closest('map');
  const pictures = map && (map.name || map.id) ? Array.from<Element>(element.getRootNode().querySelectorAll('img[usemap], object[usemap]')) : [];
  return pictures.find((each) => [map.name, map.id].includes((each.getAttribute('usemap') || '').replace(/^#/, ''))) || element;
}

function originOf(picture: Element) {
  const box = picture.getBoundingClientRect(), style = getComputedStyle(picture);
  return { x: box.x + picture.clientLeft + parseFloat(style.paddingLeft), y: box.y + picture.clientTop + parseFloat(style.paddingTop), box };
}

/** The box around an element in the window, that of an area as its picture shows it. */
export function shownBox(element: Element): DOMRect {
  const picture = drawnBy(element);
  if (picture === element) return element.getBoundingClientRect();
  const numbers = (element.getAttribute('coords') || '').split(/[\s,;]+/).filter(Boolean).map(Number);
  const { x, y, box } = originOf(picture);
  if (!numbers.length) return box; // all of the picture
  const [left, top, radius] = numbers;
  if (/^circ/i.test(element.getAttribute('shape') || '')) return new DOMRect(x + left - radius, y + top - radius, 2 * radius, 2 * radius);
  const [across, down] = [0, 1].map((side) => numbers.filter((_, place) => place % 2 === side));
  const [width, height] = [across, down].map((all) => Math.max(...all) - Math.min(...all));
  return new DOMRect(x + Math.min(...across), y + Math.min(...down), width, height);
}
