/** Whether a question asks about another thing than the one that was chosen for it: a page may have chosen anew in between, and what the question names is deleted then. */
import { countsOf, key } from './texts.ts';

const THINGS = 'tr, li, [role=row], [role=listitem], [role=treeitem]';
const PLACES = '[role=menu], [role=menubar], [role=tablist], [role=toolbar], nav, [role=navigation], header, footer';
const QUESTIONS = 'dialog, [role=dialog], [role=alertdialog], [aria-modal=true]';
const FIELDS = 'input:not([type=checkbox], [type=button], [type=submit], [type=hidden]), textarea, select, [contenteditable=true],'
  + ' [role=textbox], [role=combobox], [role=listbox]';
const LEAST_CHARS = 3;
const MOST_THINGS = 300;
const WORDLIKE = /[\p{L}\p{N}]/u;

let chosen: { around: Element, texts: string[], named: string } | null = null; // what is written on the thing that was pressed last, and on what was pressed since

function readThing(thing: Element) {
  const texts = [];
  const walker = document.createTreeWalker(thing, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(key(node.nodeValue || ''));
  return texts.filter((text) => text.length >= LEAST_CHARS && /\p{L}{2}/u.test(text));
}

function tells(text: string, name: string) {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!WORDLIKE.test(text[at - 1] || ' ') && !WORDLIKE.test(text[at + name.length] || ' ')) return true;
  }
  return false;
}

export function notePressed(element: Element) {
  const thing = element.closest(PLACES) || element.closest(QUESTIONS) ? null : element.closest(THINGS);
  if (thing && thing.parentElement) chosen = { around: thing.parentElement, texts: readThing(thing), named: '' };
  else if (chosen) chosen.named += ` ${key(element.textContent || '').slice(0, MOST_THINGS)}`;
}

/** The thing beside the chosen one that the question around an answer asks about instead, told once; null where it asks about that, or about none. */
export function readQuestioned(element: Element) {
  const question = chosen && element.closest(QUESTIONS);
  if (!chosen || !question || !chosen.texts.length || question.contains(chosen.around) || question.querySelector(FIELDS)) return null;
  const { around, texts, named } = chosen;
  const asked = key((question as any).innerText || '');
  if (texts.some((text) => tells(asked, text))) return null;
  const things = Array.from(around.children).slice(0, MOST_THINGS).filter((each) => each.matches(THINGS));
  const counts = countsOf(things.flatMap((thing) => [...new Set(readThing(thing))]));
  const other = Array.from(counts.keys()).find((text) => counts.get(text) === 1 && tells(asked, text) && !tells(named, text));
  if (!other) return null;
  chosen = null;
  return { asked: other, chosen: texts[0] };
}
