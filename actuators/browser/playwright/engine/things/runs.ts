/** Texts as they are read: what stands in a line or paragraph, with the words of the links in it. */
import { isTold } from '../names/texts.ts';
import { look, put } from './look.ts';
import { conceal, tell } from './wording.ts';

const LONGEST_RUN = 1000, LONGEST_TEXT = 160;

let run: { pieces: { text: string, isOwn: boolean }[], length: number, start: number, level: number, element: any } = { pieces: [], length: 0, start: 0, level: 0, element: null };

export function beginRun(level: number) {
  run = { pieces: [], length: 0, start: look.things.length, level, element: null };
}

/**
 * @param element What it stands in.
 * @param isOwn Whether it is not the name of something that is told itself.
 */
export function addText(text: string, element: any, level: number, isOwn: boolean = true) {
  if (run.length > LONGEST_RUN) return;
  if (!run.pieces.length) run = { pieces: [], length: 0, start: look.things.length, level, element };
  if (isOwn && isTold(text) && !run.pieces.some((piece) => piece.isOwn)) run.element = element;
  const piece = text.slice(0, LONGEST_RUN);
  run.pieces.push({ text: piece, isOwn: isOwn && isTold(piece) });
  run.length += piece.length;
}

/** Whether the words of links belong to a sentence, rather than standing beside a text. */
function isSentence() {
  const own = run.pieces.map((piece, at) => (piece.isOwn ? at : -1)).filter((at) => at >= 0);
  const linked = run.pieces.map((piece, at) => (!piece.isOwn && isTold(piece.text) ? at : -1)).filter((at) => at >= 0);
  return linked.some((at) => at < own[own.length - 1]) || (linked.length === 1 && !/:\s*$/.test(run.pieces[own[own.length - 1]].text));
}

/** What the line says so far, on its own. */
export const ownRun = () => tell(run.pieces.filter((piece) => piece.isOwn).map((piece) => piece.text).join(' '), LONGEST_RUN);

export function dropRun() { beginRun(run.level); }

/** Ends the line; what it said is told before what was found in it. */
export function endRun() {
  if (!run.pieces.some((piece) => piece.isOwn)) {
    run.pieces = [];
    return;
  }
  const pieces = isSentence() ? run.pieces : run.pieces.filter((piece) => piece.isOwn || !isTold(piece.text));
  const name = tell(conceal(pieces.map((piece) => piece.text).join('')), LONGEST_TEXT);
  const before = look.things[run.start - 1];
  const after = look.things.splice(run.start);
  if (name && !(before && before.name === name && before.level <= run.level)) put({ element: run.element, level: run.level, kind: 'text', name });
  look.things.push(...after);
  run.pieces = [];
}
