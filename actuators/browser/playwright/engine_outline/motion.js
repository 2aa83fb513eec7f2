/** What is on its way to an end that comes soon, such as a dialog that fades in. */

const LONGEST_MS = 1000; // what moves for longer is looked at as it moves

/** How long until everything has got there. */
export function readMotion() {
  const left = document.getAnimations().filter((each) => each.playState === 'running').map((each) => Number(each.effect?.getComputedTiming().endTime) - Number(each.currentTime));
  return Math.max(0, ...left.filter((ms) => ms <= LONGEST_MS));
}
