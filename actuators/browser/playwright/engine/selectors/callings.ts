/** What an element may be called in a selector, the likeliest first. */
import { captionsOf, CHANGING, showsValue } from '../names/matching.ts';
import { once, remembered } from '../names/memory.ts';
import { childText, nameOf, namesOf, ownText } from '../names/naming.ts';
import { CELLS, CONTAINERS, CONTROLS, EDITABLE, HEADINGS, PRESSED, ROWS } from '../names/roles.ts';
import { fold, foldName, isTold } from '../names/texts.ts';
import { classText, findAll, unique } from '../names/tree.ts';
import { calledOf, saidOf, tellingWords } from '../looks/icons.ts';
import { cellsOf, columnsOf, TABLES } from '../values/tables.ts';
import { ICON_WORDS } from '../more/vocabulary.ts';

export const TITLES = `${HEADINGS}, legend, caption, summary`;
export const LONGEST_NAME = 80;
const LONGEST_WHOLE = 240; // characters of a name that is written out where a shorter one is not its own
const MOST_NAMES = 4;

/** A name as it is written: short names as they are, long ones cut behind a word, and whole where that is all that tells it apart. */
function written(name: string): string[] {
  if (name.length <= LONGEST_NAME) return [name];
  const part = name.slice(0, LONGEST_NAME);
  const cut = part.replace(/[^\p{L}\p{N}]*[\p{L}\p{M}\p{N}]*$/u, '') || part;
  return name.length <= LONGEST_WHOLE ? [cut, name] : [cut];
}

/** Texts that may change although the thing stays what it is, such as counts and times, come after others. */
const steadyFirst = (names: string[]) => [...names.filter((name) => !/\p{N}/u.test(name)), ...names.filter((name) => /\p{N}/u.test(name))];

/** The headings of a page by what they stand over: what they are in, as `in "Billing"` reads them. */
const headingsByPart = remembered((page: Document) => Map.groupBy(findAll(page, TITLES), (heading): Element | null => heading.closest(CONTAINERS)));

export const headingsOf = (part: Element) => (headingsByPart(document).get(part) || []).map((heading) => foldName(childText(heading))).filter(Boolean);

function textsFor(element: Element) {
  const text = element.textContent || '';
  return text.length > LONGEST_WHOLE ? [] : [nameOf(element), childText(element), text].filter((each) => fold(each).length <= LONGEST_NAME);
}

const WRITTEN = '[contenteditable]:not([contenteditable=false]), textarea, [role=textbox]';

/** What an editor without a label is called by: the heading that it stands below. */
function headingBefore(editor: Element) {
  const heading = findAll(document, TITLES).findLast((each) => Boolean(each.compareDocumentPosition(editor) & Node.DOCUMENT_POSITION_FOLLOWING) && !each.contains(editor));
  return heading ? [foldName(childText(heading))] : [];
}

export const namesFor = (element: Element, kind: string): string[] => once('callings', element, () => {
  const read = kind === 'text' || kind === 'control' ? textsFor(element)
    : [nameOf(element), ...namesOf(element), ...(element.matches(CONTAINERS) ? headingsOf(element) : []),
      ...(kind === 'field' ? captionsOf(element).map(fold) : []), ...(kind === 'field' && element.matches(WRITTEN) ? headingBefore(element) : [])];
  const bare = (name: string) => (kind === 'field' && name.replace(/[\s:*]+$/, '')) || name; // as fields are looked for
  const names = unique([...(element.matches(ROWS) && kind === 'role' ? rowNamesOf(element) : []), ...read.map(fold).map(bare)]).filter(Boolean);
  return unique([...names.filter(isTold), ...names.filter((name) => !isTold(name))].flatMap(written)).slice(0, MOST_NAMES);
});

/** Words for what has none to read: what somebody wrote so that people know what it is, and what its author called it, where that is known as a word for an icon. */
export function iconNamesOf(element: Element): string[] {
  const parts: Element[] = [element, ...Array.from(element.children).flatMap((each) => [each, ...each.children])].slice(0, 6);
  const said = parts.flatMap(saidOf).map((text) => tellingWords(text as string));
  const called = parts.flatMap((part) => [...calledOf(part), ...classText(part).split(/\s+/)]).map((text) => tellingWords(text as string)).filter((words) => words.some((word) => ICON_WORDS.has(word)));
  const likely = [...said, ...called].filter((words) => words.length > 0 && words.length <= 4 && words.every((word) => /^[a-z]{2,20}$/.test(word)));
  return unique(likely.map((words) => words.join(' '))).sort((one, other) => one.length - other.length).slice(0, MOST_NAMES);
}

export const calledNamesOf = (element: Element) => unique(classText(element).split(/\s+/).map(tellingWords)
  .filter((words) => words.length > 0 && words.every((word) => /^[a-z]{2,20}$/.test(word))).map((words) => words.join(' '))).sort((one, other) => other.length - one.length).slice(0, 2 * MOST_NAMES);

/** What a field without a label is called in its form's data; what looks made up is not. */
export const attributeNamesOf = (field: Element) => ['name', 'autocomplete'].map((each) => field.getAttribute(each) || '')
  .filter((name) => /^[a-z][a-z_-]{1,30}$/i.test(name) && !['on', 'off'].includes(name)).slice(0, 2);

export function columnOf(cell: Element) {
  const table = cell.closest(TABLES);
  if (!table || !cell.matches(CELLS)) return '';
  const { grid, head } = columnsOf(table);
  const places = once('places', table, () => new Map(grid.flatMap((line) => line.map((each, place) => [each, place] as [Element, number]))));
  return head[places.get(cell) ?? -1] || '';
}

/** What a row, an entry or a card is called by a text in it: what heads it, then its first cell, then what leads on, then what is written in it. */
export const rowNamesOf = (row: Element): string[] => once('row names', row, () => {
  const heads = Array.from(row.querySelectorAll(`th, [role=rowheader], ${HEADINGS}`)).filter((each) => !each.matches('[scope=col], thead th'));
  const links = Array.from(row.querySelectorAll('a, b, strong, label')).slice(0, MOST_NAMES);
  const texts = [];
  for (const each of row.querySelectorAll('*')) {
    const holder = each.closest(`script, style, option, ${CHANGING}, ${CONTROLS}`); // of what changes
    if (!each.childElementCount && !(holder && holder !== row && row.contains(holder))) texts.push(each);
    if (texts.length > 2 * MOST_NAMES) break;
  }
  const cells = cellsOf(row).slice(0, MOST_NAMES);
  const first = cells.map((each) => fold(childText(each))).find((name, place) => isTold(name) && !cells[place].querySelector('input')) || '';
  const pressed = Array.from(row.querySelectorAll(PRESSED)).slice(0, 2);
  const leading = [...heads.map((each) => foldName(childText(each))), first].filter((name) => /\p{L}/u.test(name)); // they say which one it is, with numbers too
  const fields = Array.from(row.querySelectorAll(EDITABLE)).slice(0, 2 * MOST_NAMES);
  const steady = [...heads, ...links, ...cells, ...texts, ...pressed].filter((each) => !fields.some((field) => !each.contains(field) && showsValue(each, field)));
  const names = [...steady.map((each) => each.matches(PRESSED) ? nameOf(each) : foldName(childText(each)) || nameOf(each)), ownText(row)];
  return unique([...leading, ...steadyFirst(names)]).filter((name) => isTold(name) && name.length <= LONGEST_NAME).slice(0, 2 * MOST_NAMES);
});
