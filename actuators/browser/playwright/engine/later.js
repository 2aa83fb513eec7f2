/** The way to what is evaluated only when something asks for it. Nothing in this folder imports from `engine_more`, but for the type. */

/** @typedef {typeof import('../engine_more/main.js')} More */

/** @type {More | null} */
let more = null;
/** @type {() => More} */
let load = () => { throw new Error('nothing was provided'); };

/** @param {() => More} loader */
export function provideMore(loader) {
  [more, load] = [null, loader];
}

/** @returns {More} */
export const later = () => (more ||= load());
