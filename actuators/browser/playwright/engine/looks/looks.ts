import { keptInQuery } from '../names/memory.ts';
import { describe, nameOf, ownText, whereOf } from '../names/naming.ts';
import { CONTROLS } from '../names/roles.ts';
import { best, isVisible } from '../names/sight.ts';
import { fold } from '../names/texts.ts';
import { findAll, innermost, isDrawing, scopeOf, tagOf } from '../names/tree.ts';
import { boxColours, coloursOf, DRAWN, drawnColours, isColoured, nearestName, outerSvg } from './colours.ts';
import { calledOf, isIcon, isSmall, MARKED, saidOf, tellingWords } from './icons.ts';
import { isOfKind, kindsOf } from './shapes.ts';

function styleFits(element: Element, { style }: { style: string }) {
  if (!style) return true;
  const css = getComputedStyle(element);
  switch (style) {
    case 'bold': return Number(css.fontWeight) >= 600;
    case 'italic': return css.fontStyle !== 'normal';
    case 'underlined': return css.textDecorationLine.includes('underline');
    default: return (style === 'filled') === Boolean(isDrawing(element) ? drawnColours(element).fill : boxColours(element).ground);
  }
}

function pixelsFit(element: Element, { width_px, height_px }: { width_px: number, height_px: number }) {
  if (!width_px) return true;
  const box = element.getBoundingClientRect();
  const near = (one: number, other: number) => Math.abs(one - other) <= 1;
  return height_px ? near(box.width, width_px) && near(box.height, height_px) : near(Math.max(box.width, box.height), width_px);
}

const isTextual = (element: Element) => element.matches('text') || (!isDrawing(element) && !element.matches('svg') && Boolean(ownText(element)));

function extentOf(element: Element) {
  if (element.matches('text')) {
    const scale = element.getScreenCTM();
    return parseFloat(getComputedStyle(element).fontSize) * (scale ? Math.hypot(scale.a, scale.b) : 1);
  }
  const box = element.getBoundingClientRect();
  return Math.max(box.width, box.height);
}

const SAME_SIZE = 1.15;

/** Sizes that people tell apart, from the smallest: where there are more than three, those below and above the widest gap. */
function sizeSteps(sizes: number[]) {
  const sorted = [...new Set(sizes.filter((size) => size > 0))].sort((one, other) => one - other);
  const steps: any[] = [];
  for (const size of sorted) {
    const last = steps.at(-1);
    if (last && size / last.at(-1) <= SAME_SIZE) last.push(size);
    else steps.push([size]);
  }
  if (steps.length <= 3) return steps;
  const gaps = steps.slice(1).map((step, place) => step[0] / steps[place].at(-1));
  const widest = gaps.indexOf(Math.max(...gaps)) + 1;
  return [steps.slice(0, widest).flat(), steps.slice(widest).flat()];
}

const stepName = (steps: number[][], size: number) => {
  const place = steps.findIndex((step) => step.includes(size));
  return place === 0 ? 'small' : place === steps.length - 1 ? 'large' : 'medium';
};

/** Compared with the first of these in which sizes differ: what else fits the other words, what is like it, all beside it. */
function ofSize(left: Element[], { size: wanted }: { size: string }, groupOf: (element: Element) => Element[]) {
  const extent = keptInQuery(extentOf);
  const stepsIn = (group: Element[]) => sizeSteps(group.map(extent));
  const among = stepsIn(left);
  const drawings = new Map();
  const stepsBeside = (element: Element) => {
    const place = isDrawing(element) ? `${isTextual(element)}` : element;
    const svg = isDrawing(element) ? outerSvg(element) : element;
    if (!drawings.has(svg)) drawings.set(svg, new Map());
    if (!drawings.get(svg).has(place)) {
      const group = groupOf(element);
      const alike = group.filter((each) => isTextual(each) === isTextual(element));
      drawings.get(svg).set(place, [alike, group].map(stepsIn).find((steps) => steps.length > 1) || null);
    }
    return drawings.get(svg).get(place);
  };
  return left.filter((element) => {
    const steps = among.length > 1 ? among : stepsBeside(element);
    return !steps || stepName(steps, extent(element)) === wanted; // where nothing is larger or smaller, the word tells nothing
  });
}

const EXTREMES: Record<string, (box: any) => number> = {
  largest: (box) => box.width * box.height, smallest: (box) => -box.width * box.height, leftmost: (box) => -box.left, rightmost: (box) => box.right,
  topmost: (box) => -box.top, bottommost: (box) => box.bottom, widest: (box) => box.width, narrowest: (box) => -box.width,
  tallest: (box) => box.height, shortest: (box) => -box.height,
};
const TIE_PX = 0.5;

function mostOf(found: Element[], { extreme }: { extreme: string }) {
  if (!extreme || found.length < 2) return found;
  const measured = found.map((element) => {
    const font = isTextual(element) && /(larg|small)est/.test(extreme) ? extentOf(element) : 0;
    return [element, font ? (extreme === 'largest' ? font : -font) : EXTREMES[extreme](element.getBoundingClientRect())] as [Element, number];
  });
  const most = Math.max(...measured.map(([, measure]) => measure));
  return measured.filter(([, measure]) => most - measure <= TIE_PX).map(([element]) => element);
}

const DRAWING_PX = 64; // smaller pictures are icons

