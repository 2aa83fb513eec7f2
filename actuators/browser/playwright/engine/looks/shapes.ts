import { ownText } from '../names/naming.ts';
import { BUTTON_TYPES, CONTROLS, EDITABLE, HEADINGS, isPressable, roleOf } from '../names/roles.ts';
import { fold } from '../names/texts.ts';
import { classText, isDrawing, tagOf } from '../names/tree.ts';
import { boxColours, colourOf, drawnColours } from './colours.ts';
import { isIcon, isSmall } from './icons.ts';

const isAlike = (one: any, other: any) => Math.abs(one - other) <= 0.04 * Math.max(one, other);

/** The corners of a path without curves; null if it has any, or several pieces. */
function cornersOfPath(text: string) {
  const steps = text.match(/[a-zA-Z]|-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/g) || [];
  const corners = [];
  let [x, y, place, step] = [0, 0, 0, 'M'];
  const read = () => Number(steps[place++]);
  while (place < steps.length) {
    if (/[a-zA-Z]/.test(steps[place])) step = steps[place++];
    if (/[zZ]/.test(step)) { if (place < steps.length) return null; break; }
    if (!/[mlhvMLHV]/.test(step) || (/[mM]/.test(step) && corners.length > 0 && /[mM]/.test(steps[place - 1]))) return null;
    const isOffset = step === step.toLowerCase();
    if (/[mlML]/.test(step)) [x, y] = isOffset ? [x + read(), y + read()] : [read(), read()];
    else if (/[hH]/.test(step)) x = isOffset ? x + read() : read();
    else y = isOffset ? y + read() : read();
    corners.push([x, y]);
    if (/[mM]/.test(step)) step = isOffset ? 'l' : 'L';
  }
  return corners;
}

const turnAt = ([x1, y1]: Point, [x2, y2]: Point, [x3, y3]: Point) => (x2 - x1) * (y3 - y2) - (y2 - y1) * (x3 - x2);

/** Without points that are no corners: repeated ones, and those within a straight side. */
function realCorners(points: Point[]) {
  const across = Math.max(...points.map(([x]) => x)) - Math.min(...points.map(([x]) => x));
  const distinct = points.filter(([x, y], place) => {
    const [beforeX, beforeY] = points.at(place - 1) as Point;
    return Math.hypot(x - beforeX, y - beforeY) > across * 0.001;
  });
  return distinct.filter((point, place) => {
    const [before, after] = [distinct.at(place - 1), distinct[(place + 1) % distinct.length]] as Point[];
    const sides = Math.hypot(point[0] - before[0], point[1] - before[1]) * Math.hypot(after[0] - point[0], after[1] - point[1]);
    return Math.abs(turnAt(before, point, after)) > sides * 0.02;
  });
}

function kindsOfCorners(points: Point[]): Kinds {
  const corners = realCorners(points);
  const count = corners.length;
  if (count < 3) return { kinds: ['line'], sides: 0 };
  const turns = corners.map((point, place) => Math.sign(turnAt(corners.at(place - 1) as Point, point, corners[(place + 1) % count])));
  const isDented = turns.some((turn) => turn !== turns[0]);
  if (isDented && count >= 8 && count % 2 === 0 && turns.every((turn, place) => turn !== turns[(place + 1) % count])) return { kinds: ['star', 'polygon'], sides: count };
  return { kinds: ['polygon', ...(count === 3 ? ['triangle'] : []), ...(count === 4 && !isDented ? kindsOfFour(corners) : [])], sides: count };
}

function kindsOfFour(corners: Point[]) {
  const sides = corners.map(([x, y], place) => [corners[(place + 1) % 4][0] - x, corners[(place + 1) % 4][1] - y]);
  const lengths = sides.map(([x, y]) => Math.hypot(x, y));
  const isRight = sides.every(([x, y], place) => Math.abs(x * sides[(place + 1) % 4][0] + y * sides[(place + 1) % 4][1]) < 0.05 * lengths[place] * lengths[(place + 1) % 4]);
  const isUpright = sides.every(([x, y]) => Math.min(Math.abs(x), Math.abs(y)) < 0.05 * Math.hypot(x, y));
  const isEven = lengths.every((each) => isAlike(each, lengths[0]));
  return [...(isRight ? ['rectangle'] : []), ...(isRight && isEven ? ['square'] : []), ...(isEven && !isUpright ? ['diamond'] : [])];
}

