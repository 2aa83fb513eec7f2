"""JavaScript that knows which text was drawn on a canvas, so that a picture doesn't show a secret that way.

A canvas holds no text that could be asked for. So a script in the page's own world, before any of the page's, writes down
what is drawn, letter by letter or whole, and takes it along where one canvas is drawn onto another. The engine asks it by
an event, since nothing else leads from its world into the page's; pages can't know the events' names.
"""

import secrets

_ASK_EVENT = f"surehand-{secrets.token_hex(8)}"
_TELL_EVENT = f"surehand-{secrets.token_hex(8)}"

# Part of what runs in every document before the page's own scripts.
DRAWN_TEXT_SCRIPT = """
  const MOST_DRAWN = 65536;
  const drawn = new WeakMap();
  const [Telling, dispatch] = [window.InputEvent, EventTarget.prototype.dispatchEvent];
  const note = (paper, text) => {
    if (!paper || !text) return;
    const all = (drawn.get(paper) || '') + text;
    drawn.set(paper, all.length > 2 * MOST_DRAWN ? all.slice(-MOST_DRAWN) : all);
  };
  const wrap = (owner, name, see) => {
    const plain = owner && owner.prototype[name];
    if (plain) owner.prototype[name] = new Proxy(plain, { apply(method, self, args) {
      const done = Reflect.apply(method, self, args);
      see(self, args, done);
      return done;
    } });
  };
  const noteSource = (self, args) => note(self.canvas, args.map((arg) => (typeof arg === 'object' && arg ? drawn.get(arg) : '') || '').join(''));
  for (const owner of [window.CanvasRenderingContext2D, window.OffscreenCanvasRenderingContext2D]) {
    for (const name of ['fillText', 'strokeText']) wrap(owner, name, (self, args) => note(self.canvas, String(args[0])));
    wrap(owner, 'drawImage', noteSource);
    wrap(owner, 'createPattern', noteSource);
  }
  for (const owner of [window.WebGLRenderingContext, window.WebGL2RenderingContext]) {
    for (const name of ['texImage2D', 'texSubImage2D']) wrap(owner, name, noteSource);
  }
  wrap(window.ImageBitmapRenderingContext, 'transferFromImageBitmap', noteSource);
  wrap(window.OffscreenCanvas, 'transferToImageBitmap', (self, args, bitmap) => note(bitmap, drawn.get(self)));
  window.createImageBitmap = new Proxy(window.createImageBitmap, { apply(method, self, args) {
    const made = Reflect.apply(method, self, args);
    const text = drawn.get(args[0]);
    if (text) made.then((bitmap) => note(bitmap, text), () => {});
    return made;
  } });
  window.addEventListener('ASK_EVENT', (event) => {
    event.stopImmediatePropagation();
    const canvas = event.composedPath()[0];
    dispatch.call(canvas, new Telling('TELL_EVENT', { data: drawn.get(canvas) || '' }));
  }, true);
""".replace("ASK_EVENT", _ASK_EVENT).replace("TELL_EVENT", _TELL_EVENT)

# Part of the engine.
CANVAS_SCRIPT = """
function drawnOn(canvas) {
  let told = '';
  const hear = (event) => { event.stopImmediatePropagation(); told = event.data; };
  canvas.addEventListener('TELL_EVENT', hear, true);
  canvas.dispatchEvent(new Event('ASK_EVENT', { composed: true }));
  canvas.removeEventListener('TELL_EVENT', hear, true);
  return told;
}
const unspaced = (text) => text.replace(/\\s+/g, '');
const isDrawnOn = (canvas, values) => {
  const text = unspaced(drawnOn(canvas));
  return values.some((value) => text.includes(unspaced(value)) || text.includes(Array.from(unspaced(value)).reverse().join('')));
};
""".replace("ASK_EVENT", _ASK_EVENT).replace("TELL_EVENT", _TELL_EVENT)
