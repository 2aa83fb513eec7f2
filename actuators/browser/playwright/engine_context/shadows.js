/** Makes closed shadow roots open for Playwright; to the page they still look closed. */

const closed = new WeakSet();
const attach = Element.prototype.attachShadow;
const rootOf = Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot');
const modeOf = Object.getOwnPropertyDescriptor(ShadowRoot.prototype, 'mode');
Element.prototype.attachShadow = function attachShadow(options) {
  if (!options || options.mode !== 'closed') return attach.call(this, options);
  const root = attach.call(this, { ...options, mode: 'open' });
  closed.add(root);
  return root;
};
Object.defineProperty(Element.prototype, 'shadowRoot', { ...rootOf, get() {
  const root = rootOf.get.call(this);
  return closed.has(root) ? null : root;
} });
Object.defineProperty(ShadowRoot.prototype, 'mode', { ...modeOf, get() {
  return closed.has(this) ? 'closed' : modeOf.get.call(this);
} });
