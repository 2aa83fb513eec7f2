/** Which pictures of an act show the page before and after it. Pure. */

/** @typedef {import('../wires/types').Artifact} Artifact */

/**
 * @param {Artifact[]} artifacts
 * @param {string} actionId
 * @returns {{before: Artifact | undefined, after: Artifact | undefined, others: Artifact[]}}
 */
export function picturesOf(artifacts, actionId) {
  const own = artifacts.filter((each) => each.action_id === actionId && each.media_type.startsWith('image/'));
  const named = (/** @type {string} */ word) => own.find((each) => each.name.toLowerCase().includes(word));
  const [before, after] = [named('before'), named('after')];
  return { before, after, others: own.filter((each) => each !== before && each !== after) };
}
