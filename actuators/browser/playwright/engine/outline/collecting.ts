import { remembering } from '../names/memory.ts';
import { isVisible } from '../names/sight.ts';
import { findAll, ledToBy, wholeOf } from '../names/tree.ts';
import { readFrame } from '../selectors/frames.ts';
import { addHeld, countHeld, forgetOpeners, forgetShowings, putHovered } from './concealed.ts';
import { beginLook, beginRun, endRun, look, put, type Thing } from '../things/look.ts';
import { findModal, pathTo } from './modals.ts';
import { countFrom, elementWith, nextNumber, refOf } from '../things/refs.ts';
import { layers, startPlace, visit } from './walking.ts';
import { nameElements } from '../selectors/selectors.ts';
import { learnSecrets } from '../things/wording.ts';

const MOST_LABELS = 3000, MOST_FRAMES = 100;
const MOST_NAMED_AMONG = 150_000; // elements, among which no other one of a name can be looked for in time
// What is named by something else but is not told itself.
const UNTOLD = 'main, [role=main], [role=tabpanel], [role=listbox], [role=menu], ul, ol, svg, img, [role=img], body';

function listSaid(root: any) {
  const said = new Set<Element>();
  for (const each of findAll(root, '[aria-labelledby]').slice(0, MOST_LABELS)) {
    if (each.matches(UNTOLD) || !isVisible(each)) continue;
    for (const label of ledToBy(each, 'aria-labelledby')) if (label !== each && !label.contains(each)) said.add(label);
  }
  for (const each of findAll(root, 'legend, caption')) said.add(each);
  return said;
}

/** What opens something, as it is told: itself, what it is a part of, or the first thing in it; the mouse is over what is in it rather. */
function refOfOpener({ opener, takes }: Thing, told: Map<any, string>) {
  const inner = () => (opener ? Array.from<any>(opener.querySelectorAll('*')).find((each) => told.has(each)) : null);
  if (takes === 'hover' && !told.has(opener) && inner()) return told.get(inner());
  for (let each = opener, level = 0; each && level < 4; each = each.parentElement, level += 1) if (told.has(each)) return told.get(each);
  return told.get(inner()) || '';
}

/** A thing as Python takes it: ref, level, kind, name, value, states, takes, whether it is acted on, likeness, what it holds, what opens it, level of a heading. */
const write = (thing: Thing, ref: string, told: Map<Element, string>) => [ref, thing.level, thing.kind, thing.name, thing.value ?? null, thing.states || [], thing.takes || '', thing.acts ? 1 : 0,
  thing.alike || '', thing.holds || [], thing.opener ? refOfOpener(thing, told) : '', thing.heading || 0];

function putRest(root: any) {
  for (const around of look.hovered.keys()) putHovered(around, 0);
  const behind = layers.behind.filter((each) => isVisible(each));
  const held = addHeld(behind.map((each) => countHeld(each, isVisible)));
  if (held.length) put({ element: behind[0], level: 0, kind: 'hidden', name: 'the page behind the dialog', holds: held });
  const spare = addHeld(look.spare);
  if (spare.length) put({ element: null, level: 0, kind: 'hidden', name: 'other parts', holds: spare });
  if (!look.isFull) return;
  const seen = new Set(look.things.map((thing) => thing.element));
  const left = countHeld(root, (each) => !seen.has(each) && isVisible(each));
  put({ element: null, level: 0, kind: 'hidden', name: 'the rest of the page, which is too large to be looked at', holds: left });
}

export const collect = (element: any, query: LookedFor) => remembering(() => collectAll(element, query));

type LookedFor = { from: number, is_page: boolean, secrets: string[], words: string[], names_ms: number };

function collectAll(element: any, { from, is_page, secrets, words, names_ms }: LookedFor) {
  const root = is_page ? wholeOf(element) : element;
  countFrom(from);
  forgetOpeners();
  forgetShowings();
  learnSecrets(document, secrets);
  beginLook(listSaid(document), words);
  const modal = is_page ? findModal() : null;
  Object.assign(layers, { modal, path: modal ? pathTo(modal) : new Set(), behind: [] });
  beginRun(0);
  visit(root, startPlace());
  endRun();
  putRest(root);
  const isHuge = document.getElementsByTagName('*').length > MOST_NAMED_AMONG;
  const things: any[] = writeAll();
  const refs = names_ms && !isHuge ? things.filter(([ref, , kind]) => kind !== 'text' && kind !== 'hidden' && elementWith(ref)).map(([ref]) => ref) : [];
  const named = nameElements(refs.map(elementWith), { limit_ms: names_ms });
  return { things, frames: nameFrames(), next: nextNumber(), is_huge: isHuge, moves_ms: readMotion(), names: Object.fromEntries(refs.map((ref, place) => [ref, named[place]])) };
}

const nameFrames = () => Object.fromEntries(look.things.filter(({ kind }) => kind === 'frame').slice(0, MOST_FRAMES).map(({ element }) => [refOf(element), readFrame(element)]));

const LONGEST_MS = 1000; // what moves for longer is looked at as it moves

/** How long until everything has got to its end that is on its way to one that comes soon, such as a dialog that fades in. */
export function readMotion() {
  const left = document.getAnimations().filter((each) => each.playState === 'running').map((each) => Number(each.effect?.getComputedTiming().endTime) - Number(each.currentTime));
  return Math.max(0, ...left.filter((ms) => ms <= LONGEST_MS));
}

/** Every thing has a ref of its own; of several in one element only the first one's finds it. */
function writeAll() {
  const told: Map<Element, string> = new Map();
  const counts = new Map();
  const refs = look.things.map(({ element, kind }) => {
    const ref = element ? refOf(element) : 'page';
    counts.set(ref, (counts.get(ref) ?? -1) + 1);
    if (element && kind !== 'hidden' && !told.has(element)) told.set(element, ref);
    return counts.get(ref) || !element ? `${ref}.${counts.get(ref)}` : ref;
  });
  return look.things.map((thing, place) => write(thing, refs[place], told));
}
