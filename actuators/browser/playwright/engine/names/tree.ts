import { isRemembering, once } from './memory.ts';

/** As in HTML, also where the document is XHTML, which writes its own small. */
export const tagOf = (node: any) => (node.nodeName === node.localName && node.namespaceURI === 'http://www.w3.org/1999/xhtml' ? node.nodeName.toUpperCase() : node.nodeName);

export const withId = (element: Element, id: string) => id && element.getRootNode().querySelector(`#${CSS.escape(id)}`);

export const idsIn = (element: Element, attribute: string) => (element.getAttribute(attribute) || '').split(/\s+/).filter(Boolean);

export const ledToBy = (element: Element, attribute: string): Element[] => idsIn(element, attribute).map((id) => withId(element, id)).filter(Boolean);

const shadowsIn = (root: Root): ShadowRoot[] => once('shadows', root, () => {
  const whole = root.getRootNode();
  if (isRemembering() && whole !== root) return shadowsIn(whole).filter(({ host }) => host !== root && root.contains(host));
  const found: ShadowRoot[] = [];
  for (const element of root.querySelectorAll('*')) if (element.shadowRoot) found.push(element.shadowRoot);
  return found;
});

/** What fits, in shadow trees, too. Nobody may change the list, which others may be given as well. */
export const findAll = (root: Root, css: string): Element[] => once(css, root, () => {
  const found = Array.from<Element>(root.querySelectorAll(css));
  for (const shadow of shadowsIn(root)) for (const each of findAll(shadow, css)) found.push(each);
  return found;
});

/** As `findAll`, also in the element's own shadow tree. */
export const allIn = (element: Element, css: string) => [...findAll(element, css), ...(element.shadowRoot ? findAll(element.shadowRoot, css) : [])];

export const scopeOf = (root: Root) => (root.shadowRoot && !root.childElementCount ? root.shadowRoot : root);

/** Around an element as it is drawn: what is put into a slot stands inside of the shadow tree that the slot is in. */
export const aroundOf = (node: any) => node.assignedSlot || node.parentElement || node.getRootNode().host || null;

/** Around an element in its document; a shadow tree is in its host. */
export const parentOf = (node: any) => node.parentElement || node.getRootNode().host || null;

/** What is around an element within the body, the nearest first, with the hosts of shadow trees. */
export function above(element: Element, most: number = Infinity) {
  const found: Element[] = [];
  for (let up = parentOf(element); up && up !== document.body && found.length < most; up = parentOf(up)) found.push(up);
  return found;
}

export function kidsOf(element: any): any[] {
  const given = tagOf(element) === 'SLOT' ? element.assignedNodes() : [];
  return given.length ? given : Array.from((element.shadowRoot || element).childNodes);
}

export function innermost(elements: Element[]) {
  const outer = new Set();
  for (const one of elements) for (let up = aroundOf(one); up && !outer.has(up); up = aroundOf(up)) outer.add(up);
  return elements.filter((one) => !outer.has(one));
}

export const classText = (element: Element) => element.getAttribute('class') || '';

export const isInSvg = (element: Element) => Boolean(element.ownerSVGElement);

export const isDrawing = (element: Element) => element.matches('svg *');

/** Where a page names something "title", that stands before its own. */
export const titleNow = () => String(document.title ?? '');

export const wholeOf = (root: Root) => document.body || root;

export const isAlone = (found: Element[], element: Element) => found.length === 1 && found[0] === element;

export const unique = <T>(elements: T[]) => [...new Set(elements)];

/** Those that are in no other one, but for what the CSS fits, which may hold others. */
export function outermost(elements: Element[], holding: string = ':not(*)') {
  const all = new Set(elements.filter((each) => !each.matches(holding)));
  return elements.filter((element) => {
    for (let up = element.parentElement; up; up = up.parentElement) if (all.has(up)) return false;
    return true;
  });
}

export function holds(outer: any, inner: any) {
  for (let each = inner; each; each = each.parentNode || each.host) if (each === outer) return true;
  return false;
}

/** What an act on an element would really act on. Attributes are read past what a form's own fields may stand in front of. */
export function attributeOf(element: Element, name: string) { return Element.prototype.getAttribute.call(element, name); }

export function addressOf(text: string) { try { return new URL(text, document.baseURI).href; } catch { return text; } }

export function activeElement() {
  let active = document.activeElement;
  while (active && active.shadowRoot && active.shadowRoot.activeElement) active = active.shadowRoot.activeElement;
  return active;
}
