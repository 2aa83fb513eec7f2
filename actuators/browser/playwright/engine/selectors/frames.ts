import { findFrames } from '../finding/regions.ts';
import { fold } from '../names/texts.ts';
import { isAlone } from '../names/tree.ts';

export function frameNames(frame: any) {
  const names = [frame.title, frame.getAttribute('aria-label'), frame.getAttribute('name'), frame.contentDocument?.title, frame.id, frame.getAttribute('src')];
  return names.map((name) => fold(String(name || '').slice(0, 300))).filter((name) => name && !/^(about:|javascript:|data:|blob:)/i.test(name));
}

export const readFrame = (frame: any) => frameNames(frame).find((name) => isAlone(findFrames(document, { name }), frame)) || '';
