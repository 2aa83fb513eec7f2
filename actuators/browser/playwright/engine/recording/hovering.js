/** What the pointer had to rest on, so that something else could be pressed: menus that open under it. */
import { overOf } from '../outline/hovering.js';
import { CONTROLS, isPressable } from '../names/roles.js';
import { isVisible } from '../names/sight.js';
import { findAll } from '../names/tree.js';
import { pathOf, pressedIn } from './targets.js';

const MOST_WATCHED = 1500, REST_MS = 60;
const OPENS = '[aria-haspopup], [aria-expanded], li, nav *, [role=menuitem], [role=button], button, a, [title], [tabindex]';

/** What could be pressed before the pointer came to where it is. */
let pressable = new WeakSet();
/** @type {{ element: Element, before: WeakSet<Element> }[]} */
let trail = [];
let timer = 0;

function rememberPressable() {
  timer = 0;
  pressable = new WeakSet(findAll(document, CONTROLS).slice(0, MOST_WATCHED).filter(isVisible));
}

/** What is there now was there before whatever comes next. */
export function forgetTrail() {
  trail = [];
  rememberPressable();
}

/** @param {Event} event */
function noteOver(event) {
  if (!event.isTrusted) return;
  const path = pathOf(event);
  const element = pressedIn(path) || path.find((each) => each.matches(OPENS));
  if (!element || trail.at(-1)?.element === element) return;
  trail = [...trail.slice(-5), { element, before: pressable }];
  if (!timer) timer = setTimeout(rememberPressable, REST_MS);
}

/**
 * What the pointer was over when that came into sight; nothing where it was in sight before.
 * @param {Element} pressed
 * @returns {Element[]}
 */
export function openersOf(pressed) {
  if (!isPressable(pressed)) return [];
  /** @type {Element[]} */
  const byStyle = [];
  for (let each = /** @type {Element | null} */ (pressed); each && each !== document.body; each = each.parentElement) {
    const over = overOf(each);
    if (over && !byStyle.includes(over)) byStyle.unshift(over);
  }
  const outer = byStyle.map((each) => pressedIn([each]) || each.querySelector(CONTROLS) || each).filter((each) => each !== pressed && !pressed.contains(each));
  if (outer.length) return outer;
  if (!pressed.matches(CONTROLS)) return [];
  const isApart = (/** @type {Element} */ element) => !element.contains(pressed) && !pressed.contains(element);
  const found = trail.filter(({ element, before }) => isApart(element) && !before.has(pressed) && before.has(element) && element.isConnected && isVisible(element));
  return found.slice(-1).map(({ element }) => element);
}

/** @param {(type: string, hear: (event: any) => void) => void} listen */
export function watchHovering(listen) {
  listen('pointerover', noteOver);
  timer = setTimeout(rememberPressable, REST_MS);
}
