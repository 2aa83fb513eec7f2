/** What the browser itself gave, taken before any script of the page could put something else in its place. */

export const { apply } = Reflect;
export const { addEventListener: listen, dispatchEvent: dispatch } = EventTarget.prototype;
export const Signal = MouseEvent, Telling = InputEvent;

/** Stands before a function of the page's world; what the page sees of it is as it was. */
export const replace = (owner: any, name: string, handle: (original: Function, self: any, args: any[]) => any) => {
  if (owner && typeof owner[name] === 'function') owner[name] = new Proxy(owner[name], { apply: handle });
};
