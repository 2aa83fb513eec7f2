/** Where an element stands, for those that nothing else names. */
import { tagOf } from '../names/tree.ts';

/** A CSS selector that leads to an element alone: from the nearest part with an id of its own, by what stands where. */
export function cssPathOf(element: Element) {
  const steps = [];
  for (let each = element; each && each !== document.documentElement; each = each.parentElement || each.getRootNode().host) {
    const id = /^[a-z][a-z_-]*$/i.test(each.id) ? `#${CSS.escape(each.id)}` : '';
    const alike = Array.from<Element>((each.parentElement || each.getRootNode()).children).filter((other: Element) => other.localName === each.localName);
    const step = tagOf(each).toLowerCase();
    steps.unshift(id || (alike.length > 1 ? `${step}:nth-of-type(${alike.indexOf(each) + 1})` : step));
    if (id && each.getRootNode().querySelectorAll(id).length === 1) break;
  }
  return steps.join(' > ');
}