function isRound(path: any) {
  const length = path.getTotalLength();
  if (!(length > 0)) return false;
  const points = Array.from({ length: 32 }, (_, place) => path.getPointAtLength((length * place) / 32));
  const [x, y] = [points.reduce((sum, each) => sum + each.x, 0) / 32, points.reduce((sum, each) => sum + each.y, 0) / 32];
  const reaches = points.map((each) => Math.hypot(each.x - x, each.y - y));
  return isAlike(Math.min(...reaches), Math.max(...reaches));
}

const plainKinds = (...kinds: string[]): Kinds => ({ kinds, sides: 0 });

function kindsOfDrawn(element: Element): Kinds {
  const value = (name: string) => (element as any)[name].baseVal.value;
  switch (tagOf(element)) {
    case 'circle': return plainKinds('circle');
    case 'ellipse': return plainKinds(isAlike(value('rx'), value('ry')) ? 'circle' : 'ellipse');
    case 'line': return plainKinds('line');
    case 'image': case 'use': return plainKinds('image');
    case 'text': return kindsOfText(element.textContent);
    case 'rect': {
      const [width, height] = [value('width'), value('height')];
      const isCircle = isAlike(width, height) && Math.max(value('rx'), value('ry')) >= width * 0.48;
      return isCircle ? plainKinds('circle') : kindsOfCorners(onScreen(element, [[0, 0], [width, 0], [width, height], [0, height]]));
    }
    case 'polygon': case 'polyline': return kindsOfCorners(onScreen(element, Array.from(element.points, ({ x, y }) => [x, y])));
    default: {
      const corners = cornersOfPath(element.getAttribute('d') || '');
      if (corners) return kindsOfCorners(onScreen(element, corners));
      return isRound(element) ? plainKinds('circle') : plainKinds('path');
    }
  }
}

function onScreen(element: Element, points: Point[]) {
  const matrix = element.getScreenCTM();
  return matrix ? points.map(([x, y]) => [matrix.a * x + matrix.c * y, matrix.b * x + matrix.d * y]) : points;
}

function kindsOfText(content: string | null): Kinds {
  const text = fold(content || '');
  if (/^\p{L}\p{M}*$/u.test(text)) return { kinds: ['text', 'letter'], sides: 0, character: text };
  if (/^\p{Nd}$/u.test(text)) return { kinds: ['text', 'digit', 'number'], sides: 0, character: text };
  return /^[-+\u2212]?\d[\d.,]*$/.test(text) ? plainKinds('text', 'number') : plainKinds('text');
}

function cssTriangle(element: Element, style: any) {
  if (element.clientWidth || element.clientHeight) return false;
  const shown = ['Top', 'Right', 'Bottom', 'Left'].map((side) => parseFloat(style[`border${side}Width`]) > 0 && Boolean(colourOf(style[`border${side}Color`])));
  return shown.filter(Boolean).length === 1;
}

