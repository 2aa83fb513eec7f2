/** Texts as they are read: what stands in a line or paragraph, with the words of the links in it. */
import { isTold } from '../names/texts.ts';
import { look, put } from './look.ts';
import { conceal, tell } from './wording.ts';

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

/** What the line says so far, on its own. */
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
