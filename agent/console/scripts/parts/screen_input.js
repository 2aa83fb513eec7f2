/** What a person does on the picture of a page, as input for the page: places are shares of the picture, from 0 to 1. */

/** @typedef {{kind: string, [name: string]: unknown}} ScreenInput */
/** @typedef {{isHeld: () => boolean, send: (events: ScreenInput[]) => Promise<unknown>, handBack: () => void}} Receiver */

const BUTTONS = ['left', 'middle', 'right'];
const GATHER_MS = 30;

/**
 * @param {HTMLImageElement} image
 * @param {Receiver} receiver
 */
export function listenOn(image, receiver) {
  const queue = makeQueue(receiver);
  const press = (/** @type {string} */ kind) => (/** @type {MouseEvent} */ event) => {
    if (!receiver.isHeld()) return;
    event.preventDefault();
    image.focus();
    const clicks = Math.min(3, Math.max(1, event.detail));
    queue({ kind, ...placeOn(image, event), button: BUTTONS[event.button] ?? 'left', clicks }, false);
  };
  // Only these say which click in a row it is; of touches they come as well.
  image.addEventListener('mousedown', press('down'));
  image.addEventListener('mouseup', press('up'));
  image.addEventListener('pointermove', (event) => receiver.isHeld() && queue({ kind: 'move', ...placeOn(image, event) }, true));
  image.addEventListener('contextmenu', (event) => receiver.isHeld() && event.preventDefault());
  image.addEventListener('wheel', (event) => {
    if (!receiver.isHeld()) return;
    event.preventDefault();
    queue({ kind: 'wheel', ...placeOn(image, event), dx: event.deltaX, dy: event.deltaY }, false);
  }, { passive: false });
  image.addEventListener('keydown', (event) => pressKey(event, receiver, queue));
  image.addEventListener('paste', (event) => {
    const text = event.clipboardData?.getData('text') ?? '';
    if (receiver.isHeld() && text) queue({ kind: 'text', text }, false);
  });
}

/**
 * @param {KeyboardEvent} event
 * @param {Receiver} receiver
 * @param {(input: ScreenInput, replaces: boolean) => void} queue
 */
function pressKey(event, receiver, queue) {
  if (!receiver.isHeld()) return;
  if (event.key === 'Escape' && event.shiftKey) {
    event.preventDefault();
    receiver.handBack();
    return;
  }
  const chord = [event.ctrlKey && 'Control', event.altKey && 'Alt', event.metaKey && 'Meta'].filter(Boolean);
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'v') return; // pasted by its own event
  if (['Control', 'Shift', 'Alt', 'Meta'].includes(event.key)) return;
  event.preventDefault();
  if (!chord.length && [...event.key].length === 1) queue({ kind: 'text', text: event.key }, false);
  else queue({ kind: 'key', key: [...chord, ...(event.shiftKey ? ['Shift'] : []), event.key].join('+') }, false);
}

/**
 * @param {Element} image
 * @param {MouseEvent} event
 * @returns {{x: number, y: number}}
 */
function placeOn(image, event) {
  const box = image.getBoundingClientRect();
  const share = (/** @type {number} */ value, /** @type {number} */ size) => Math.min(1, Math.max(0, value / size));
  return { x: share(event.clientX - box.left, box.width), y: share(event.clientY - box.top, box.height) };
}

/**
 * Sends what was gathered in order, one request after another; of moves in a row only the last counts.
 * @param {Receiver} receiver
 * @returns {(input: ScreenInput, replaces: boolean) => void}
 */
function makeQueue(receiver) {
  /** @type {ScreenInput[]} */
  let waiting = [];
  let busy = false;
  const flush = async () => {
    while (waiting.length) {
      const events = waiting;
      waiting = [];
      await receiver.send(events).catch(() => undefined);
    }
    busy = false;
  };
  return (input, replaces) => {
    if (replaces && waiting.at(-1)?.kind === 'move') waiting.pop();
    waiting.push(input);
    if (busy) return;
    busy = true;
    setTimeout(() => void flush(), GATHER_MS);
  };
}
