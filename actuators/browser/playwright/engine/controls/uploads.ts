import { fieldOf } from '../acting/fields.ts';
import { disabledBecause, isSeen, isVisible } from '../names/sight.ts';
import { findAll, scopeOf } from '../names/tree.ts';

const FILES = 'input[type=file]';

function fileFieldOf(element: Element) {
  const field = fieldOf(element);
  if (field.matches(FILES)) return field;
  const inside = findAll(scopeOf(element), FILES);
  return inside.length === 1 ? inside[0] : null;
}

export const findFileField = (element: Element) => [fileFieldOf(element)].filter(Boolean) as Element[];

// A page that names a file may do so to say that it doesn't take it.
const TROUBLE = new RegExp(`(?<![\\p{L}\\p{N}])(not|can['\u2019]?t|cannot|couldn['\u2019]?t|unable|invalid|unsupported|forbidden|rejected|refused|denied|fail(s|ed|ure)?|errors?|wrong`
  + '|too (large|big|long|small|many)|exceed(s|ed)?|nicht|ung\u00fcltig|fehler|abgelehnt|zu (gro\u00df|viele))(?![\\p{L}\\p{N}])', 'iu');

/** Whether a page shows the name of a file, and says on no line with it, or right below, that it is not taken. */
function isShown(lines: string[], name: string) {
  const places = lines.flatMap((line, place) => (line.includes(name) ? [place] : []));
  return places.length > 0 && !places.some((place) => TROUBLE.test(lines.slice(place, place + 2).join('\n').replaceAll(name, '')));
}

export function readFiles(element: Element, { names }: { names: string[] }) {
  const lines = document.body ? document.body.innerText.split(/\n+/) : [];
  const shown = names.filter((name) => isShown(lines, name));
  const field = fileFieldOf(element) as any;
  if (!field) return { shown, field: null };
  const files = Array.from(field.files || [], ({ name, size }) => ({ name, size }));
  return { shown, field: { multiple: field.multiple, folder: Boolean(field.webkitdirectory), seen: isVisible(field) && isSeen(field), files,
    disabled: disabledBecause(element) || disabledBecause(field) } };
}

let over: any = null;

/** Whether the page takes what is dropped shows as that comes over it: it keeps the browser from refusing it. */
export function watchDrop() {
  over = null;
  window.addEventListener('dragover', (event) => { over = event; }, { capture: true, once: true });
  return true;
}

export const readDrop = () => Boolean(over && over.defaultPrevented);