const isPicture = ({ width, height }: DOMRect, svg: Element) => Math.max(width, height) > DRAWING_PX && !svg.closest('button, a[href], [role=button]');

function drawnThings(root: Root) {
  const isShown = keptInQuery((svg: Element) => isPicture(svg.getBoundingClientRect(), svg));
  const isPainted = (element: Element) => drawnColours(element).colours.length > 0 && getComputedStyle(element).opacity !== '0';
  return findAll(scopeOf(root), DRAWN).filter((element) => isDrawing(element) && !element.closest('defs, clipPath, mask, pattern, symbol, marker')
    && isShown(outerSvg(element) as Element) && isVisible(element) && (element.matches('image, use') || isPainted(element)));
}

const MOST_BOXES = 5000;

function boxThings(root: Root) {
  const isThing = (element: Element) => {
    if (!isVisible(element) || element.matches('script, style, html, body, head, head *, br, option')) return false;
    if (element.matches(`img, svg, canvas, video, ${CONTROLS}`) || ownText(element)) return true;
    const { ground, border, style } = boxColours(element);
    return Boolean(ground || border || style.clipPath !== 'none' || style.backgroundImage !== 'none' || isIcon(element));
  };
  return findAll(scopeOf(root), '*:not(svg *)').slice(0, MOST_BOXES).filter(isThing);
}

const DRAWN_KINDS = ['', 'shape', 'letter', 'digit', 'text', 'rectangle', 'square', 'path'];
const NEVER_DRAWN = ['button', 'link', 'heading', 'icon', 'checkbox', 'radio', 'field', 'textarea'];

export function findLooks(root: Root, look: Look) {
  const drawn = NEVER_DRAWN.includes(look.kind) ? [] : drawnThings(root);
  const things = drawn.length && DRAWN_KINDS.includes(look.kind) ? [drawn] : drawn.length ? [drawn, null] : [null];
  for (const group of things) {
    const found = looking(group || boxThings(root), look);
    if (found.length) return best(look.kind === 'box' && !group ? likeBoxes(found) : found);
  }
  return [];
}

function looking(things: Element[], look: Look) {
  const kinds = new Map(things.map((element) => [element, kindsOf(element)]));
  const isKind = (element: Element, strict: any) => isOfKind(element, kinds.get(element), look, strict);
  const picked = [true, false].map((strict) => things.filter((element) => isKind(element, strict))).find((found) => found.length) || [];
  const groupOf = (element: Element) => things.filter((each) => (isDrawing(element) ? outerSvg(each) === outerSvg(element) : isLike(each, element, look)));
  const left = picked.filter((element) => isColoured(element, look) && styleFits(element, look) && pixelsFit(element, look));
  const found = look.size ? ofSize(left, look, groupOf) : left;
  return mostOf(look.kind === 'box' ? found : innermost(found), look);
}

/** Blocks are what is alike and says nothing, where there are such; what holds them, or is to be used, is no block. */
function likeBoxes(found: Element[]) {
  const plain = found.filter((each) => !each.childElementCount && !fold(each.textContent || '') && !each.matches(CONTROLS));
  const alike = plain.filter((each) => plain.some((other) => other !== each && tagOf(other) === tagOf(each) && other.className === each.className));
  return alike.length > 1 ? alike : found;
}

const isLike = (one: any, other: any, { kind }: Look) => tagOf(one) === tagOf(other) && (one.parentElement === other.parentElement || NEVER_DRAWN.includes(kind));
const TELLING = ['star', 'triangle', 'square', 'diamond', 'rectangle', 'circle', 'ellipse', 'line', 'letter', 'digit', 'image', 'polygon', 'path', 'text'];

function lookOf(element: Element) {
  const [first] = coloursOf(element, '');
  const told = kindsOf(element);
  const kind = TELLING.find((each) => told.kinds.includes(each)) || '';
  const shape = kind === 'polygon' ? `${told.sides}-sided polygon` : `${kind} ${told.character || ''}`;
  return fold(`${first ? nearestName(first).family : ''} ${shape}`);
}

const MOST_LOOKS = 200;

export function listLooks(root: Root, { limit }: { limit: number }) {
  const drawn = drawnThings(root);
  const things = drawn.length ? drawn : boxThings(root).filter((each) => !ownText(each)).slice(0, MOST_LOOKS);
  return tellEach(things, 'look', lookOf).filter(({ name }) => name.includes(' ')).slice(0, limit);
}

/** One of each name: the last one, at the place of the first. */
function tellEach(found: Element[], role: string, nameFor: (element: Element) => string) {
  const told = found.map((element) => ({ ...describe(element), role, name: nameFor(element), in: whereOf(element) }));
  return [...new Map(told.map((each) => [each.name, each])).values()];
}

const nameIcon = (element: Element) => [...saidOf(element), ...calledOf(element).flatMap((text) => (text || '').split(/\s+/))]
  .map((text) => tellingWords(text || '').join(' ')).find(Boolean) || '';

/** What tells a nameless thing from others in a message. */
export const toldOf = (element: Element) => (isDrawing(element) ? lookOf(element) : !nameOf(element) && isIcon(element) && nameIcon(element) ? `${nameIcon(element)} icon` : '');

export function listIcons(root: Root, { limit }: { limit: number }) {
  const found = findAll(root, MARKED).filter((element) => isVisible(element) && isIcon(element) && isSmall(element));
  return tellEach(found, 'icon', nameIcon).filter(({ name }) => name).slice(0, limit);
}
