/**
 * What the page shall look like, as data, and how the document is brought there. What has the same key or place stays the same element, so
 * that focus, what was typed, what was scrolled and what was opened stay as the person left them.
 */

/**
 * @typedef {{tag: string, key: string, props: Record<string, any>, children: (Wanted | string)[]}} Wanted
 * @typedef {Wanted | string | number | false | null | undefined} Child
 */

const SVG = 'http://www.w3.org/2000/svg';

/** @type {WeakMap<Node, Wanted>} */
const KEPT = new WeakMap();

/**
 * Describe an element.
 * @param {string} tag
 * @param {Record<string, any> | null} props Attributes; `key`, `on` (handlers by event), `style` (by property), `value` and `checked`
 *   (set only when they change here), `mount` (told the new element), `unmount` (told when it goes), `own` (its children are its own).
 * @param {...(Child | Child[])} children
 * @returns {Wanted}
 */
export function h(tag, props, ...children) {
  const given = props ?? {};
  return { tag, key: given['key'] === undefined ? '' : String(given['key']), props: given, children: flatten(children) };
}

/**
 * Bring what is in an element to what is wanted.
 * @param {Element} host
 * @param {(Child | Child[])[]} children
 */
export function patch(host, children) {
  const wanted = flatten(children);
  const kept = [...host.childNodes];
  const found = wanted.map((child) => takeMatch(kept, child));
  for (const node of kept) discard(node);
  let next = host.firstChild;
  wanted.forEach((child, place) => {
    const node = found[place] ?? create(child, host.namespaceURI ?? '');
    if (node === next) next = node.nextSibling;
    else host.insertBefore(node, next);
    update(node, child);
  });
}

/**
 * @param {(Child | Child[])[]} children
 * @returns {(Wanted | string)[]}
 */
function flatten(children) {
  return children.flat(3).flatMap((child) => {
    if (child === false || child === null || child === undefined || child === '') return [];
    return [typeof child === 'number' ? String(child) : /** @type {Wanted | string} */ (child)];
  });
}

/**
 * @param {ChildNode[]} kept What is there and not yet taken; the match is taken out.
 * @param {Wanted | string} child
 * @returns {ChildNode | undefined}
 */
function takeMatch(kept, child) {
  const place = kept.findIndex((node) => {
    if (typeof child === 'string') return node.nodeType === Node.TEXT_NODE;
    const was = KEPT.get(node);
    return was?.tag === child.tag && was.key === child.key;
  });
  return place < 0 ? undefined : kept.splice(place, 1)[0];
}

/**
 * @param {Wanted | string} child
 * @param {string} space Of the element around it.
 * @returns {ChildNode}
 */
function create(child, space) {
  if (typeof child === 'string') return document.createTextNode(child);
  const isSvg = child.tag === 'svg' || (space === SVG && child.tag !== 'div');
  const element = isSvg ? document.createElementNS(SVG, child.tag) : document.createElement(child.tag);
  KEPT.set(element, { tag: child.tag, key: child.key, props: {}, children: [] });
  child.props['mount']?.(element);
  return element;
}

/**
 * @param {ChildNode} node
 * @param {Wanted | string} child
 */
function update(node, child) {
  if (typeof child === 'string') {
    if (node.nodeValue !== child) node.nodeValue = child;
    return;
  }
  const element = /** @type {HTMLElement} */ (node);
  const before = KEPT.get(element)?.props ?? {};
  KEPT.set(element, child);
  for (const name of new Set([...Object.keys(before), ...Object.keys(child.props)])) {
    setProp(element, name, before[name], child.props[name]);
  }
  if (!child.props['own']) patch(element, child.children);
  if (child.props['value'] !== undefined && child.tag === 'select') setProp(element, 'value', undefined, child.props['value']);
}

/**
 * @param {HTMLElement} element
 * @param {string} name
 * @param {any} before
 * @param {any} now
 */
function setProp(element, name, before, now) {
  if (name === 'on') listen(element, before ?? {}, now ?? {});
  else if (name === 'style') {
    for (const [property, value] of Object.entries(now ?? {})) element.style.setProperty(property, String(value));
  } else if (name === 'value' || name === 'checked') {
    if (before !== now) /** @type {any} */ (element)[name] = now ?? '';
  } else if (before !== now && !['key', 'mount', 'unmount', 'own'].includes(name)) setAttribute(element, name, now);
}

/**
 * @param {HTMLElement} element
 * @param {string} name
 * @param {any} value
 */
function setAttribute(element, name, value) {
  if (value === undefined || value === null || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? '' : String(value));
}

/**
 * One listener for each kind of event and element; it looks up what is to be done now.
 * @param {HTMLElement} element
 * @param {Record<string, unknown>} before
 * @param {Record<string, unknown>} now
 */
function listen(element, before, now) {
  for (const kind of Object.keys(now)) {
    if (kind in before) continue;
    element.addEventListener(kind, (event) => KEPT.get(element)?.props['on']?.[kind]?.(event));
  }
}

/** @param {ChildNode} node What goes, with all in it. */
function discard(node) {
  announceEnd(node);
  node.remove();
}

/** @param {Node} node */
function announceEnd(node) {
  KEPT.get(node)?.props['unmount']?.(node);
  node.childNodes.forEach(announceEnd);
}
