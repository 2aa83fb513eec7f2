import { childText, nameOf, namesOf, ownText } from '../engine_names/naming.js';
import { CELLS, CONTAINERS, CONTROLS, HEADINGS, roleOf, ROWS } from '../engine_names/roles.js';
import { firstStage, isVisible } from '../engine_names/sight.js';
import { hasSome, hasWords, key } from '../engine_names/texts.js';
import { findAll, innermost, scopeOf } from '../engine_names/tree.js';

/** @param {Element} heading */
function headingHolder(heading) {
  let holder = heading.parentElement;
  while (holder && holder !== document.body && !holder.querySelector(CONTROLS)) holder = holder.parentElement;
  return holder && holder !== document.body ? holder : heading.parentElement;
}

/**
 * Texts that stand over something without being marked up as headings.
 * @param {Root} scope
 * @param {string} wanted
 */
function titlesIn(scope, wanted) {
  const found = findAll(scope, '*').filter((each) => !each.childElementCount && key(each.textContent) === wanted);
  return found.filter((each) => isVisible(each) && !each.closest(`${CONTROLS}, label, option, script, style`));
}

/**
 * @param {Root} root
 * @param {{ name: string, roles: string[] }} query
 */
export function findRegions(root, { name, roles }) {
  const wanted = key(name);
  const scope = scopeOf(root);
  const fits = (/** @type {Element} */ element) => element && (!roles.length || roles.includes(roleOf(element)));
  const containers = findAll(scope, CONTAINERS).filter(fits);
  const rows = findAll(scope, roles.length ? `${ROWS}, ${CELLS}` : ROWS).filter(fits);
  const headings = findAll(scope, `${HEADINGS}, legend, caption, summary`);
  const tests = [(/** @type {string} */ text) => text === wanted, (/** @type {string} */ text) => hasWords(text, wanted), (/** @type {string} */ text) => hasSome(text, wanted)];
  /** @type {(() => any[])[]} */
  const stages = tests.map((test) => (/** @type {string} */ text) => test(key(text))).flatMap((test) => [
    () => containers.filter((each) => namesOf(each).some(test)),
    () => headings.filter((each) => test(childText(each))).flatMap((each) => each.closest(CONTAINERS) || []).filter((each) => containers.includes(each)),
    () => innermost(rows.filter((row) => test(childText(row)) || test(ownText(row)) || Array.from(row.querySelectorAll('*')).some((each) => test(nameOf(each))))),
    () => headings.filter((each) => test(childText(each))).flatMap((each) => headingHolder(each) || []).filter(fits),
  ]);
  if (!roles.length) stages.push(() => titlesIn(scope, wanted).map(headingHolder));
  return [...new Set(firstStage(stages))];
}

/**
 * @param {Root} root
 * @param {{ name: string }} query
 */
export function findFrames(root, { name }) {
  const wanted = key(name);
  const named = findAll(scopeOf(root), 'iframe, frame').map((frame) => {
    const inner = frame.contentDocument;
    const names = [frame.title, frame.name, frame.getAttribute('aria-label'), frame.id, inner && inner.title];
    return /** @type {[Element, any[], any[]]} */ ([frame, names, [frame.src, inner && inner.URL]]);
  });
  /**
   * @param {(text: string) => boolean} test
   * @param {1 | 2} place
   */
  const pick = (test, place) => named.filter((entry) => entry[place].some((text) => text && test(key(text)))).map(([frame]) => frame);
  const isSame = (/** @type {string} */ text) => text === wanted;
  const holds = (/** @type {string} */ text) => text.includes(wanted);
  return firstStage([() => pick(isSame, 1), () => pick(isSame, 2), () => pick(holds, 1), () => pick(holds, 2)]);
}
