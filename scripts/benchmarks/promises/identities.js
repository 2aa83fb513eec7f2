/**
 * Tells elements apart in the page's own world, whatever Surehand's engine thinks of them: each gets a key of its own when it is asked for first.
 * @param {Element} element
 * @returns {string} Its document and its number in it.
 */
(element) => {
  const at = element.ownerDocument.defaultView;
  at.lookKeys ??= { document: Math.random().toString(36).slice(2), keys: new Map(), found: [] };
  const { document, keys, found } = at.lookKeys;
  if (!keys.has(element)) keys.set(element, `${document}:${found.push(element) - 1}`);
  return keys.get(element);
}
