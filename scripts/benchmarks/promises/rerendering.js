/**
 * Makes a document anew as a framework does that has lost its keys: every element is another one that looks the same, and ids that nothing in the
 * styles goes by are made anew, with all that refers to them. The keys of `identities.js` go over to the new elements. What can't be copied without
 * changing what it shows (frames, what has a shadow root, dialogs on top, media) stays, and so does what it is in; the rest is made anew.
 * @returns {number} How many elements are new.
 */
() => {
  const KEPT = 'iframe, frame, frameset, object, embed, video, audio, canvas, dialog, [popover]';
  const REFERRING = ['for', 'aria-labelledby', 'aria-describedby', 'aria-controls', 'aria-owns', 'aria-activedescendant', 'aria-details', 'list',
    'headers', 'form', 'popovertarget', 'commandfor', 'aria-errormessage', 'usemap', 'href', 'xlink:href', 'contextmenu'];
  const keys = window.lookKeys?.keys ?? new Map();
  const focused = document.activeElement;
  const known = new Map();
  const isKept = (element) => {
    if (!known.has(element)) known.set(element, stays(element));
    return known.get(element);
  };
  const stays = (element) => element.matches(KEPT) || element.shadowRoot || window.lookHosts?.has(element) || element.localName.includes('-') || element.hasAttribute('is')
    || [...element.children].some(isKept); // what was moved would begin anew
  const styles = [...document.styleSheets].map((sheet) => {
    try { return [...sheet.cssRules].map((rule) => rule.cssText).join('\n'); } catch { return ''; }
  }).join('\n');
  const roots = [document];
  let made = 0;
  const copies = new Map();
  const isStyled = (id) => styles.includes(`#${CSS.escape(id)}`) || location.hash === `#${id}`;
  const scrolled = [];
  const renew = (element) => {
    const kids = [...element.childNodes];
    if (element.shadowRoot) { roots.push(element.shadowRoot); renewKids(element.shadowRoot); }
    if (isKept(element) || element === document.body) { renewKids(element); return element; }
    const copy = element.cloneNode(false);
    made += 1;
    copies.set(element, copy);
    if (keys.has(element)) { keys.set(copy, keys.get(element)); keys.delete(element); window.lookKeys.found[Number(keys.get(copy).split(':')[1])] = copy; }
    if (element.scrollTop || element.scrollLeft) scrolled.push([copy, element.scrollTop, element.scrollLeft]);
    const state = 'value' in element && /^(input|textarea)$/.test(element.localName) && element.type !== 'file' ? element.value : null;
    const ticked = element.checked, chosen = element.selected, half = element.indeterminate;
    for (const kid of kids) copy.append(kid.nodeType === 1 ? renew(kid) : kid.cloneNode(false));
    if (state !== null && copy.value !== state) copy.value = state;
    if (chosen !== undefined) copy.selected = chosen;
    copies.set(copy, () => { if (ticked !== undefined) { copy.checked = ticked; copy.indeterminate = half; } });
    return copy;
  };
  const renewKids = (parent) => {
    for (const kid of [...parent.childNodes]) {
      if (kid.nodeType !== 1) continue;
      const copy = renew(kid);
      if (copy !== kid) parent.replaceChild(copy, kid);
    }
  };
  if (!document.body) return 0;
  renew(document.body);
  for (const after of copies.values()) if (typeof after === 'function') after();
  for (const [copy, top, left] of scrolled) { copy.scrollTop = top; copy.scrollLeft = left; }
  for (const root of roots) {
    const anew = new Map();
    for (const element of root.querySelectorAll('[id]')) {
      if (!element.id || isStyled(element.id) || anew.has(element.id) || element.localName.includes('-')) continue;
      anew.set(element.id, `r${made}-${anew.size}`);
    }
    for (const element of root.querySelectorAll('*')) {
      if (anew.has(element.id)) element.id = anew.get(element.id);
      for (const name of REFERRING) {
        const said = element.getAttribute(name);
        if (!said) continue;
        const isLink = said.startsWith('#');
        const words = (isLink ? said.slice(1) : said).split(/\s+/).map((word) => anew.get(word) ?? word).join(' ');
        if (words !== (isLink ? said.slice(1) : said)) element.setAttribute(name, isLink ? `#${words}` : words);
      }
    }
  }
  if (copies.get(focused) instanceof Element) copies.get(focused).focus({ preventScroll: true });
  return made;
}