function kindsOfStyle(element: Element): Kinds {
  const style = getComputedStyle(element);
  const { width, height } = element.getBoundingClientRect();
  if (cssTriangle(element, style)) return { kinds: ['triangle', 'polygon'], sides: 3 };
  const clip = /^polygon\(([^)]*)\)/.exec(style.clipPath);
  if (clip) {
    const points = clip[1].split(',').map((pair) => pair.trim().split(/\s+/).map(parseFloat)).filter((pair) => pair.length === 2 && pair.every(Number.isFinite));
    return kindsOfCorners(points.map(([x, y]) => [x * width, y * height]));
  }
  if (style.clipPath.startsWith('circle(')) return plainKinds('circle');
  const [across] = style.borderTopLeftRadius.split(' ');
  const isPercent = across.endsWith('%');
  const isPill = isPercent ? parseFloat(across) >= 48 : parseFloat(across) >= Math.min(width, height) * 0.48;
  if (isPill && width > 0 && isAlike(width, height)) return plainKinds('circle');
  if (isPill && isPercent) return plainKinds('ellipse');
  if (Math.max(width, height) > 8 * Math.min(width, height) && Math.min(width, height) <= 4) return plainKinds('line');
  const turn = /^matrix\(([^)]*)\)/.exec(style.transform);
  const [a, b] = turn ? turn[1].split(',').map(Number) : [1, 0];
  const isTurned = Math.abs(Math.abs(a) - Math.abs(b)) < 0.1 && Math.abs(b) > 0.1;
  if (isTurned && isAlike(element.offsetWidth, element.offsetHeight)) return { kinds: ['diamond', 'square', 'rectangle', 'polygon'], sides: 4 };
  return { kinds: isAlike(width, height) ? ['rectangle', 'square'] : ['rectangle'], sides: 4 };
}

export function kindsOf(element: Element): Kinds {
  if (isDrawing(element)) return kindsOfDrawn(element);
  if (element.matches('svg, img, canvas, video, [role=img]')) return plainKinds(isSmall(element) ? 'icon' : 'image', 'image');
  const told = plainKinds();
  if (roleOf(element) === 'button' || (element.matches('input') && BUTTON_TYPES.includes(element.type))) told.kinds.push('button');
  else if (isPressable(element) && /(^|[\s_-])(btn|button)([\s_-]|$)/i.test(classText(element))) told.kinds.push('button');
  if (roleOf(element) === 'link') told.kinds.push('link');
  if (element.matches(HEADINGS)) told.kinds.push('heading');
  if (['checkbox', 'radio'].includes(roleOf(element))) told.kinds.push(roleOf(element));
  if (element.matches(EDITABLE)) told.kinds.push(element.matches('textarea') ? 'textarea' : 'field');
  if (isIcon(element) && isSmall(element)) told.kinds.push('icon');
  if (ownText(element)) {
    const text = kindsOfText(element.textContent);
    told.kinds.push(...text.kinds);
    told.character = text.character;
  }
  const { ground, border, style } = boxColours(element);
  if (style.backgroundImage.startsWith('url(')) told.kinds.push('image');
  if (!ground && !border && style.clipPath === 'none') return told;
  // One of several colours to choose from says nothing.
  if (ground && !fold(element.textContent) && !element.matches('textarea, select, input:not([type=color])') && (isPressable(element) || isSmall(element))) told.kinds.push('swatch');
  const shape = kindsOfStyle(element);
  // Nearly all controls are rectangles, and nobody calls them so.
  const shapes = element.matches(CONTROLS) ? shape.kinds.filter((kind) => !['rectangle', 'square'].includes(kind)) : shape.kinds;
  return { kinds: [...told.kinds, ...shapes, ...(shapes.includes('rectangle') ? ['box'] : [])], sides: shape.sides, character: told.character };
}

const SHAPES = ['circle', 'ellipse', 'rectangle', 'square', 'triangle', 'diamond', 'star', 'polygon', 'line', 'path'];

/** Strictly a character is the one that was said; otherwise it may be its capital, or the other way round. */
export function isOfKind(element: Element, told: any, { kind, sides, character }: { kind: string, sides: number, character: string }, strict: boolean) {
  if (sides && !(told.sides === sides && !told.kinds.includes('star'))) return false;
  if (character && !(told.character && (strict ? told.character === character : told.character.toLowerCase() === character.toLowerCase()))) return false;
  if (!kind) return told.kinds.length > 0;
  if (kind === 'shape') return told.kinds.some((each: string) => SHAPES.includes(each)) && !told.kinds.includes('text');
  if (kind === 'box' && isDrawing(element)) return told.kinds.includes('rectangle') && (!strict || !drawnColours(element).fill);
  return told.kinds.includes(kind);
}
