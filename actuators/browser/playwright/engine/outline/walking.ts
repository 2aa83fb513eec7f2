import { labelOf } from '../acting/choices.ts';
import { CONTROLS, HEADINGS, roleOf } from '../names/roles.ts';
import { isVisible } from '../names/sight.ts';
import { aroundOf, isInSvg, kidsOf, tagOf } from '../names/tree.ts';
import { putClosed, putHidden, putHovered } from './concealed.ts';
import { statesOf } from '../things/facts.ts';
import { frameNames } from '../selectors/frames.ts';
import { ACTED_ON, countAlike, countShapes, holdsControls, isCard, isField, isListeningThing, isPressedThing, likenessOf, STRUCTURES } from '../things/kinds.ts';
import { addText, endRun, hasTime, look, put, type Thing, unwrap } from '../things/look.ts';
import { isBehind } from './modals.ts';
import { closeCard, closeEntry, closePart, closeRow, isDataTable, isHeadRow, partName } from '../things/parts.ts';
import { putControl, putDrawing, putField, putGauge, putHeading, putImage, putPressed } from '../things/things.ts';
import { firstText, isHuge, tell } from '../things/wording.ts';

/** Where a node stands: how deep, whether it is a part of something that is pressed, or of the name of something that is told, and what is beside it. */
type Place = { level: number, depth: number, isPointer: boolean, isQuiet: boolean, isUnseen: boolean, isLayout: boolean, nests: boolean,
  outer: string, shapes: Map<string, number> };

const SKIPPED = new Set(('SCRIPT STYLE TEMPLATE NOSCRIPT HEAD LINK META TITLE DATALIST OPTION OPTGROUP COLGROUP COL PARAM SOURCE TRACK WBR'
  + ' title desc defs symbol metadata clipPath mask style script').split(' '));
const DRAWN = new Set(['CANVAS', 'VIDEO', 'AUDIO', 'EMBED', 'OBJECT']);
const NESTING = new Set(['treeitem', 'menuitem', 'tab']); // may have others of their kind in them, which are not a part of their name
const MESSAGES = new Set(['alert', 'status', 'tooltip']);
const DEEPEST = 1500;
const MOST_ALIKE = 400, MOST_MATCHING = 60, MOST_UNSEEN = 300;
const SMALL_PX = 64;
const ALONE: Map<string, number> = new Map();

export const layers: { modal: any, path: Set<any>, behind: any[] } = { modal: null, path: new Set(), behind: [] };

export const startPlace = (): Place => ({ level: 0, depth: 0, isPointer: false, isQuiet: false, isUnseen: false, isLayout: false, nests: false, outer: '', shapes: ALONE });

export function visit(node: any, place: Place) {
  if (node.nodeType === 3) {
    if (!place.isQuiet && !place.isUnseen && node.data) addText(node.data, node.parentElement, place.level);
  } else if (node.nodeType === 1 && place.depth < DEEPEST && !SKIPPED.has(tagOf(node)) && !look.told.has(node) && hasTime()) {
    visitElement(node, place);
  }
}

const isOutside = (element: any) => Boolean(layers.modal) && element !== layers.modal && !layers.path.has(element)
  && layers.path.has(aroundOf(element)) && isBehind(element, layers.modal);

function hasVisible(element: any) {
  const walker = document.createTreeWalker(element.shadowRoot || element, NodeFilter.SHOW_ELEMENT);
  for (let looked = 0; looked < MOST_UNSEEN && walker.nextNode(); looked += 1) if (isVisible(walker.currentNode)) return true;
  return false;
}

const isHidden = (element: any, style: CSSStyleDeclaration) =>
  (style.display === 'none' && !(tagOf(element) === 'AREA' && isVisible(element))) || (style.visibility !== 'visible' && !hasVisible(element))
  || (style.display !== 'contents' && isOutOfSight(element, style) && !isStandIn(element));

function visitElement(element: any, around: Place) {
  const style = getComputedStyle(element);
  if (isOutside(element)) layers.behind.push(element);
  else if (isHidden(element, style)) putHidden(element, around.level);
  else visitDrawn(element, style, around);
}

function visitDrawn(element: any, style: CSSStyleDeclaration, around: Place) {
  const place = { ...around, depth: around.depth + 1, isUnseen: style.visibility !== 'visible', isQuiet: around.isQuiet || look.said.has(element) };
  const isBlock = !style.display.startsWith('inline') && style.display !== 'contents' && !isInSvg(element);
  if (isBlock) endRun();
  visitKind(element, style, place);
  if (isBlock) endRun();
  else if (style.display !== 'inline' && !place.isQuiet) addText(' ', element, place.level, false);
}

