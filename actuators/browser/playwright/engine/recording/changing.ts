/** What an act changed on the page, so that it can be expected the next time: headings and notices that were not there before. */
import { HEADINGS } from '../names/roles.ts';
import { isVisible } from '../names/sight.ts';
import { conceal, learnSecrets } from '../things/wording.ts';
import { fold } from '../names/texts.ts';
import { findAll } from '../names/tree.ts';
import { tellRecorder, toldOfTarget } from './telling.ts';

const NOTICES = '[role=alert], [role=status], output, [aria-live=polite], [aria-live=assertive]';
const MOST_CHARS = 120, MOST_TOLD = 3;
const LOOKS_MS = [250, 900, 2500];

type Watched = { act: string, element: Element | null, was: boolean | null, headings: Set<string>, notices: Set<string>, mutations: number,
  watcher: MutationObserver, timers: number[], told: string };
let current: Watched | null = null;

const shown = (css: string) => findAll(document, css).filter(isVisible).slice(0, 200);
const textOf = (element: Element) => fold(element.innerText || element.textContent || '');
const textsOf = (css: string) => new Set(shown(css).map(textOf));

/** Notices what becomes of the page from here on, before the act on the element has any effect. */
export function beginChange(act: string, element: Element | null = null) {
  endChange();
  const watcher = new MutationObserver(countChanges);
  watcher.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  const timers = LOOKS_MS.map((wait_ms) => setTimeout(tellChange, wait_ms));
  current = { act, element, was: accordingToOpenness(element), headings: textsOf(HEADINGS), notices: textsOf(NOTICES), mutations: 0, watcher, timers, told: '' };
}

function countChanges(records: MutationRecord[]) {
  if (current) current.mutations += records.filter(({ type, attributeName }) => type !== 'attributes' || !/^(class|style|data-focus.*|tabindex)$/.test(attributeName || '')).length;
}

function endChange() {
  if (!current) return;
  countChanges(current.watcher.takeRecords());
  tellChange();
  current.watcher.disconnect();
  current.timers.forEach(clearTimeout);
  current = null;
}

function tellChange() {
  if (!current) return;
  const { act, element, was, mutations, headings, notices } = current;
  const facts = { act, mutations, was_open: was, is_open: accordingToOpenness(element), ...readNew(headings, notices) };
  const text = JSON.stringify(facts);
  if (text !== current.told) tellRecorder('changed', facts);
  current.told = text;
}

export function readNew(headings: Set<string>, notices: Set<string>) {
  learnSecrets(document, []);
  const isFresh = (text: string, known: Set<string>) => text && text.length <= MOST_CHARS && !known.has(text);
  const fresh = (css: string, known: Set<string>) => shown(css).filter((each) => isFresh(textOf(each), known)).slice(0, MOST_TOLD);
  return {
    headings: fresh(HEADINGS, headings).map(toldOfTarget).filter(({ name, selector }) => selector && conceal(name) === name),
    notices: fresh(NOTICES, notices).map((each) => ({ ...toldOfTarget(each), text: conceal(textOf(each)) })).filter(({ text }) => !text.includes('•••')),
  };
}

export function accordingToOpenness(element: Element | null): boolean | null {
  const opener = element && element.closest('[aria-expanded], summary');
  if (!opener) return null;
  return opener.matches('summary') ? Boolean(opener.parentElement?.open) : opener.getAttribute('aria-expanded') === 'true';
}
