/** What a step sees of its element, so that a later run can tell what became of it. Nothing that was entered is told. */
import { attributeOf, tagOf } from '../names/tree.ts';
import { describe } from '../names/naming.ts';
import { remembering } from '../names/memory.ts';
import { nameElements } from '../selectors/selectors.ts';
import { collect } from './collecting.ts';
import { look } from '../things/look.ts';
import { elementWith, refOf } from '../things/refs.ts';

const LARGEST = 25_000; // elements of a page, beyond which only the element itself is told
const NAMING_MS = 400;

function factsOf(element: any) {
  const control = element.closest('label')?.control || element;
  const link = element.closest('a[href], area[href]');
  const told = { placeholder: attributeOf(control, 'placeholder') || '', type: tagOf(control) === 'INPUT' ? attributeOf(control, 'type') || 'text' : '', href: link ? pathOf(link) : '' };
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value));
}

function pathOf(link: Element) {
  try {
    const address = new URL(attributeOf(link, 'href') || '', document.baseURI);
    return address.origin === location.origin ? address.pathname : `${address.origin}${address.pathname}`;
  } catch {
    return '';
  }
}

/** What the look has told of an element: itself, what it is the label or a part of, or the first thing in it. */
function toldFor(element: any) {
  const told = new Set(look.things.filter((thing) => thing.element && thing.kind !== 'hidden').map((thing) => thing.element));
  const around = [element, element.closest('label')?.control, element.parentElement, element.parentElement?.parentElement];
  return around.find((each) => told.has(each)) || [...told].find((each) => element.contains(each));
}

export const readSeen = (element: any, { from, secrets, is_named }: { from: number, secrets: string[], is_named: boolean }) => remembering(() => {
  const about = describe(element);
  const own = { role: about.role, name: about.name, facts: factsOf(element), framed: window !== top, url: `${location.origin}${location.pathname}` };
  if (document.getElementsByTagName('*').length > LARGEST) return { ...own, outline: null, ref: '', form: null };
  const outline = collect(element, { from, is_page: true, secrets, words: [], names_ms: 0 });
  const thing = toldFor(element);
  const [named] = is_named ? nameElements([element], { limit_ms: NAMING_MS }) : [null];
  return { ...own, outline, ref: thing ? refOf(thing) : '', form: named ? named.selector : null };
});

export const readFacts = (_: any, { refs }: { refs: string[] }) => refs.map((ref) => { const element = elementWith(ref); return element ? factsOf(element) : {}; });
