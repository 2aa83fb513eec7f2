/** Makes closed shadow roots open for Playwright; to the page they still look closed. */

const shut = new WeakSet();
const attach = Element.prototype.attachShadow;
const rootOf = /** @type {any} */ ( Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot'));
const modeOf = /** @type {any} */ (Object.getOwnPropertyDescriptor(ShadowRoot.prototype, 'mode'));
Element.prototype.attachShadow = function attachShadow(/** @type {any} */ options) {
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