function visitKind(element: any, style: CSSStyleDeclaration, place: Place) {
  const tag = tagOf(element), role = roleOf(element);
  if (isField(element, role)) putField(element, role, place.level);
  else if (ACTED_ON[role]) visitControl(element, role, style, place);
  else if (tag === 'LABEL' && (element.control || !isListeningThing(element))) visitLabel(element, style, place);
  else if (tag === 'IFRAME' || tag === 'FRAME') putFrame(element, place);
  else if (tag === 'DETAILS') visitDetails(element, style, place);
  else if (STRUCTURES[role] && (!place.isQuiet || place.nests)) visitPart(element, STRUCTURES[role], style, place);
  else if (place.isQuiet) visitKids(element, style, place);
  else if (tag === 'BR') addText(' ', element, place.level, false);
  else if (DRAWN.has(tag)) putDrawing(element, place.level);
  else if (role === 'progressbar' || role === 'meter') putGauge(element, place.level);
  else if (isPressedThing(element, style, place.isPointer) && isPressed(element)) visitPressed(element, role, style, place);
  else if (element.matches(HEADINGS)) visitHeading(element, style, place);
  else if (role === 'img' || tag === 'svg') visitPicture(element, style, place);
  else if (isCard(element) && likenessOf(element, place.shapes)) visitCard(element, style, place);
  else visitKids(element, style, place);
}

function visitKids(element: any, style: CSSStyleDeclaration, place: Place) {
  const kids = kidsOf(element);
  const shapes = element.childElementCount > 2 || element.shadowRoot ? countShapes(kids) : ALONE;
  const inside = { ...place, isPointer: style.cursor === 'pointer', shapes };
  let alike = 0, skipped = 0, matching = 0, steps = 0;
  for (const kid of kids) {
    steps += 1;
    if (look.isFull || (steps % 512 === 0 && performance.now() > look.until_ms)) break;
    if (kid.nodeType === 1 && countAlike(kid, shapes) > MOST_ALIKE && (alike += 1) > MOST_ALIKE) {
      if (matching >= MOST_MATCHING || !isLookedFor(kid)) { skipped += 1; continue; }
      matching += 1;
    }
    visit(kid, inside);
  }
  if (look.hovered.size) putHovered(element, place.level);
  if (skipped) put({ element, level: place.level, kind: 'hidden', name: '', states: ['not looked at'], holds: [[kindOfEntry(element.lastElementChild), skipped]] });
}

const kindOfEntry = (element: any) => ({ row: 'row', listitem: 'listitem', option: 'option' })[roleOf(element)] || 'record';

const isLookedFor = (element: any) => look.words.length > 0 && ((text: string) => look.words.some((word) => text.includes(word)))(firstText(element, 500).toLowerCase());

function visitControl(element: any, role: string, style: CSSStyleDeclaration, place: Place) {
  const isWord = role === 'link' && !place.isQuiet && style.display.startsWith('inline');
  if (isWord) addText('', element, place.level, false);
  else if (!place.isQuiet) endRun();
  const at = putControl(element, role, place.level);
  if (at < 0) return;
  const thing = look.things[at];
  if (place.outer && thing.name === place.outer) look.things.splice(at, 1); // the inside of what is told already
  else thing.alike = likenessOf(element, place.shapes);
  if (isWord) addText(thing.name, element, place.level, false);
  if (!(element.shadowRoot || element).querySelector(`${CONTROLS}, [role=group]`)) return;
  visitKids(element, style, { ...place, isQuiet: true, isPointer: true, nests: NESTING.has(role), outer: thing.name });
}

/** What a label says is the name of its control; where that is hidden, the label stands for it. */
function visitLabel(label: any, style: CSSStyleDeclaration, place: Place) {
  const control = label.control;
  if (control && !look.told.has(control) && (!isVisible(control) || (isOutOfSight(control, getComputedStyle(control)) && !isStandIn(control)))) {
    endRun();
    look.told.add(control);
    const role = roleOf(control);
    if (isField(control, role)) putField(control, role, place.level);
    else if (ACTED_ON[role]) putControl(control, role, place.level);
  }
  visitKids(label, style, { ...place, isQuiet: place.isQuiet || Boolean(control && labelOf(control)) });
}

function putFrame(frame: any, place: Place) {
  const box = frame.getBoundingClientRect();
  if (box.width > 2 && box.height > 2) put({ element: frame, level: place.level, kind: 'frame', name: tell(frameNames(frame)[0] || '', 120) });
}

function visitDetails(details: any, style: CSSStyleDeclaration, place: Place) {
  if (details.open) visitKids(details, style, place);
  else {
    for (const kid of details.children) if (tagOf(kid) === 'SUMMARY') visit(kid, { ...place, shapes: ALONE });
    putClosed(details, place.level);
  }
}

function visitPart(element: any, kind: string, style: CSSStyleDeclaration, place: Place) {
  const isLayout = kind === 'table' ? !isDataTable(element) : place.isLayout && kind === 'row';
  if (isLayout) {
    visitKids(element, style, { ...place, isLayout: true });
    return;
  }
  endRun();
  if (MESSAGES.has(kind) && !holdsControls(element)) putMessage(element, kind, place.level);
  else visitStructure(element, kind, style, place);
}

