/** Whether something that opens a menu, a list or a part of the page has it open. */

const OPENERS = '[aria-expanded], summary';

/** Whether what an element opens is open; null where it opens nothing, or doesn't say. */
export function accordingToOpenness(element: Element | null): boolean | null {
  const opener = element && element.closest(OPENERS);
  if (!opener) return null;
  if (opener.matches('summary')) return Boolean(opener.parentElement?.open);
  return opener.getAttribute('aria-expanded') === 'true';
}
