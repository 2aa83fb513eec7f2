import { ownText } from '../names/naming.ts';
import { isDrawing } from '../names/tree.ts';

const COLOUR_FAMILIES = WORDS.colour_families;
let brush = null;
const seenColours = new Map();

/** Any colour that CSS can write, as red, green, blue and opacity, each from 0 to 255; null for what is no colour or not seen. */
export function colourOf(css: string) {
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

/** In a space in which distances are as people see them (OKLab). */
function perceived([red, green, blue]: Colour) {
  const [r, g, b] = [red, green, blue].map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  const [l, m, s] = [0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b, 0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b,
    0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b].map(Math.cbrt);
  return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
}

const apart = (one: any, other: any) => Math.hypot(...one.map((part: any, place: number) => part - other[place]));
let palette = null;

const paletteOf = () => (palette ||= Object.entries(COLOUR_FAMILIES).flatMap(([family, names]) =>
  names.map((name) => ({ name, family, place: perceived(colourOf(name)) }))));

export function nearestName(colour: Colour) {
  const place = perceived(colour);
  return paletteOf().map((each: any) => ({ ...each, distance: apart(place, each.place) }))
    .sort((one: any, other: any) => one.distance - other.distance)[0];
}

const SAME_COLOUR = 0.08;

const isGrey = (colour: Colour) => Math.max(...colour.slice(0, 3)) - Math.min(...colour.slice(0, 3)) <= 24;

function hasColour(colour: Colour, { colour: wanted, shade }: { colour: string, shade: string }) {
  if (!colour) return false;
  const place = perceived(colour);
  const near = nearestName(colour);
  const fits = () => !shade || (shade === 'light' ? place[0] >= 0.72 : place[0] <= 0.5);
  if (!wanted) return fits();
  if (shade && near.name === shade + wanted) return true;
  if (wanted in COLOUR_FAMILIES) return near.family === wanted && fits();
  return near.name === wanted || apart(place, perceived(colourOf(wanted))) <= SAME_COLOUR;
}

export const DRAWN = 'circle, ellipse, rect, polygon, polyline, line, path, text, image, use';

function paintOf(paint: string) {
  const link = /^url\("?#([^")]+)/.exec(paint);
  const stop = link && document.getElementById(link[1])?.querySelector('stop');
  return colourOf(stop ? getComputedStyle(stop).stopColor : paint);
}

export function drawnColours(element: Element) {
  const style = getComputedStyle(element);
  const fill = Number(style.fillOpacity) > 0.1 && !element.matches('line') ? paintOf(style.fill) : null;
  const stroke = Number(style.strokeOpacity) > 0.1 && parseFloat(style.strokeWidth) > 0 ? paintOf(style.stroke) : null;
  return { fill, stroke, ground: fill, colours: [fill, stroke].filter(Boolean) };
}

function groundBehind(element: Element) {
  for (let each = element.parentElement; each; each = each.parentElement) {
    const ground = colourOf(getComputedStyle(each).backgroundColor);
    if (ground) return ground;
  }
  return [255, 255, 255, 255];
}

function borderOf(style: any) {
  const side = ['Bottom', 'Top', 'Left', 'Right'].find((each) => parseFloat(style[`border${each}Width`]) > 0
    && !['none', 'hidden'].includes(style[`border${each}Style`]) && colourOf(style[`border${each}Color`]));
  return side ? colourOf(style[`border${side}Color`]) : null;
}

export function boxColours(element: Element) {
  const style = getComputedStyle(element);
  const picture = /rgba?\([^)]*\)|#[0-9a-f]{3,8}|oklch\([^)]*\)|color\([^)]*\)/i.exec(style.backgroundImage.startsWith('url') ? '' : style.backgroundImage);
  const own = picture ? colourOf(picture[0]) : colourOf(style.backgroundColor);
  const behind = groundBehind(element);
  const ground = own && (picture || apart(perceived(own), perceived(behind)) > 0.02 || own[3] !== 255 && !isGrey(own)) ? own : null;
  const border = borderOf(style);
  const text = ownText(element) || element.matches('button, a, input') ? colourOf(style.color) : null;
  return { ground, border, text, style };
}

export function coloursOf(element: Element, kind: string) {
  if (isDrawing(element)) return drawnColours(element).colours;
  if (element.matches('svg')) return Array.from(element.querySelectorAll(DRAWN)).flatMap((each) => drawnColours(each).colours).slice(0, 1);
  const { ground, border, text } = boxColours(element);
  if (['text', 'letter', 'digit', 'heading', 'link'].includes(kind)) return [text, ground].filter(Boolean);
  if (kind === 'icon') return [colourOf(getComputedStyle(element).color), ground].filter(Boolean);
  return (ownText(element) ? [ground, text, border] : [ground, border, text]).filter(Boolean);
}

const GREYS = ['black', 'white', 'grey'];

/** What something is called by: its first colour; by the second where the first is no colour and the second is. */
export function isColoured(element: Element, look: Look) {
  if (!look.colour && !look.shade) return true;
  const [first, second] = coloursOf(element, look.kind);
  if (hasColour(first, look)) return true;
  return Boolean(second) && isGrey(first) && !isGrey(second) && !GREYS.includes(look.colour) && hasColour(second, look);
}

export function outerSvg(element: Element) {
  let svg = element.ownerSVGElement;
  while (svg && svg.ownerSVGElement) svg = svg.ownerSVGElement;
  return svg;
}

/** What colour something is, as people would say it: that of a shape, of the ground of a box, else of its text or border. */
export function readColour(element: Element) {
  const [first] = coloursOf(element, '');
  if (!first) return null;
  const hex = `#${first.slice(0, 3).map((part: number) => part.toString(16).padStart(2, '0')).join('')}`;
  return { text: hex, name: nearestName(first).name };
}
