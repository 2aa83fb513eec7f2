/** Elements that a job goes on with, though what names them may name something else meanwhile: a list that has opened has the same label. */

import { parentOf, scopeOf } from '../names/tree.ts';

type Pin = { element: Element, path: [Element, number][] };
const pins: Map<string, Pin> = new Map();
const MOST_PINS = 20;

const childrenOf = (around: Element) => Array.from(scopeOf(around).children);

export function pin(token: string, element: Element) {
  const path: [Element, number][] = [];
  for (let each = element, around = parentOf(each); around; each = around, around = parentOf(each)) path.push([around, childrenOf(around).indexOf(each)]);
  pins.delete(token);
  pins.set(token, { element, path });
  if (pins.size > MOST_PINS) pins.delete(pins.keys().next().value as string);
  return element;
}

function standingIn({ element, path }: Pin) {
  const known = path.findIndex(([around]) => around.isConnected);
  if (known < 0) return null;
  let each: any = path[known][0];
  for (let level = known; level >= 0 && each; level -= 1) each = childrenOf(each)[path[level][1]];
  return each && each.nodeName === element.nodeName ? each : null;
}

export const keepPinned = (element: Element, { token }: { token: string }) => { pin(token, element); return true; };

export function findPinned(_root: Root, { token, is_same }: { token: string, is_same: boolean }) {
  const found = is_same ? pins.get(token)?.element : pinned(token);
  return found && found.isConnected ? [found] : [];
}

export function pinned(token: string): Element | null {
  const found = pins.get(token);
  if (!found) return null;
  if (found.element.isConnected) return found.element;
  const other = standingIn(found);
  return other && pin(token, other);
}
