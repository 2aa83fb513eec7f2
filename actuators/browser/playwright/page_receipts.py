"""JavaScript that proves a click: what received it, what was stopped on its way, what came of it at once.

The guard runs in the page's own world before any script of the page, so that its listeners come first and no page can
keep an event from it. It stops presses that would reach another element than the one aimed at, and passes the others on
to the receipt in the page engine, under a name that pages can't know. It also sees who stops an event: one that an
ancestor stops on its way down has never reached the handlers of its element.
"""

import secrets

RECEIPT_MARK = "surehand-receipt:"

# The name of the event by which the engine tells the guard what is aimed at; pages can't know it.
AIM_EVENT = f"surehand-{secrets.token_hex(8)}"
# By which the guard passes on a press, and by which it says who stopped one.
PRESS_EVENT = f"surehand-{secrets.token_hex(8)}"
STOP_EVENT = f"surehand-{secrets.token_hex(8)}"
# And by which it tells the engine that the page opened a window.
OPEN_EVENT = f"surehand-{secrets.token_hex(8)}"

IS_MINE_SCRIPT = """
const PRESSES = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu'];
const isMine = (path, element) => {
  const widened = element.closest('button, [role=button], a, [role=link]') || element;
  return path.some((node) => node === element || node === widened || (node.nodeName === 'LABEL' && node.control === element));
};
"""


def _write_names(script: str) -> str:
    names = {"AIM_EVENT": AIM_EVENT, "PRESS_EVENT": PRESS_EVENT, "STOP_EVENT": STOP_EVENT, "OPEN_EVENT": OPEN_EVENT}
    for name, value in (names | {"RECEIPT_MARK": RECEIPT_MARK}).items():
        script = script.replace(name, value)
    return script


# Stands behind TRACKING_SCRIPT, whose names it uses.
GUARD_SCRIPT = _write_names("""
  replace(window, 'open', (open, self, args) => {
    const opened = apply(open, self, args);
    if (opened || /noopener|noreferrer/.test(args[2])) apply(dispatch, window, [new Event('OPEN_EVENT')]);
    return opened;
  });

  let aim = null, press = null;
  apply(listen, window, ['AIM_EVENT', (event) => {
    event.stopImmediatePropagation();
    event.preventDefault(); // tells that there is a guard
    const element = event.composedPath()[0];
    press = null;
    aim = element === window ? null : { element, count: event.detail, ends_ms: event.timeStamp + event.screenX, passes: true };
  }, true]);
  const passOn = (name, node, { type, clientX, clientY }) => apply(dispatch, node, [new Signal(name,
    { composed: true, cancelable: true, detail: PRESSES.indexOf(type), clientX, clientY })]);
  const guard = (event) => {
    if (!aim || !event.isTrusted) return;
    if (event.timeStamp > aim.ends_ms) { aim = null; return; }
    const path = event.composedPath();
    if (event.type === 'pointerdown') aim.passes = isMine(path, aim.element);
    if (!aim.passes || (aim.passes = passOn('PRESS_EVENT', path[0], event)) === false) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    press = { event, path, inner: path.findLastIndex((node) => isMine([node], aim.element)) };
    if (['click', 'auxclick'].includes(event.type) && event.detail >= aim.count) aim = null;
  };
  for (const type of PRESSES) apply(listen, window, [type, guard, { capture: true, passive: false }]);
  // On its way down, outside of the element that it was meant for.
  const noteStop = (event) => {
    if (!press || event !== press.event || event.eventPhase !== Event.CAPTURING_PHASE) return;
    if (press.path.indexOf(event.currentTarget) > press.inner) passOn('STOP_EVENT', event.currentTarget, event);
  };
  for (const name of ['stopPropagation', 'stopImmediatePropagation']) {
    replace(Event.prototype, name, (stop, self, args) => { noteStop(self); return apply(stop, self, args); });
  }
  const cancelled = Object.getOwnPropertyDescriptor(Event.prototype, 'cancelBubble');
  Object.defineProperty(Event.prototype, 'cancelBubble', { ...cancelled, set: new Proxy(cancelled.set, { apply(set, self, args) {
    if (args[0]) noteStop(self);
    return apply(set, self, args);
  } }) });
""")

