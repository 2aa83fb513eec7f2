import { byName, readNamed, withName } from '../names/matching.js';
import { once } from '../names/memory.js';
import { childText, nameOf, namesOf, ownText, readLabelled } from '../names/naming.js';
import { CELLS, CONTAINERS, CONTROLS, HEADINGS, roleOf, ROWS } from '../names/roles.js';
import { firstStage, isVisible } from '../names/sight.js';
import { cutName, fieldKey, hasSome, hasWords, key } from '../names/texts.js';
import { findAll, innermost, scopeOf, unique, withId } from '../names/tree.js';

/** @param {Element} heading */
export function headingHolder(heading) {
  let holder = heading.parentElement;
  while (holder && holder !== document.body && !holder.querySelector(CONTROLS)) holder = holder.parentElement;
  return holder && holder !== document.body ? holder : heading.parentElement;
}

/** @param {Element} heading */
const levelOf = (heading) => Number(heading.getAttribute('aria-level') || (/^H([1-6])$/.exec(heading.nodeName) || [])[1] || 2);

/**
 * What a heading stands over: what holds it, unless that holds others of its rank; then what comes between it and the next of them.
 * @param {Element} heading
 * @returns {Element[]}
 */
function headedParts(heading) {
  const holder = headingHolder(heading);
  if (!holder) return [];
  const ends = findAll(holder, HEADINGS).filter((each) => each !== heading && levelOf(each) <= levelOf(heading));
  if (!ends.length && holder !== document.body) return [holder];
  let part = heading;
  while (part.parentElement && part.parentElement !== holder) part = part.parentElement;
  /** @type {Element[]} */
  const parts = [];
  for (let next = part.nextElementSibling; next && !ends.some((end) => next === end || next?.contains(end)); next = next.nextElementSibling) parts.push(next);
  return parts.some((each) => each.matches(CONTROLS) || each.querySelector(CONTROLS)) ? parts : [holder];
}

/**
 * Texts that stand over something without being marked up as headings.
 * @param {Root} scope
 * @param {string} wanted
 */
function titlesIn(scope, wanted) {
  const leaves = once('leaves', scope, () => findAll(scope, '*').filter((each) => !each.childElementCount).map((each) => /** @type {[Element, string[]]} */ (
    [each, [key(each.textContent)]])));
  return withName(leaves, wanted).filter((each) => isVisible(each) && !each.closest(`${CONTROLS}, label, option, script, style`));
}

/**
 * The parts that labels lead to which are no controls: what is called by its label as a field is, and holds some.
 * @param {Root} scope
 * @param {string} wanted
 */
const labelledIn = (scope, wanted) => findAll(scope, 'label[for]').filter((label) => !label.control && key(childText(label)).replace(/[\s:*]+$/, '') === wanted)
  .flatMap((label) => withId(label, label.getAttribute('for') || '') || []).filter((part) => part.querySelector(CONTROLS));

/** @typedef {(text: string) => boolean} Test */

/**
 * What a row or an entry is called by: all that is in it, what stands in it outside of other elements, and the names of what is in it.
 * @param {Element[]} rows
 */
const readRows = (rows) => once(readRows, rows, () => rows.map((row) => /** @type {[Element, string[]]} */ ([row, [key(childText(row)), key(ownText(row))]])));

/**
 * What is in rows, with its name.
 * @param {Element[]} rows
 */
const readParts = (rows) => once(readParts, rows, () => unique(rows.flatMap((row) => Array.from(row.querySelectorAll('*'))))
  .map((each) => /** @type {[Element, string[]]} */ ([each, [key(nameOf(each))]])));

/**
 * The rows of exactly that name.
 * @param {Element[]} rows
 * @param {string} wanted
 */
function sameRows(rows, wanted) {
  const around = new Set(withName(readRows(rows), wanted));
  for (const part of withName(readParts(rows), wanted)) for (let up = part.parentElement; up; up = up.parentElement) around.add(up);
  return innermost(rows.filter((row) => around.has(row)));
}

/**
 * @param {Element[]} rows
 * @param {Test} test
 */
const rowsWith = (rows, test) => innermost(rows.filter((row) => test(key(childText(row))) || test(key(ownText(row)))
  || Array.from(row.querySelectorAll('*')).some((each) => test(key(nameOf(each))))));

/** @param {Element} heading */
const headingTexts = (heading) => [cutName(childText(heading))];

/**
 * The parts of a page that may have a name: what holds others, rows and entries, and headings.
 * @param {Root} scope
 * @param {string[]} roles
 */
const partsIn = (scope, roles) => once(`regions ${roles}`, scope, () => {
  const fits = (/** @type {Element} */ element) => element && (!roles.length || roles.includes(roleOf(element)));
  const containers = findAll(scope, CONTAINERS).filter(fits);
  return { fits, containers, held: new Set(containers), rows: findAll(scope, roles.length ? `${ROWS}, ${CELLS}` : ROWS).filter(fits),
    headings: findAll(scope, `${HEADINGS}, legend, caption, summary`) };
});

/**
 * What is called by its heading: sections, forms, lists and the like that have no name of their own.
 * @param {Root} root
 * @param {{ name: string, roles: string[] }} query
 */
export function findHeaded(root, { name, roles }) {
  const { held, headings } = partsIn(scopeOf(root), roles);
  const wanted = key(name);
  const named = readNamed(headings, key, headingTexts);
  const around = (/** @type {Element[]} */ found) => unique(found.flatMap((each) => each.closest(CONTAINERS) || []).filter((each) => held.has(each)));
  return held.size ? firstStage([() => around(withName(named, wanted)),
    () => around(named.filter(([, [text]]) => hasWords(text, wanted)).map(([each]) => each))]) : [];
}

/**
 * Lists that are fields as well, whose options are in them.
 * @param {Root} scope
 * @param {string} name
 */
const listStages = (scope, name) => byName(findAll(scope, 'select'), name, fieldKey, listNames);

/** @param {Element} list */
const listNames = (list) => [...namesOf(list), ...readLabelled(list)];

/**
 * @param {Root} root
 * @param {{ name: string, roles: string[] }} query
 */
export function findRegions(root, { name, roles }) {
  const wanted = key(name);
  const scope = scopeOf(root);
  const { fits, containers, held, rows, headings } = partsIn(scope, roles);
  /**
   * @param {(pairs: [Element, string[]][]) => Element[]} pick
   * @param {() => Element[]} pickRows
   */
  const stagesOf = (pick, pickRows) => [
    () => pick(readNamed(containers, key, namesOf)),
    () => pick(readNamed(headings, key, headingTexts)).flatMap((each) => each.closest(CONTAINERS) || []).filter((each) => held.has(each)),
    pickRows,
    () => pick(readNamed(headings, key, headingTexts)).flatMap(headedParts).filter(fits),
  ];
  const tests = [hasWords, hasSome].map((test) => (/** @type {string} */ text) => test(text, wanted));
  /** @type {(() => any[])[]} */
  const stages = [stagesOf((pairs) => withName(pairs, wanted), () => sameRows(rows, wanted)),
    ...tests.map((test) => stagesOf((pairs) => pairs.filter(([, names]) => names.some(test)).map(([each]) => each), () => rowsWith(rows, test)))].flat();
  if (!roles.length) stages.push(() => labelledIn(scope, wanted), () => titlesIn(scope, wanted).map(headingHolder), ...listStages(scope, name));
  return unique(firstStage(stages));
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
