/**
 * Which text was drawn on a canvas, so that a picture doesn't show a secret that way.
 *
 * A canvas holds no text that could be asked for. So what is drawn is written down, letter by letter or whole, and taken along where one
 * canvas is drawn onto another. The engine asks by an event, since nothing else leads from its world into the page's; pages can't know
 * the events' names.
 */

const MOST_DRAWN = 65536;
const drawn = new WeakMap();
const [Telling, dispatch] = [window.InputEvent, EventTarget.prototype.dispatchEvent];
const note = (paper: any, text: string) => {
  if (!paper || !text) return;
  const all = (drawn.get(paper) || '') + text;
  drawn.set(paper, all.length > 2 * MOST_DRAWN ? all.slice(-MOST_DRAWN) : all);
};
const wrap = (owner: any, name: string, see: any) => {
  const plain = owner && owner.prototype[name];
  if (!plain) return;
  owner.prototype[name] = new Proxy(plain, { apply(method, self, args) {
    const done = Reflect.apply(method, self, args);
    see(self, args, done);
    return done;
  } });
};
const noteSource = (self: any, args: any) => note(self.canvas, args.map((arg: any) => (typeof arg === 'object'
  && arg ? drawn.get(arg) : '') || '').join(''));
for (const owner of [window.CanvasRenderingContext2D, window.OffscreenCanvasRenderingContext2D]) {
  for (const name of ['fillText', 'strokeText']) wrap(owner, name, (self: any, args: any) => note(self.canvas, String(args[0])));
  wrap(owner, 'drawImage', noteSource);
  wrap(owner, 'createPattern', noteSource);
}
for (const owner of [window.WebGLRenderingContext, window.WebGL2RenderingContext]) {
  for (const name of ['texImage2D', 'texSubImage2D']) wrap(owner, name, noteSource);
}
wrap(window.ImageBitmapRenderingContext, 'transferFromImageBitmap', noteSource);
wrap(window.OffscreenCanvas, 'transferToImageBitmap', (self: any, _args: any, bitmap: any) => note(bitmap, drawn.get(self)));
window.createImageBitmap = new Proxy(window.createImageBitmap, { apply(method, self, args) {
  const made = Reflect.apply(method, self, args);
  const text = drawn.get(args[0]);
  if (text) made.then((bitmap: any) => note(bitmap, text), () => {});
  return made;
} });
window.addEventListener(SETTINGS.ask_drawn_event, (event) => {
  event.stopImmediatePropagation();
  const canvas = event.composedPath()[0];
  dispatch.call(canvas, new Telling(SETTINGS.tell_drawn_event, { data: drawn.get(canvas) || '' }));
}, true);