RECEIPT_SCRIPT = IS_MINE_SCRIPT + _write_names("""
const LAST = { left: 'click', middle: 'auxclick', right: 'contextmenu' };
const SENDERS = 'button:not([type=button], [type=reset]), input:is([type=submit], [type=image])';
let armed = null;
// Forms have their fields as properties, under whatever names a page gives them: what is asked of them is asked past these.
const fits = (node, css) => node instanceof Element && Element.prototype.matches.call(node, css);
function tellNode(node) {
  forgetTexts();
  try { return describe(node); } catch { return { role: 'form', name: attributeOf(node, 'name') || '', tag: 'form' }; }
}
function notePress(event) {
  event.stopImmediatePropagation();
  if (!armed) return;
  const type = PRESSES[event.detail];
  const path = event.composedPath();
  if (type === 'pointerdown' && isBesideText(path, event)) event.preventDefault(); // the guard stops it
  else if (type.startsWith('pointer')) noteHalf(type, path);
  else notePart(type, path);
}
// Whether a press comes down beside the text by which its element was found: on a control in it that doesn't show that, or
// far from where it is drawn, in something that holds controls as well.
const MANY_TIMES = 4;
function isBesideText(path, { clientX, clientY }) {
  const { element, text } = armed;
  const at = path.indexOf(element);
  const takesAll = (node) => fits(node, `${CONTROLS}, label`);
  if (!text || at < 0 || path.slice(at).some(takesAll)) return false;
  forgetTexts();
  const hit = path.slice(0, at).find(takesAll);
  if (hit) return ![childText(hit), ...namesOf(hit)].some((each) => key(each).includes(key(text)));
  const boxes = textBoxes(element, text);
  if (!boxes.length || !findAll(element, CONTROLS).some(isVisible)) return false;
  const { width, height } = element.getBoundingClientRect();
  const drawn = boxes.reduce((sum, box) => sum + box.width * box.height, 0);
  const isOn = ({ left, top, right, bottom }) => clientX >= left - 1 && clientX <= right + 1 && clientY >= top - 1 && clientY <= bottom + 1;
  return width * height > MANY_TIMES * drawn && !boxes.some(isOn);
}
// Where the page has written its document anew, the guard is gone.
function noteEvent(event) {
  if (armed && !armed.isGuarded && event.isTrusted) notePart(event.type, event.composedPath());
}
function notePart(type, path) {
  const link = path.find((node) => ['A', 'AREA', 'FORM'].includes(node.nodeName));
  const target = (link && attributeOf(link, 'target')) || '';
  armed.opens = type === 'click' && Boolean(target) && !target.startsWith('_s');
  armed.sends = path.some((node) => fits(node, SENDERS) && Boolean(node.form));
  const mine = isMine(path, armed.element);
  (mine ? armed.events : armed.strays).push(type);
  if (!mine && path[0] instanceof Element) armed.stray = tellNode(path[0]);
  if (type !== LAST[armed.button]) return;
  armed.watcher.disconnect();
  tell();
}
function noteStop(event) {
  event.stopImmediatePropagation();
  if (!armed || PRESSES[event.detail] !== LAST[armed.button]) return;
  const node = event.composedPath()[0];
  armed.stopped_by = tellNode(node instanceof Element ? node : document.documentElement);
  tell();
}
// A page may act upon a press, and no click follow: until that is complete, what the page makes of it is counted.
function noteHalf(type, path) {
  if (isMine(path, armed.element)) armed.halves.push(type);
  armed.watcher.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}
const noteLeaving = () => { if (armed && armed.halves.length && !armed.events.includes(LAST[armed.button])) tell(); };
function countChanges(records) {
  armed.changes += records.filter(({ type, target }) => type !== 'attributes' || !holds(armed.element, target)).length;
}
function noteOpening(event) {
  event.stopImmediatePropagation();
  if (!armed) return;
  armed.opens = true;
  tell();
}
const tell = () => console.debug('RECEIPT_MARK' + armed.token, JSON.stringify(readReceipt()));
function readReceipt() {
  const { events, halves, strays, stray, element, label, opens, stopped_by, sends } = armed;
  return { events, halves, strays, stray, opens, stopped_by, sends, refused: readSending().fields, received_by: label,
    connected: element.isConnected, visible: isVisible(element), disabled: element.matches(':disabled') };
}
// What people click on of a box that only its label shows.
const labelOver = (element) => (element.matches('input[type=checkbox], input[type=radio]') && readTick(element).by_label && labelOf(element)) || null;
function armReceipt(named, { token, button, count, limit_ms, text }) {
  const element = labelOver(named) || named;
  for (const [type, note] of [['PRESS_EVENT', notePress], ['STOP_EVENT', noteStop], ['OPEN_EVENT', noteOpening]]) window.addEventListener(type, note, true);
  for (const type of PRESSES.filter((each) => !each.startsWith('pointer'))) window.addEventListener(type, noteEvent, true);
  window.navigation?.addEventListener('navigate', noteLeaving);
  if (armed) armed.watcher.disconnect();
  armed = { element, token, button, text, events: [], strays: [], stray: null, halves: [], label: describe(element), stopped_by: null, sends: false, opens: false,
    changes: 0, watcher: new MutationObserver(countChanges) };
  beginAct();
  armed.isGuarded = !element.dispatchEvent(new MouseEvent('AIM_EVENT', { composed: true, cancelable: true, detail: count, screenX: limit_ms }));
  return [element];
}
function watchKey(root, { token }) {
  beginAct();
  window.addEventListener('keydown', (event) => {
    if (!event.isTrusted) return;
    const report = { events: ['keydown'], strays: [], opens: false, key: event.key, received_by: describe(event.composedPath()[0]) };
    console.debug('RECEIPT_MARK' + token, JSON.stringify(report));
  }, { capture: true, once: true });
  return [root];
}
function endReceipt(token) {
  if (!armed || armed.token !== token) return null;
  countChanges(armed.watcher.takeRecords());
  const told = { ...readReceipt(), changes: armed.changes, requests: askPending().requests };
  armed.watcher.disconnect();
  armed = null;
  window.dispatchEvent(new MouseEvent('AIM_EVENT'));
  return told;
}
""")
