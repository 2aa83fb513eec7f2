/**
 * Numbers all elements of the document in reading order, shadow roots and frames of the same origin included, so that what several
 * tools say of the same page in browsers of their own can be compared.
 * @param {boolean} written Whether each number is also written on its element, for tools that see nothing of a page but its document.
 * @returns {number} How many there are.
 */
(written) => {
  const found = [];
  const walk = (root) => {
    for (const element of root.children) {
      found.push(element);
      if (element.shadowRoot) walk(element.shadowRoot);
      walk(element);
      if (element.localName === 'iframe' && element.contentDocument) walk(element.contentDocument);
    }
  };
  walk(document);
  window.benchElements = found;
  window.benchNumbers = new Map(found.map((element, number) => [element, number]));
  if (written) found.forEach((element, number) => element.setAttribute('data-bench', String(number)));
  return found.length;
}
