/**
 * Which text was drawn on a canvas, which holds none that could be asked for, so that a picture doesn't show a secret that way. The engine
 * asks by an event, since nothing else leads from its world into the page's; pages can't know the events' names.
 */
import { apply, dispatch, hearAsking, replace, Telling } from './originals.ts';

const MOST_DRAWN = 65536;
const drawn = new WeakMap();
const note = (paper: any, text: string) => {
  if (!paper || !text) return;
  const all = (drawn.get(paper) || '') + text;
  drawn.set(paper, all.length > 2 * MOST_DRAWN ? all.slice(-MOST_DRAWN) : all);
};
const wrap = (owner: any, name: string, see: any) => replace(owner && owner.prototype, name, (plain, self, args) => {
  const done = apply(plain, self, args);
  see(self, args, done);
  return done;
});
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
replace(window, 'createImageBitmap', (create, self, args) => {
  const made = apply(create, self, args);
  const text = drawn.get(args[0]);
  if (text) made.then((bitmap: any) => note(bitmap, text), () => {});
  return made;
});
hearAsking(SETTINGS.ask_drawn_event, (event) => {
  const canvas = event.composedPath()[0];
  apply(dispatch, canvas, [new Telling(SETTINGS.tell_drawn_event, { data: drawn.get(canvas) || '' })]);
});
