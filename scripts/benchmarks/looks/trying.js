/**
 * Tells for numbered elements whether somebody with a mouse reaches them: they are drawn, and what lies at one of their points, once they
 * are scrolled into the window, is they, something within them, or their label.
 * @param {Array<number>} numbers Which ones.
 * @returns {Array<{shown: boolean, reached: boolean, text: string}>} In the same order.
 */
(numbers) => {
  const SHARES = [[0.5, 0.5], [0.1, 0.5], [0.9, 0.5], [0.5, 0.1], [0.5, 0.9]];
  const MOST_BOXES = 4;
  const lies = (element, inner) => {
    for (let at = inner; at; at = at.parentNode ?? at.host ?? null) if (at === element) return true;
    return false;
  };
  const hit = (x, y) => {
    let at = document.elementFromPoint(x, y);
    while (at?.shadowRoot?.elementFromPoint(x, y) && at.shadowRoot.elementFromPoint(x, y) !== at) at = at.shadowRoot.elementFromPoint(x, y);
    return at;
  };
  const isDrawn = (element) => element.checkVisibility({ visibilityProperty: true })
    && [...element.getClientRects()].some((box) => box.width >= 1 && box.height >= 1);
  const reaches = (element, parts) => {
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    return [...element.getClientRects()].slice(0, MOST_BOXES).some((box) => SHARES.some(([across, down]) => {
      const at = hit(box.left + box.width * across, box.top + box.height * down);
      return at !== null && parts.some((part) => lies(part, at));
    }));
  };
  const found = numbers.map((number) => {
    const element = window.benchElements[number];
    const parts = [element, ...(element.labels ?? [])];
    const drawn = parts.filter(isDrawn);
    return {
      shown: drawn.length > 0,
      reached: drawn.some((part) => reaches(part, parts)),
      text: (element.innerText || element.value || element.title || element.alt || '').trim().replace(/\s+/g, ' ').slice(0, 60),
    };
  });
  window.scrollTo({ left: 0, top: 0, behavior: 'instant' });
  return found;
}
