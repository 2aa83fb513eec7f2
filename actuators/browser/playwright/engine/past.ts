/**
 * Members of nodes, past what the page has named.
 *
 * `form.id` is the field with the name `id`, where there is one, and `document.title` may be a picture, in every world. Names can't stand
 * before symbols: the build gives each member that is listed in `members.json` one, and writes `element[$id]` for `element.id`.
 */

// Of forms, what they don't have themselves is nothing; of whatever isn't a node, the member of that name.
const KINDS = [EventTarget, Node, CharacterData, Element, HTMLElement, SVGElement, MathMLElement, Document, DocumentFragment, ShadowRoot];

/** Returns the symbol that stands for a member. */
export function past(name: string) {
  const symbol = Symbol(name);
  const described: [any, PropertyDescriptor][] = [];
  for (const { prototype } of KINDS) {
    const each = Object.getOwnPropertyDescriptor(prototype, name);
    if (each) described.push([prototype, each]);
  }
  if (!described.some(([prototype]) => [EventTarget, Node, Element, HTMLElement].some((kind) => kind.prototype === prototype))) {
    described.push([HTMLFormElement.prototype, { value: undefined, writable: true }]);
  }
  Object.defineProperty(Object.prototype, symbol, { get() { return this[name]; }, set(value) { this[name] = value; }, configurable: true });
  for (const [prototype, each] of described) Object.defineProperty(prototype, symbol, each);
  return symbol;
}
