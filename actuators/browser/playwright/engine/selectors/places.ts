/** Where an element is: what parts of a page around it are called, so that a selector can say what it is in. */
import { headingHolder } from '../finding/regions.ts';
import { regionsIn } from '../finding/selecting.ts';
import { once, remembered } from '../names/memory.ts';
import { childText, namesOf } from '../names/naming.ts';
import { CELLS, CONTAINERS, roleOf, ROWS } from '../names/roles.ts';
import { foldName, isTold } from '../names/texts.ts';
import { findAll, isAlone, parentOf, unique } from '../names/tree.ts';
import { recordAround } from '../values/records.ts';
import { wordOfRole } from '../more/vocabulary.ts';
import { columnOf, headingsOf, LONGEST_NAME, rowNamesOf, TITLES } from './callings.ts';
import { plainOf, regionOf } from './plain.ts';

const MOST_PARTS = 8; // around an element that are looked at
const MOST_LABELS = 8; // of a part
const DEEPEST = 3; // parts inside each other that a selector names

/** What a heading stands over without being in a part that is marked up as one. */
const headedParts = remembered((page: Document) => Map.groupBy(findAll(page, TITLES), (heading): Element | null => headingHolder(heading) || null));

const labelsOfPart = (part: Element): PlainRegion[] => once('labels of part', part, () => {
  const isRow = part.matches(ROWS), isContainer = part.matches(CONTAINERS);
  const headed = (headedParts(document).get(part) || []).map((heading) => foldName(childText(heading)));
  const names = unique([...(isContainer ? [...namesOf(part), ...headingsOf(part)] : []), ...(isRow ? rowNamesOf(part) : []), ...headed])
    .filter((name) => isTold(name) && name.length <= LONGEST_NAME).slice(0, MOST_LABELS);
  const word = wordOfRole(roleOf(part));
  const labels = names.flatMap((name) => [{ name, word: '' }, ...(word ? [{ name, word }] : [])]);
  const isRecord = !isRow && !isContainer && !part.matches(CELLS) && recordAround(part) === part;
  return [...labels.filter((label) => !label.word), ...labels.filter((label) => label.word),
    ...(isRecord || isRow ? rowNamesOf(part).map((name) => ({ name: '', word: '', selector: plainOf('record', '', name) })) : [])];
});

const isJust = (scope: Document | Element, label: PlainRegion, part: Element) => isAlone(once(`part ${JSON.stringify(label)}`, scope, () => regionsIn(scope, regionOf(label))), part);

/** How a selector says that something is in a part, and in no other: the part's name, and where that isn't enough what the part is in. */
export const chainOf = (part: Element, deepest: number = DEEPEST): PlainRegion[] | null => once(`chain ${deepest}`, part, () => {
  if (part.matches(CELLS)) return cellChain(part, deepest);
  const labels = labelsOfPart(part);
  const alone = labels.find((label) => isJust(document, label, part));
  if (alone) return [alone];
  if (deepest <= 1 || !labels.length) return null;
  for (const outer of partsAround(part)) {
    const chain = chainOf(outer, deepest - 1);
    const label = chain && labels.find((each) => isJust(outer, each, part));
    if (chain && label) return [label, ...chain];
  }
  return null;
});

function cellChain(cell: Element, deepest: number): PlainRegion[] | null {
  const name = columnOf(cell);
  const row = name && cell.closest('tr, [role=row]');
  const chain = row && deepest > 1 ? chainOf(row, deepest - 1) : null;
  if (!chain) return null;
  const label = { name: '', word: '', selector: plainOf('role', 'cell', name, chain) };
  return isJust(document, label, cell) ? [label] : null;
}

export function partsAround(element: Element): Element[] {
  const found = [];
  for (let each = parentOf(element); each && each !== document.body && found.length < MOST_PARTS; each = parentOf(each)) {
    if (each.matches(CELLS) ? columnOf(each) : labelsOfPart(each).length) found.push(each);
  }
  return found;
}
