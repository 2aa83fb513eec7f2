/** What a look at a page has found so far, and how much of it there may be. */

/** One thing on the page. */
export type Thing = { element: any, level: number, kind: string, name: string, value?: string | null, states?: string[], takes?: string, acts?: boolean,
  alike?: string, holds?: [string, number][], opener?: any, heading?: number };

const MOST_THINGS = 6000, MOST_VISITED = 120_000, LONGEST_MS = 5000;

const nothingYet = (said: Set<Element>, words: string[]) => ({ things: [] as Thing[], visited: 0, until_ms: performance.now() + LONGEST_MS, isFull: false, said, told: new Set<Element>(), words,
  spare: [] as [string, number][][], hovered: new Map<any, { over: any, holds: [string, number][] }>() });

export const look = nothingYet(new Set(), []);

/** What is said is the name of something else that is told; the words are looked for above all. */
export function beginLook(said: Set<Element>, words: string[]) { Object.assign(look, nothingYet(said, words)); }

/** Whether there is room for one more element to be looked at. */
export function hasTime() {
  look.visited += 1;
  if (look.things.length >= MOST_THINGS || look.visited >= MOST_VISITED) look.isFull = true;
  if (look.visited % 256 === 0 && performance.now() > look.until_ms) look.isFull = true;
  return !look.isFull;
}

export function put(thing: Thing) {
  look.things.push(thing);
  return look.things.length - 1;
}

/** Takes a part away and leaves what is in it. */
export function unwrap(at: number) {
  look.things.splice(at, 1);
  for (let each = at; each < look.things.length; each += 1) look.things[each].level -= 1;
}
