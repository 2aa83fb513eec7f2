/**
 * The way to what is evaluated only when something asks for it: chunks of the engine, each of which takes what it needs from those before it.
 * Nothing imports from a later chunk, but for the types.
 */

type Chunks = { more: typeof import('./more/main.ts'), outline: typeof import('./outline/main.ts') };

const LATER: (keyof Chunks)[] = ['more', 'outline'];

let find: (name: string) => any = () => { throw new Error('nothing was provided'); };

/** @param finder Returns a chunk, which is evaluated the first time. */
export function provideChunks(finder: (name: string) => any) {
  find = finder;
}

export const later = (): Chunks['more'] => find('more');

/** What answers something that the core does not answer itself; from the first chunk that has it. */
export function findLater(kind: 'queries' | 'probes', name: string) {
  for (const each of LATER) {
    const found = find(each)[kind][name];
    if (found) return found;
  }
  throw new Error(`nothing answers ${name}`);
}
