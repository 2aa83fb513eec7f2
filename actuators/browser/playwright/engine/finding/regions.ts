import { byName, readNamed, withName } from '../names/matching.ts';
import { once } from '../names/memory.ts';
import { childText, nameOf, namesOf, ownText, readLabelled } from '../names/naming.ts';
import { CELLS, CONTAINERS, CONTROLS, HEADINGS, roleOf, ROWS } from '../names/roles.ts';
import { firstStage, isVisible } from '../names/sight.ts';
import { cutName, fieldKey, hasSome, hasWords, key } from '../names/texts.ts';
import { findAll, innermost, scopeOf, unique, withId } from '../names/tree.ts';

export function headingHolder(heading: Element) {
  let holder = heading.parentElement;
  while (holder && holder !== document.body && !holder.querySelector(CONTROLS)) holder = holder.parentElement;
  return holder && holder !== document.body ? holder : heading.parentElement;
}

const levelOf = (heading: Element) => Number(heading.getAttribute('aria-level') || (/^H([1-6])$/.exec(heading.nodeName) || [])[1] || 2);

/** What a heading stands over: what holds it, unless that holds others of its rank; then what comes between it and the next of them. */
function headedParts(heading: Element): Element[] {
  const holder = headingHolder(heading);
  if (!holder) return [];
  const ends = findAll(holder, HEADINGS).filter((each) => each !== heading && levelOf(each) <= levelOf(heading));
  if (!ends.length && holder !== document.body) return [holder];
  let part = heading;
  while (part.parentElement && part.parentElement !== holder) part = part.parentElement;
  const parts: Element[] = [];
  for (let next = part.nextElementSibling; next && !ends.some((end) => next === end || next?.contains(end)); next = next.nextElementSibling) parts.push(next);
  return parts.some((each) => each.matches(CONTROLS) || each.querySelector(CONTROLS)) ? parts : [holder];
}

function titlesIn(scope: Root, wanted: string) {
  const leaves = once('leaves', scope, () => findAll(scope, '*').filter((each) => !each.childElementCount).map((each) =>
    [each, [key(each.textContent)]] as [Element, string[]]));
  return withName(leaves, wanted).filter((each) => isVisible(each) && !each.closest(`${CONTROLS}, label, option, script, style`));
}

/** The parts that labels lead to which are no controls: what is called by its label as a field is, and holds some. */
const labelledIn = (scope: Root, wanted: string) => findAll(scope, 'label[for]').filter((label) => !label.control && key(childText(label)).replace(/[\s:*]+$/, '') === wanted)
  .flatMap((label) => withId(label, label.getAttribute('for') || '') || []).filter((part) => part.querySelector(CONTROLS));

type Test = (text: string) => boolean;

/** What a row or an entry is called by: all that is in it, what stands in it outside of other elements, and the names of what is in it. */
const readRows = (rows: Element[]) => once(readRows, rows, () => rows.map((row) => [row, [key(childText(row)), key(ownText(row))]] as [Element, string[]]));

const readParts = (rows: Element[]) => once(readParts, rows, () => unique(rows.flatMap((row) => Array.from(row.querySelectorAll('*'))))
  .map((each) => [each, [key(nameOf(each))]] as [Element, string[]]));

function sameRows(rows: Element[], wanted: string) {
  const around = new Set(withName(readRows(rows), wanted));
  for (const part of withName(readParts(rows), wanted)) for (let up = part.parentElement; up; up = up.parentElement) around.add(up);
  return innermost(rows.filter((row) => around.has(row)));
}

const rowsWith = (rows: Element[], test: Test) => innermost(rows.filter((row) => test(key(childText(row))) || test(key(ownText(row)))
  || Array.from(row.querySelectorAll('*')).some((each) => test(key(nameOf(each))))));

const headingTexts = (heading: Element) => [cutName(childText(heading))];

const partsIn = (scope: Root, roles: string[]) => once(`regions ${roles}`, scope, () => {
  const fits = (element: Element) => element && (!roles.length || roles.includes(roleOf(element)));
  const containers = findAll(scope, CONTAINERS).filter(fits);
  return { fits, containers, held: new Set(containers), rows: findAll(scope, roles.length ? `${ROWS}, ${CELLS}` : ROWS).filter(fits),
    headings: findAll(scope, `${HEADINGS}, legend, caption, summary`) };
});

export function findHeaded(root: Root, { name, roles }: { name: string, roles: string[] }) {
  const { held, headings } = partsIn(scopeOf(root), roles);
  const wanted = key(name);
  const named = readNamed(headings, key, headingTexts);
  const around = (found: Element[]) => unique(found.flatMap((each) => each.closest(CONTAINERS) || []).filter((each) => held.has(each)));
  return held.size ? firstStage([() => around(withName(named, wanted)),
    () => around(named.filter(([, [text]]) => hasWords(text, wanted)).map(([each]) => each))]) : [];
}

/** Lists that are fields as well, whose options are in them. */
const listStages = (scope: Root, name: string) => byName(findAll(scope, 'select'), name, fieldKey, (list) => [...namesOf(list), ...readLabelled(list)]);

export function findRegions(root: Root, { name, roles }: { name: string, roles: string[] }) {
  const wanted = key(name);
  const scope = scopeOf(root);
  const { fits, containers, held, rows, headings } = partsIn(scope, roles);
  const stagesOf = (pick: (pairs: [Element, string[]][]) => Element[], pickRows: () => Element[]) => [
    () => pick(readNamed(containers, key, namesOf)),
    () => pick(readNamed(headings, key, headingTexts)).flatMap((each) => each.closest(CONTAINERS) || []).filter((each) => held.has(each)),
    pickRows,
    () => pick(readNamed(headings, key, headingTexts)).flatMap(headedParts).filter(fits),
  ];
  const tests = [hasWords, hasSome].map((test) => (text: string) => test(text, wanted));
  const stages: (() => any[])[] = [stagesOf((pairs) => withName(pairs, wanted), () => sameRows(rows, wanted)),
    ...tests.map((test) => stagesOf((pairs) => pairs.filter(([, names]) => names.some(test)).map(([each]) => each), () => rowsWith(rows, test)))].flat();
  if (!roles.length) stages.push(() => labelledIn(scope, wanted), () => titlesIn(scope, wanted).map(headingHolder), ...listStages(scope, name));
  return unique(firstStage(stages));
}

export function findFrames(root: Root, { name }: { name: string }) {
  const wanted = key(name);
  const named = findAll(scopeOf(root), 'iframe, frame').map((frame) => {
    const inner = frame.contentDocument;
    const names = [frame.title, frame.name, frame.getAttribute('aria-label'), frame.id, inner && inner.title];
    return [frame, names, [frame.src, inner && inner.URL]] as [Element, any[], any[]];
  });
  const pick = (test: (text: string) => boolean, place: 1 | 2) => named.filter((entry) => entry[place].some((text) => text && test(key(text)))).map(([frame]) => frame);
  const isSame = (text: string) => text === wanted;
  const holds = (text: string) => text.includes(wanted);
  return firstStage([() => pick(isSame, 1), () => pick(isSame, 2), () => pick(holds, 1), () => pick(holds, 2)]);
}
