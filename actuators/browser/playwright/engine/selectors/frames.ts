import { findFrames } from '../finding/regions.ts';
import { fold } from '../names/texts.ts';
import { isAlone } from '../names/tree.ts';

/** The words of a frame that a selector may name it by, the most telling first. */
export function frameNames(frame: any) {
  const names = [frame.title, frame.getAttribute('aria-label'), frame.getAttribute('name'), frame.contentDocument?.title, frame.id, frame.getAttribute('src')];
  return names.map((name) => fold(String(name || '').slice(0, 300))).filter((name) => name && !/^(about:|javascript:|data:|blob:)/i.test(name));
}

/** The name that leads into this frame and no other one; empty where none does. */
export const readFrame = (frame: any) => frameNames(frame).find((name) => isAlone(findFrames(document, { name }), frame)) || '';
