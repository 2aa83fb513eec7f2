"""JavaScript that finds out why an element can't be acted on, where it is and what else there is; part of the page engine."""

PROBE_SCRIPT = r"""
function hiddenBecause(element) {
  for (let each = element; each; each = each.parentElement || (each.getRootNode().host)) {
    const style = getComputedStyle(each);
    const who = each === element ? 'it' : 'an element around it';
    if (style.display === 'none') return `${who} is not displayed (${each.hidden ? 'hidden' : 'display: none'})`;
    if (tagOf(each) === 'DETAILS' && !each.open && each !== element) return 'the details around it are closed';
    if (style.contentVisibility === 'hidden') return `${who} has content-visibility: hidden`;
  }
  if (getComputedStyle(element).visibility !== 'visible') return `visibility is ${getComputedStyle(element).visibility}`;
  return '';
}
function disabledBecause(element) {
  const control = element.closest('label')?.control || element;
  const group = control.closest('fieldset:disabled, optgroup:disabled');
  if (control.closest('[inert]')) return 'it is inert';
  if (control.matches(':disabled')) return group && !control.disabled ? 'the group around it is disabled' : 'it is disabled';
  return control.closest('[aria-disabled=true]') ? 'aria-disabled is true' : '';
}
function hitAt(element) {
  const box = element.getBoundingClientRect();
  const x = box.x + box.width / 2, y = box.y + box.height / 2;
  let hit = document.elementFromPoint(x, y);
  while (hit && hit.shadowRoot) {
    const inner = hit.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit;
}
function holds(outer, inner) {
  for (let each = inner; each; each = each.parentNode || each.host) if (each === outer) return true;
  return false;
}
function blockerOf(element) {
  const hit = hitAt(element);
  if (!hit || holds(element, hit)) return null;
  if (holds(hit, element)) return { ...describe(hit), is_behind: true };
  return describeBlocker(hit, element);
}
// What lies over a point of this document; nothing where a frame does, which knows more itself.
function blockerAt({ x_px, y_px }) {
  const hit = document.elementFromPoint(x_px, y_px);
  return !hit || hit.matches('iframe, frame, html, body') ? null : describeBlocker(hit, document.body);
}
function describeBlocker(hit, element) {
  let layer = hit;
  while (layer.parentElement && !holds(layer.parentElement, element)) layer = layer.parentElement;
  const layers = [];
  for (let each = hit; each && !holds(each, element); each = each.parentElement) layers.push(each);
  const told = layers.find((each) => each.matches('[role], dialog, [id], [aria-label]')) || layer;
  const style = getComputedStyle(layer);
  const area = layer.getBoundingClientRect();
  return { ...describe(told), position: style.position, is_transparent: style.opacity === '0' || (!told.textContent.trim()
    && style.backgroundImage === 'none' && /rgba\(.*, 0\)/.test(style.backgroundColor)),
    covers_page: area.width >= innerWidth * 0.9 && area.height >= innerHeight * 0.9 };
}
function whereOf(element) {
  for (let each = element.parentElement || element.getRootNode().host; each; each = each.parentElement || each.getRootNode().host) {
    if (each.matches('tr, [role=row], li, [role=listitem]')) {
      const text = each.querySelector('th, td, [role=rowheader], [role=cell]') || each;
      const name = (text === each && ownText(each)) || fold(childText(text));
      if (name && name.length < 60 && name !== nameOf(element)) return name;
    } else if (each.matches(CONTAINERS)) {
      const heading = Array.from(each.querySelectorAll(HEADINGS)).find((one) => one.closest(CONTAINERS) === each);
      const name = nameOf(each) || (heading ? fold(childText(heading)) : '');
      if (name) return name;
    }
  }
  return '';
}
// What an act on an element would really act on. Attributes are read past what a form's own fields may stand in front of.
function attributeOf(element, name) { return Element.prototype.getAttribute.call(element, name); }
function addressOf(text) { try { return new URL(text, document.baseURI).href; } catch { return text; } }
function aimOf(element) {
  const control = element.closest('label')?.control || element;
  const link = element.closest('a[href], area[href]');
  const form = control.form || control.closest('form');
  const sends = form && (attributeOf(control, 'formaction') || attributeOf(form, 'action') || document.URL);
  return {
    role: roleOf(element), name: nameOf(element), tag: element.nodeName.toLowerCase(), input_type: attributeOf(control, 'type') || '',
    leads_to: link ? addressOf(attributeOf(link, 'href')) : '', form_sends_to: form ? addressOf(sends) : '',
    form_method: form ? (attributeOf(control, 'formmethod') || attributeOf(form, 'method') || 'get').toLowerCase() : '',
    document: window === top ? '' : document.URL,
  };
}
const SUITABLE = `${CONTROLS}, ${HEADINGS}, [onclick]`;
const probes = {
  trouble(element) {
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    return {
      element: describe(element), framed: window !== top, hidden: hiddenBecause(element), disabled: disabledBecause(element),
      box: { x_px: box.x, y_px: box.y, width_px: box.width, height_px: box.height },
      viewport: { width_px: innerWidth, height_px: innerHeight },
      pointer_events: style.pointerEvents, read_only: element.readOnly === true || element.getAttribute('aria-readonly') === 'true',
      blocker: box.width && box.height ? blockerOf(element) : null,
    };
  },
  aim: aimOf,
  about(element) { return { ...describe(element), ...(toldOf(element) && { look: toldOf(element) }), in: whereOf(element), visible: isVisible(element),
    testid: element.getAttribute('data-testid') || '', text: fold(element.textContent || '').slice(0, 80) }; },
  candidates(root, { limit }) {
    const found = findAll(root, SUITABLE).filter(isVisible).slice(0, 2000);
    return found.map((element) => ({ ...describe(element), in: whereOf(element) })).filter((each) => each.name).slice(0, limit);
  },
  valued: listValued, looked: listLooks, iconed: listIcons, value: readValue, tick: readTick, ticked: readTicked, choice: readChoice, pick: pickOptions, files: readFiles, caretToEnd, enter: enterText,
  text: readText, whole: readWhole, typed: readTyped, html: readHtml, links: readLinks, table: readTable, state: readState, page: pageText, title: titleNow, lines: listLines, secrets: readSecrets, cell: readCell,
  at: (root, point) => blockerAt(point),
  hovered(element) { const hit = hitAt(element); return { hovered: element.matches(':hover'), on_top: Boolean(hit && holds(element, hit)) }; },
  resizable: (element) => element.matches('textarea') && !['none', ''].includes(getComputedStyle(element).resize),
  keep: keepRevealed,
  entry: (element) => !readTick(element) && element.matches(ROWS) && isPressable(element) && !element.querySelector(CONTROLS),
  mark: markText, fillable: listFillable,
  marked: readMarked,
  focused(element) {
    const active = activeElement();
    return { focused: active === element || (active && holds(element, active)), in_focus: document.hasFocus(), active: active ? describe(active) : null };
  },
  active() { const active = activeElement(); return active ? describe(active) : null; },
  control: readControl, gauge: readGauge, part: readPart, suggestions: readSuggestions, calendar: readCalendar,
  opener: nextOpener, sight: readSight, rest: readRest, content: readContent, way: readWay, scroll_on: scrollOn, scroll_back: scrollBackAll,
  hold: holdSecret, cover: coverSecrets, uncover: uncoverSecrets,
  sending: readSending, spot: (element, { text }) => (text && spotOfText(element, text)) || spotOf(element), hollow: isHollow, place: placeOf, watchDrag, readDrag, scroll: scrollFrom, zoom: zoomPage, zoomed: readZoom,
};
function activeElement() {
  let active = document.activeElement;
  while (active && active.shadowRoot && active.shadowRoot.activeElement) active = active.shadowRoot.activeElement;
  return active;
}
"""
