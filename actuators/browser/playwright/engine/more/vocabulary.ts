/** The words of plain selectors for kinds of elements, and what people call icons. */
import { isFilledIn, isPressable, roleOf } from '../names/roles.ts';
import { key } from '../names/texts.ts';
import { tagOf } from '../names/tree.ts';

export const ROLES_OF_WORD: Record<string, string[]> = WORDS.role_words;
export const ICON_WORDS = new Set(WORDS.icon_words);
/** Words that name an element alone, without a name and without anything behind it. */
export const LONE_WORDS = new Set(WORDS.lone_words);

const wordsOfRoles: Map<string, string> = new Map();
for (const [word, roles] of Object.entries(ROLES_OF_WORD)) for (const role of roles) if (!wordsOfRoles.has(role)) wordsOfRoles.set(role, word);

export const wordOfRole = (role: string) => wordsOfRoles.get(role) || '';

/** What a selector calls an element: its kind, and for elements with a role the word for that. */
export function kindOfElement(element: Element): { kind: string, word: string } {
  if (['IFRAME', 'FRAME'].includes(tagOf(element))) return { kind: 'frame', word: '' };
  if (isFilledIn(element)) return { kind: 'field', word: '' };
  const word = wordOfRole(roleOf(element));
  if (word) return { kind: 'role', word };
  return { kind: isPressable(element) ? 'control' : 'text', word: '' };
}

const SINGLE = ['button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'menuitem', 'option', 'treeitem', 'slider', 'combobox'];

/** The roles of a word for a kind of thing that people press, or for several of them; none where it is no such word. */
export function rolesCalled(name: string) {
  const word = key(name), roles = ROLES_OF_WORD[word] || ROLES_OF_WORD[word.replace(/s$/, '')] || [];
  return SINGLE.includes(roles[0]) ? roles : [];
}
