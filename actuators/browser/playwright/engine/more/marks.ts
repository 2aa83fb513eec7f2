import { isSecret } from '../names/secrecy.ts';
import { beginAct } from '../acting/settling.ts';
import { isVisible } from '../names/sight.ts';
import { textNodesIn } from '../acting/spots.ts';
import { isInWord } from '../names/texts.ts';
import { findAll, scopeOf } from '../names/tree.ts';

const markedField = (element: Element) => element.matches('textarea, input:not([type]), input[type=text], input[type=search], input[type=url], input[type=tel], input[type=password]');

/** The places of a text: as it is written, else in any case; whole words before parts of others. */
function placesOf(whole: string, wanted: string) {
  for (const [text, part] of [[whole, wanted], [whole.toLowerCase(), wanted.toLowerCase()]]) {
    if (text.length !== whole.length) continue;
    const found = [];
    for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found.push(at);
    const words = found.filter((at) => !isInWord(text.charAt(at - 1), text.charAt(at)) && !isInWord(text.charAt(at + part.length - 1), text.charAt(at + part.length)));
    if (found.length) return words.length ? words : found;
  }
  return [];
}

function pointAt(nodes: Text[], offset: number, isEnd: boolean) {
  let left = offset;
  for (const node of nodes) {
    if (left < node.data.length || (isEnd && left === node.data.length)) return [node, left];
    left -= node.data.length;
  }
  return null;
}

function markField(field: Element, text: string) {
  const places = text ? placesOf(field.value, text) : [0];
  field.focus();
  if (places.length === 1) field.setSelectionRange(places[0], text ? places[0] + text.length : field.value.length);
  return { places: places.length };
}

export function markText(element: Element, { text }: { text: string }) {
  beginAct();
  const inside = findAll(scopeOf(element), 'textarea, [contenteditable]:not([contenteditable=false])').filter(isVisible);
  const host = !element.isContentEditable && !markedField(element) && inside.length === 1 && (!text || !placesOf(element.textContent, text).length) ? inside[0] : element;
  if (markedField(host)) return markField(host, text);
  const nodes = textNodesIn(host);
  const whole = nodes.map((node) => node.data).join('');
  const start = whole.length - whole.trimStart().length;
  const places = text ? placesOf(whole, text) : whole.trim() ? [start] : [];
  if (places.length !== 1) return { places: places.length };
  const end = text ? places[0] + text.length : whole.trimEnd().length;
  if (host.isContentEditable) (host.closest('[contenteditable]:not([contenteditable=false])') || host).focus();
  const [from, to] = [pointAt(nodes, places[0], false), pointAt(nodes, end, true)] as any;
  getSelection()?.setBaseAndExtent(from[0], from[1], to[0], to[1]);
  return { places: 1 };
}

export function readMarked() {
  const active = document.activeElement;
  if (active && markedField(active) && active.selectionEnd > active.selectionStart) {
    return { text: isSecret(active) ? '' : active.value.slice(active.selectionStart, active.selectionEnd), secret: isSecret(active) };
  }
  return { text: String(getSelection()), secret: false };
}
