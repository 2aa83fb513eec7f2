/**
 * What can be seen of every numbered element without touching it.
 * @returns {Array<object>} In the order of the numbers.
 */
() => {
  const parentOf = (element) => element.parentElement ?? element.getRootNode().host ?? element.ownerDocument.defaultView?.frameElement ?? null;
  const cursors = new Map();
  return window.benchElements.map((element) => {
    const parent = parentOf(element);
    cursors.set(element, getComputedStyle(element).cursor);
    return {
      parent: window.benchNumbers.get(parent) ?? -1,
      tag: element.localName,
      points: cursors.get(element) === 'pointer' && cursors.get(parent) !== 'pointer',
      tabs: element.hasAttribute('tabindex') && element.tabIndex >= 0,
      edits: element.isContentEditable && !parent?.isContentEditable,
      drags: element.getAttribute('draggable') === 'true',
      labels: (element.localName === 'label' && Boolean(element.control))
        || Boolean(element.id && element.getRootNode().querySelector(`[aria-labelledby~="${CSS.escape(element.id)}"]`)),
    };
  });
}
