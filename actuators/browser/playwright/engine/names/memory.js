/**
 * What was found out while one question is answered in which the page can't change, so that it need not be found out again. Outside of such
 * a question nothing is kept, and all of this costs a look at a variable.
 */

/** @type {Map<any, Map<any, any>> | null} */
let kept = null;

/**
 * Answers a question in which nothing of the page changes, and forgets all when it is answered.
 * @template T
 * @param {() => T} answer
 * @returns {T}
 */
export function remembering(answer) {
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
 * @template T
 * @param {any} topic What is found out: a word, or the function that does.
 * @param {any} about
 * @param {(about: any) => T} find
 * @returns {T}
 */
export function once(topic, about, find) {
  if (!kept) return find(about);
  let known = kept.get(topic);
  if (!known) kept.set(topic, known = new Map());
  if (!known.has(about)) known.set(about, find(about));
  return known.get(about);
}
