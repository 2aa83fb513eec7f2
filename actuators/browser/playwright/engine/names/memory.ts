/**
 * What was found out while one question is answered in which the page can't change, so that it need not be found out again. Outside of such
 * a question nothing is kept, and all of this costs a look at a variable.
 */

let kept: Map<any, Map<any, any>> | null = null;

/** Answers a question in which nothing of the page changes, and forgets all when it is answered. */
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

/**
 * What is found out about something: once in a question that remembers, else each time.
 * @param topic What is found out: a word, or the function that does.
 */
export function once<T>(topic: any, about: any, find: (about: any) => T): T {
  if (!kept) return find(about);
  let known = kept.get(topic);
  if (!known) kept.set(topic, known = new Map());
  if (!known.has(about)) known.set(about, find(about));
  return known.get(about);
}
