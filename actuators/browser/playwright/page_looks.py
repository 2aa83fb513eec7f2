"""JavaScript that compares what is seen with what people say of it: colour, size, place; part of the page engine.

What is drawn as svg comes before boxes of the page: on a page with a drawing, "the yellow one" is a part of the drawing.
"""

import json

from core.selectors.colour_names import COLOUR_FAMILIES

LOOK_SCRIPT = (
    f"const COLOUR_FAMILIES = {json.dumps(COLOUR_FAMILIES)};\n"
    r"""
let brush = null;
const seenColours = new Map();
// Any colour that CSS can write, as red, green, blue and opacity, each from 0 to 255; null for what is no colour or not seen.
function colourOf(css) {
  if (!css || css === 'none' || css === 'transparent') return null;
  if (!seenColours.has(css)) {
    brush ||= new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = '#000001';
    brush.fillStyle = css;
    if (brush.fillStyle === '#000001') return null;
    brush.fillRect(0, 0, 1, 1);
    seenColours.set(css, Array.from(brush.getImageData(0, 0, 1, 1).data));
  }
  const found = seenColours.get(css);
  return found[3] < 26 ? null : found;
}
// In a space in which distances are as people see them (OKLab).
function perceived([red, green, blue]) {
  const [r, g, b] = [red, green, blue].map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  const [l, m, s] = [0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b, 0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b,
    0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b].map(Math.cbrt);
  return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
}
const apart = (one, other) => Math.hypot(...one.map((part, place) => part - other[place]));
let palette = null;
const paletteOf = () => (palette ||= Object.entries(COLOUR_FAMILIES).flatMap(([family, names]) =>
  names.map((name) => ({ name, family, place: perceived(colourOf(name)) }))));
function nearestName(colour) {
  const place = perceived(colour);
  return paletteOf().map((each) => ({ ...each, distance: apart(place, each.place) })).sort((one, other) => one.distance - other.distance)[0];
}
const SAME_COLOUR = 0.08;
const isGrey = (colour) => Math.max(...colour.slice(0, 3)) - Math.min(...colour.slice(0, 3)) <= 24;
function hasColour(colour, { colour: wanted, shade }) {
  if (!colour) return false;
  const place = perceived(colour);
  const near = nearestName(colour);
  const fits = () => !shade || (shade === 'light' ? place[0] >= 0.72 : place[0] <= 0.5);
  if (!wanted) return fits();
  if (shade && near.name === shade + wanted) return true;
  if (wanted in COLOUR_FAMILIES) return near.family === wanted && fits();
  return near.name === wanted || apart(place, perceived(colourOf(wanted))) <= SAME_COLOUR;
}

const DRAWN = 'circle, ellipse, rect, polygon, polyline, line, path, text, image, use';
const isDrawing = (element) => element.matches('svg *');
// A gradient is the colour that it begins with.
function paintOf(element, paint) {
  const link = /^url\("?#([^")]+)/.exec(paint);
  const source = link && document.getElementById(link[1]);
  const stop = source && source.querySelector('stop');
  return stop ? colourOf(getComputedStyle(stop).stopColor) : colourOf(paint);
}
function drawnColours(element) {
  const style = getComputedStyle(element);
  const fill = Number(style.fillOpacity) > 0.1 && !element.matches('line') ? paintOf(element, style.fill) : null;
  const stroke = Number(style.strokeOpacity) > 0.1 && parseFloat(style.strokeWidth) > 0 ? paintOf(element, style.stroke) : null;
  return { fill, stroke, ground: fill, colours: [fill, stroke].filter(Boolean) };
}
function groundBehind(element) {
  for (let each = element.parentElement; each; each = each.parentElement) {
    const ground = colourOf(getComputedStyle(each).backgroundColor);
    if (ground) return ground;
  }
  return [255, 255, 255, 255];
}
function borderOf(style) {
  const side = ['Bottom', 'Top', 'Left', 'Right'].find((each) => parseFloat(style[`border${each}Width`]) > 0
    && !['none', 'hidden'].includes(style[`border${each}Style`]) && colourOf(style[`border${each}Color`]));
  return side ? colourOf(style[`border${side}Color`]) : null;
}
function boxColours(element) {
  const style = getComputedStyle(element);
  const picture = /rgba?\([^)]*\)|#[0-9a-f]{3,8}|oklch\([^)]*\)|color\([^)]*\)/i.exec(style.backgroundImage.startsWith('url') ? '' : style.backgroundImage);
  const own = picture ? colourOf(picture[0]) : colourOf(style.backgroundColor);
  const behind = groundBehind(element);
  const ground = own && (picture || apart(perceived(own), perceived(behind)) > 0.02 || own[3] !== 255 && !isGrey(own)) ? own : null;
  const border = borderOf(style);
  const text = ownText(element) || element.matches('button, a, input') ? colourOf(style.color) : null;
  return { ground, border, text, style };
}
function coloursOf(element, kind) {
  if (isDrawing(element)) return drawnColours(element).colours;
  if (element.matches('svg')) return Array.from(element.querySelectorAll(DRAWN)).flatMap((each) => drawnColours(each).colours).slice(0, 1);
  const { ground, border, text } = boxColours(element);
  if (['text', 'letter', 'digit', 'heading', 'link'].includes(kind)) return [text, ground].filter(Boolean);
  if (kind === 'icon') return [colourOf(getComputedStyle(element).color), ground].filter(Boolean);
  return (ownText(element) ? [ground, text, border] : [ground, border, text]).filter(Boolean);
}
const GREYS = ['black', 'white', 'grey'];
// What something is called by: its first colour; by the second where the first is no colour and the second is.
function isColoured(element, look) {
  if (!look.colour && !look.shade) return true;
  const [first, second] = coloursOf(element, look.kind);
  if (hasColour(first, look)) return true;
  return Boolean(second) && isGrey(first) && !isGrey(second) && !GREYS.includes(look.colour) && hasColour(second, look);
}

function styleFits(element, { style }) {
  if (!style) return true;
  const css = getComputedStyle(element);
  switch (style) {
    case 'bold': return Number(css.fontWeight) >= 600;
    case 'italic': return css.fontStyle !== 'normal';
    case 'underlined': return css.textDecorationLine.includes('underline');
    default: return (style === 'filled') === Boolean(isDrawing(element) ? drawnColours(element).fill : boxColours(element).ground);
  }
}
function pixelsFit(element, { width_px, height_px }) {
  if (!width_px) return true;
  const box = element.getBoundingClientRect();
  const near = (one, other) => Math.abs(one - other) <= 1;
  return height_px ? near(box.width, width_px) && near(box.height, height_px) : near(Math.max(box.width, box.height), width_px);
}
const isTextual = (element) => element.matches('text') || (!isDrawing(element) && !element.matches('svg') && Boolean(ownText(element)));
function extentOf(element) {
  if (element.matches('text')) {
    const scale = element.getScreenCTM();
    return parseFloat(getComputedStyle(element).fontSize) * (scale ? Math.hypot(scale.a, scale.b) : 1);
  }
  const box = element.getBoundingClientRect();
  return Math.max(box.width, box.height);
}
const SAME_SIZE = 1.15;
// Sizes that people tell apart, from the smallest: where there are more than three, those below and above the widest gap.
function sizeSteps(sizes) {
  const sorted = [...new Set(sizes.filter((size) => size > 0))].sort((one, other) => one - other);
  const steps = [];
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
const stepName = (steps, size) => {
  const place = steps.findIndex((step) => step.includes(size));
  return place === 0 ? 'small' : place === steps.length - 1 ? 'large' : 'medium';
};
// Compared with the first of these in which sizes differ: what else fits the other words, what is like it, all beside it.
function ofSize(left, { size: wanted }, groupOf) {
  const known = new Map();
  const extent = (element) => known.get(element) ?? known.set(element, extentOf(element)).get(element);
  const stepsIn = (group) => sizeSteps(group.map(extent));
  const among = stepsIn(left);
  const drawings = new Map();
  const stepsBeside = (element) => {
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
const EXTREMES = {
  largest: (box) => box.width * box.height, smallest: (box) => -box.width * box.height, leftmost: (box) => -box.left, rightmost: (box) => box.right,
  topmost: (box) => -box.top, bottommost: (box) => box.bottom, widest: (box) => box.width, narrowest: (box) => -box.width,
  tallest: (box) => box.height, shortest: (box) => -box.height,
};
const TIE_PX = 0.5;
function mostOf(found, { extreme }) {
  if (!extreme || found.length < 2) return found;
  const measured = found.map((element) => {
    const font = isTextual(element) && /(larg|small)est/.test(extreme) ? extentOf(element) : 0;
    return [element, font ? (extreme === 'largest' ? font : -font) : EXTREMES[extreme](element.getBoundingClientRect())];
  });
  const most = Math.max(...measured.map(([, measure]) => measure));
  return measured.filter(([, measure]) => most - measure <= TIE_PX).map(([element]) => element);
}

const DRAWING_PX = 64; // smaller pictures are icons
const isPicture = (svg) => {
  const box = svg.getBoundingClientRect();
  return Math.max(box.width, box.height) > DRAWING_PX && !svg.closest('button, a[href], [role=button]');
};
const isPainted = (element) => isVisible(element) && drawnColours(element).colours.length > 0 && getComputedStyle(element).opacity !== '0';
function drawnThings(root) {
  const scope = scopeOf(root);
  const svgs = new Map();
  const isShown = (svg) => {
    if (!svgs.has(svg)) svgs.set(svg, isPicture(svg));
    return svgs.get(svg);
  };
  return findAll(scope, DRAWN).filter((element) => isDrawing(element) && !element.closest('defs, clipPath, mask, pattern, symbol, marker')
    && isShown(outerSvg(element)) && (element.matches('image, use') ? isVisible(element) : isPainted(element)));
}
function outerSvg(element) {
  let svg = element.ownerSVGElement;
  while (svg && svg.ownerSVGElement) svg = svg.ownerSVGElement;
  return svg;
}
const MOST_BOXES = 5000;
function boxThings(root) {
  const isThing = (element) => {
    if (!isVisible(element) || element.matches('script, style, html, body, head, head *, br, option')) return false;
    if (element.matches(`img, svg, canvas, video, ${CONTROLS}`) || ownText(element)) return true;
    const { ground, border, style } = boxColours(element);
    return Boolean(ground || border || style.clipPath !== 'none' || style.backgroundImage !== 'none' || isIcon(element));
  };
  return findAll(scopeOf(root), '*:not(svg *)').slice(0, MOST_BOXES).filter(isThing);
}
const DRAWN_KINDS = ['', 'shape', 'letter', 'digit', 'text', 'rectangle', 'square', 'path'];
const NEVER_DRAWN = ['button', 'link', 'heading', 'icon', 'checkbox', 'radio', 'field', 'textarea'];
function findLooks(root, look) {
  const drawn = NEVER_DRAWN.includes(look.kind) ? [] : drawnThings(root);
  const things = drawn.length && DRAWN_KINDS.includes(look.kind) ? [drawn] : drawn.length ? [drawn, null] : [null];
  for (const group of things) {
    const found = looking(group || boxThings(root), look);
    if (found.length) return best(found);
  }
  return [];
}
function looking(things, look) {
  const kinds = new Map(things.map((element) => [element, kindsOf(element)]));
  const isKind = (element, strict) => isOfKind(element, kinds.get(element), look, strict);
  const picked = [true, false].map((strict) => things.filter((element) => isKind(element, strict))).find((found) => found.length) || [];
  const groupOf = (element) => things.filter((each) => (isDrawing(element) ? outerSvg(each) === outerSvg(element) : isLike(each, element, look)));
  const left = picked.filter((element) => isColoured(element, look) && styleFits(element, look) && pixelsFit(element, look));
  const found = look.size ? ofSize(left, look, groupOf) : left;
  return mostOf(look.kind === 'box' ? found : innermost(found), look);
}
// What a box is larger or smaller than.
const isLike = (one, other, { kind }) => tagOf(one) === tagOf(other) && (one.parentElement === other.parentElement || NEVER_DRAWN.includes(kind));
const TELLING = ['star', 'triangle', 'square', 'diamond', 'rectangle', 'circle', 'ellipse', 'line', 'letter', 'digit', 'image', 'polygon', 'path', 'text'];
// What people would say of a thing that is drawn.
function lookOf(element) {
  const [first] = coloursOf(element, '');
  const told = kindsOf(element);
  const kind = TELLING.find((each) => told.kinds.includes(each)) || '';
  const shape = kind === 'polygon' ? `${told.sides}-sided polygon` : `${kind} ${told.character || ''}`;
  return fold(`${first ? nearestName(first).family : ''} ${shape}`);
}
const MOST_LOOKS = 200;
function listLooks(root, { limit }) {
  const drawn = drawnThings(root);
  const things = drawn.length ? drawn : boxThings(root).filter((each) => !ownText(each)).slice(0, MOST_LOOKS);
  const told = things.map((element) => ({ ...describe(element), role: 'look', name: lookOf(element), in: whereOf(element) })).filter(({ name }) => name.includes(' '));
  return [...new Map(told.map((each) => [each.name, each])).values()].slice(0, limit);
}
const nameIcon = (element) => [...saidOf(element), ...calledOf(element).flatMap((text) => text.split(/\s+/))]
  .map((text) => wordsIn(text).filter((word) => !ICON_NOISE.has(word)).join(' ')).find(Boolean) || '';
// What tells a nameless thing from others in a message.
const toldOf = (element) => (isDrawing(element) ? lookOf(element) : !nameOf(element) && isIcon(element) && nameIcon(element) ? `${nameIcon(element)} icon` : '');
function listIcons(root, { limit }) {
  const found = findAll(root, MARKED).filter((element) => isVisible(element) && isIcon(element) && isSmall(element));
  const told = found.map((element) => ({ ...describe(element), role: 'icon', name: nameIcon(element), in: whereOf(element) })).filter(({ name }) => name);
  return [...new Map(told.map((each) => [each.name, each])).values()].slice(0, limit);
}
"""
)
