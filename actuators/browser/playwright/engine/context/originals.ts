/** What the browser itself gave, taken before any script of the page could put something else in its place. */

export const { apply } = Reflect;
export const { addEventListener: listen, dispatchEvent: dispatch } = EventTarget.prototype;
export const Signal = MouseEvent, Telling = InputEvent;

/** Stands before a function of the page's world; what the page sees of it is as it was. */
export const replace = (owner: any, name: string, handle: (original: Function, self: any, args: any[]) => any) => {
  if (owner && typeof owner[name] === 'function') owner[name] = new Proxy(owner[name], { apply: handle });
};

/** Hears of a property's being set to anything but nothing. */
export const hearSetting = (owner: any, name: string, hear: (self: any) => void) => {
  const plain = Object.getOwnPropertyDescriptor(owner, name) as any;
  Object.defineProperty(owner, name, { ...plain, set: new Proxy(plain.set, { apply(set, self, args) {
    if (args[0]) hear(self);
    return apply(set, self, args);
  } }) });
};

/** Hears what the engine asks by an event, which goes no further; one that is prevented says yes. */
export const hearAsking = (name: string, answer: (event: any) => unknown) => apply(listen, window, [name, (event: any) => {
  event.stopImmediatePropagation();
  if (answer(event) === true) event.preventDefault();
}, true]);
