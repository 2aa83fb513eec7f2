import { isTold } from '../names/texts.ts';
import { conceal, tell } from './wording.ts';

/** What a look at a page has found so far, and how much of it there may be. */

export type Thing = { element: any, level: number, kind: string, name: string, value?: string | null, states?: string[], takes?: string, acts?: boolean,
  alike?: string, holds?: [string, number][], opener?: any, heading?: number };

const MOST_THINGS = 6000, MOST_VISITED = 120_000, LONGEST_MS = 5000;

const nothingYet = (said: Set<Element>, words: string[]) => ({ things: [] as Thing[], visited: 0, until_ms: performance.now() + LONGEST_MS, isFull: false, said, told: new Set<Element>(), words,
  spare: [] as [string, number][][], hovered: new Map<any, { over: any, holds: [string, number][] }>() });

export const look = nothingYet(new Set(), []);

/** What is said is the name of something else that is told; the words are looked for above all. */
export function beginLook(said: Set<Element>, words: string[]) { Object.assign(look, nothingYet(said, words)); }

export function hasTime() {
  look.visited += 1;
  if (look.things.length >= MOST_THINGS || look.visited >= MOST_VISITED) look.isFull = true;
  if (look.visited % 256 === 0 && performance.now() > look.until_ms) look.isFull = true;
  return !look.isFull;
}

export function put(thing: Thing) {
  look.things.push(thing);
  return look.things.length - 1;
}

export function unwrap(at: number) {
  look.things.splice(at, 1);
  for (let each = at; each < look.things.length; each += 1) look.things[each].level -= 1;
}

const LONGEST_RUN = 1000, LONGEST_TEXT = 160;

const newRun = (level: number, element: any = null) => ({ pieces: [] as { text: string, isOwn: boolean }[], length: 0, start: look.things.length, level, element });

let run = newRun(0);

export function beginRun(level: number) { run = newRun(level); }

/** What is not its own is the name of something that is told itself. */
export function addText(text: string, element: any, level: number, isOwn: boolean = true) {
  if (run.length > LONGEST_RUN) return;
  if (!run.pieces.length) run = newRun(level, element);
  if (isOwn && isTold(text) && !run.pieces.some((piece) => piece.isOwn)) run.element = element;
  const piece = text.slice(0, LONGEST_RUN);
  run.pieces.push({ text: piece, isOwn: isOwn && isTold(piece) });
  run.length += piece.length;
}

/** Whether the words of links belong to a sentence, rather than standing beside a text. */
function isSentence() {
  const last = run.pieces.findLastIndex((piece) => piece.isOwn);
  const isLink = ({ text, isOwn }: { text: string, isOwn: boolean }) => !isOwn && isTold(text);
  return run.pieces.slice(0, last).some(isLink) || (run.pieces.filter(isLink).length === 1 && !/:\s*$/.test(run.pieces[last].text));
}

export const ownRun = () => tell(run.pieces.filter((piece) => piece.isOwn).map((piece) => piece.text).join(' '), LONGEST_RUN);

export function dropRun() { beginRun(run.level); }

/** Ends the line; what it said is told before what was found in it. */
export function endRun() {
  if (run.pieces.some((piece) => piece.isOwn)) {
    const pieces = isSentence() ? run.pieces : run.pieces.filter((piece) => piece.isOwn || !isTold(piece.text));
    const name = tell(conceal(pieces.map((piece) => piece.text).join('')), LONGEST_TEXT);
    const before = look.things[run.start - 1];
    const after = look.things.splice(run.start);
    if (name && !(before && before.name === name && before.level <= run.level)) put({ element: run.element, level: run.level, kind: 'text', name });
    look.things.push(...after);
  }
  run.pieces = [];
}
