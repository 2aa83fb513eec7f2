/**
 * The way to what is evaluated only when something asks for it: chunks of the engine, each of which takes what it needs from those before it.
 * Nothing imports from a later chunk, but for the types.
 */

/** @typedef {{ more: typeof import('./more/main.js'), outline: typeof import('./outline/main.js') }} Chunks */

/** @type {(keyof Chunks)[]} */
const LATER = ['more', 'outline'];

/** @type {(name: string) => any} */
let find = () => { throw new Error('nothing was provided'); };

/** @param {(name: string) => any} finder Returns a chunk, which is evaluated the first time. */
export function provideChunks(finder) {
  find = finder;
}

/** @returns {Chunks['more']} */
export const later = () => find('more');

/**
 * What answers something that the core does not answer itself; from the first chunk that has it.
 * @param {'queries' | 'probes'} kind
 * @param {string} name
 */
export function findLater(kind, name) {
  for (const each of LATER) {
    const found = find(each)[kind][name];
    if (found) return found;
  }
  throw new Error(`nothing answers ${name}`);
}
