/** Makes closed shadow roots open for Playwright; to the page they still look closed. */

const shut = new WeakSet();
const attach = Element.prototype.attachShadow;
const rootOf =  Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot') as any;
const modeOf = Object.getOwnPropertyDescriptor(ShadowRoot.prototype, 'mode') as any;
Element.prototype.attachShadow = function attachShadow(options: any) {
  if (!options || options.mode !== 'closed') return attach.call(this, options);
  const root = attach.call(this, { ...options, mode: 'open' });
  shut.add(root);
  return root;
};
Object.defineProperty(Element.prototype, 'shadowRoot', { ...rootOf, get() {
  const root = rootOf.get.call(this);
  return shut.has(root) ? null : root;
} });
Object.defineProperty(ShadowRoot.prototype, 'mode', { ...modeOf, get() {
  return shut.has(this) ? 'closed' : modeOf.get.call(this);
} });

export {};
