/** What the pointer had to rest on, so that something else could be pressed: menus that open under it. */
import { overOf } from '../outline/hovering.ts';
import { CONTROLS, isPressable } from '../names/roles.ts';
import { isVisible } from '../names/sight.ts';
import { findAll } from '../names/tree.ts';
import { pathOf, pressedIn } from './targets.ts';
import { listen } from './telling.ts';

const MOST_WATCHED = 1500, REST_MS = 60;
const OPENS = '[aria-haspopup], [aria-expanded], li, nav *, [role=menuitem], [role=button], button, a, [title], [tabindex]';

let pressable = new WeakSet(); // before the pointer came to where it is
let trail: { element: Element, before: WeakSet<Element> }[] = [];
let timer = 0;

function rememberPressable() {
  timer = 0;
  pressable = new WeakSet(findAll(document, CONTROLS).slice(0, MOST_WATCHED).filter(isVisible));
}

export function forgetTrail() {
  trail = [];
  rememberPressable();
}

function noteOver(event: Event) {
  const path = pathOf(event);
  const element = pressedIn(path) || path.find((each) => each.matches(OPENS));
  if (!element || trail.at(-1)?.element === element) return;
  trail = [...trail.slice(-5), { element, before: pressable }];
  if (!timer) timer = setTimeout(rememberPressable, REST_MS);
}

/** What the pointer was over when that came into sight; nothing where it was in sight before. */
export function openersOf(pressed: Element): Element[] {
  if (!isPressable(pressed)) return [];
  const byStyle: Element[] = [];
  for (let each = pressed as Element | null; each && each !== document.body; each = each.parentElement) {
    const over = overOf(each);
    if (over && !byStyle.includes(over)) byStyle.unshift(over);
  }
  const outer = byStyle.map((each) => pressedIn([each]) || each.querySelector(CONTROLS) || each).filter((each) => each !== pressed && !pressed.contains(each));
  if (outer.length) return outer;
  if (!pressed.matches(CONTROLS)) return [];
  const isApart = (element: Element) => !element.contains(pressed) && !pressed.contains(element);
  const found = trail.filter(({ element, before }) => isApart(element) && !before.has(pressed) && before.has(element) && element.isConnected && isVisible(element));
  return found.slice(-1).map(({ element }) => element);
}

export function watchHovering() {
  listen('pointerover', noteOver);
  timer = setTimeout(rememberPressable, REST_MS);
}
