/** What was found out while one question is answered in which the page can't change. Outside of such a question nothing is kept, and all of this costs a look at a variable. */

let kept: Map<any, Map<any, any>> | null = null;

export function remembering<T>(answer: () => T): T {
  if (kept) return answer();
  kept = new Map();
  try {
    return answer();
  } finally {
    kept = null;
  }
}

export const isRemembering = () => kept !== null;

/** What is found out about something, once in a question that remembers. The topic is a word, or the function that finds it out. */
export function once<T>(topic: any, about: any, find: (about: any) => T): T {
  if (!kept) return find(about);
  let known = kept.get(topic);
  if (!known) kept.set(topic, known = new Map());
  if (!known.has(about)) known.set(about, find(about));
  return known.get(about);
}

/** As a function, whose answers are kept while a question remembers. */
export const remembered = <A, T>(find: (about: A) => T) => (about: A): T => once(find, about, find);

/** Keeps what is found out for the rest of a query, in which the page can't change, also where no question remembers. */
export function keptInQuery<T>(find: (about: any) => T) {
  let known = new Map<any, T>();
  return (about: any) => {
    if (!known.size) Promise.resolve().then(() => { known = new Map(); });
    if (!known.has(about)) known.set(about, find(about));
    return known.get(about) as T;
  };
}