function putMessage(element: any, kind: string, level: number) {
  const [text, name] = [tell(firstText(element), 300), partName(element)];
  if (text) put({ element, level, kind, name: name || text, value: name ? text : null });
}

function visitStructure(element: any, kind: string, style: CSSStyleDeclaration, place: Place) {
  const isEntry = kind === 'listitem' || kind === 'row';
  const acts = isEntry && isPressedThing(element, style, place.isPointer);
  const at = putAround({ element, level: place.level, kind, name: isEntry ? '' : partName(element), acts, states: isEntry ? statesOf(element) : [],
    alike: isEntry ? likenessOf(element, place.shapes) : '' }, style, { ...place, isQuiet: false, isLayout: false, nests: false, outer: '' });
  if (kind === 'row') closeRow(at, isHeadRow(element));
  else if (kind === 'listitem') closeEntry(at);
  else closePart(at);
}

function putAround(thing: Thing, style: CSSStyleDeclaration, place: Place) {
  const at = put(thing);
  visitKids(thing.element, style, { ...place, level: place.level + 1 });
  endRun();
  return at;
}

const visitCard = (element: any, style: CSSStyleDeclaration, place: Place) => closeCard(putAround({ element, level: place.level, kind: 'record', name: '',
  alike: likenessOf(element, place.shapes) }, style, place));

function isPressed(element: any) {
  if (element === document.body || element === document.documentElement || !hasRoom(element)) return false;
  const box = element.getBoundingClientRect();
  return Boolean(element.firstChild) || box.width * box.height < innerWidth * innerHeight * 0.4; // a curtain is no button
}

function visitPressed(element: any, role: string, style: CSSStyleDeclaration, place: Place) {
  endRun();
  const inner = element.shadowRoot || element;
  if (!holdsControls(element) && !isHuge(element)) {
    look.things[putPressed(element, role, place.level)].alike = likenessOf(element, place.shapes);
    return;
  }
  const heading = inner.querySelector(HEADINGS);
  const at = putAround({ element, level: place.level, kind: 'control', name: tell(firstText(heading || element, 300), 80), acts: true, alike: likenessOf(element, place.shapes) }, style, place);
  const inside = look.things.slice(at + 1);
  // What is pressed only because what is in it is says nothing of its own.
  if (inside.some((each) => each.acts) && !inside.some((each) => each.kind === 'text' || each.kind === 'heading')) unwrap(at);
}

function visitHeading(element: any, style: CSSStyleDeclaration, place: Place) {
  endRun();
  const at = look.things.length;
  putHeading(element, place.level);
  const heading = look.things[at];
  if (!(element.shadowRoot || element).querySelector(CONTROLS)) return;
  visitKids(element, style, { ...place, isQuiet: true });
  const inside = look.things.slice(at + 1);
  if (heading && inside.length === 1 && inside[0].name === heading.name) look.things.splice(at, 1);
}

function visitPicture(element: any, style: CSSStyleDeclaration, place: Place) {
  const box = element.getBoundingClientRect();
  if (tagOf(element) === 'svg' && box.width > SMALL_PX && box.height > SMALL_PX) visitKids(element, style, place);
  else if (!place.isPointer || box.width > SMALL_PX) putImage(element, place.level); // else it is what something pressed is drawn as
}

/** Whether people can't see it though it is drawn: it is clipped away, faded out, or beyond the edge of the page. */
export function isOutOfSight(element: Element, style: CSSStyleDeclaration) {
  if (style.opacity === '0' && style.pointerEvents === 'none') return true;
  const isLaid = style.position === 'absolute' || style.position === 'fixed';
  if (style.clipPath === 'inset(50%)' || style.clipPath === 'inset(100%)' || (isLaid && /^rect\(([01]px,? ?)+\)$/.test(style.clip))) return true;
  if (style.overflow !== 'visible' && style.display !== 'inline' && element !== document.body && element !== document.documentElement
    && (element.offsetWidth <= 1 || element.offsetHeight <= 1)) return true;
  return (isLaid || style.transform !== 'none') && isBeyond(element, style);
}

function isBeyond(element: Element, style: CSSStyleDeclaration) {
  const box = element.getBoundingClientRect();
  if (!box.width && !box.height) return false;
  if (style.position === 'fixed') return box.right <= 0 || box.bottom <= 0 || box.left >= innerWidth || box.top >= innerHeight;
  return box.right + scrollX <= 0 || box.bottom + scrollY <= 0;
}

const DRAWN_ANEW = 'input[type=checkbox], input[type=radio], input[type=file], input[type=range], select';

/** A control that a page draws itself in the place of the browser's own, which takes the clicks and is clipped or clear. */
export const isStandIn = (element: Element) => element.matches(DRAWN_ANEW) && element.getAttribute('aria-hidden') !== 'true' && isVisible(element)
  && (Boolean(labelOf(element)) || (element.tabIndex >= 0 && element.parentElement !== null && hasRoom(element.parentElement)));

export function hasRoom(element: Element) {
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.height > 0;
}

