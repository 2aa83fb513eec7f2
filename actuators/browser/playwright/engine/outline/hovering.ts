/** What a style shows only while the mouse is over something around it. */
import { isVisible } from '../names/sight.ts';

const MOST_RULES = 20_000;

type Showing = { shown: string, over: string }; // as CSS
let showings: Showing[] | null = null;

export function forgetShowings() { showings = null; }

const isShowing = (style: CSSStyleDeclaration) => (style.display && style.display !== 'none') || style.visibility === 'visible' || Number(style.opacity) > 0;

function readSelector(selector: string): Showing[] {
  const [over, ...rest] = selector.split(':hover');
  if (!rest.length || !/[\s>+~]/.test(rest.join(''))) return [];
  const shown = over + rest.join('');
  return CSS.supports(`selector(${shown})`) && CSS.supports(`selector(${over})`) ? [{ shown, over }] : [];
}

function readShowings(): Showing[] {
  const found: Showing[] = [];
  const lists = [...document.styleSheets, ...document.adoptedStyleSheets].map(rulesOf);
  for (let looked = 0; lists.length && looked < MOST_RULES;) {
    for (const rule of lists.pop() || []) {
      looked += 1;
      if (rule.cssRules?.length) lists.push(rule.cssRules);
      if (rule.selectorText?.includes(':hover') && isShowing(rule.style)) found.push(...rule.selectorText.split(',').flatMap((each: string) => readSelector(each.trim())));
    }
  }
  return found;
}

function rulesOf(sheet: CSSStyleSheet): any {
  try {
    return sheet.cssRules;
  } catch { // it is another site's
    return [];
  }
}

/** What the mouse must be over for a hidden part to be shown; null where no style says so. */
export function overOf(part: any): any {
  showings ||= readShowings();
  for (const { shown, over } of showings) {
    if (!part.matches(shown)) continue;
    const around = [part.parentElement?.closest(over), part.previousElementSibling].find((each) => each?.matches(over) && isVisible(each));
    if (around) return around;
  }
  return null;
}
