/** Plain selectors as data: as Python writes them (`PlainSelector`), and as the engine is asked for them (`Form`). */
import { LONE_WORDS, ROLES_OF_WORD } from '../more/vocabulary.ts';

export const plainOf = (kind: string, word: string, name: string, regions: PlainRegion[] = []): Plain => ({ kind, word, name, regions, texts: [], placements: [], nth: null });

const partOf = ({ name, selector }: { name: string, selector?: Plain | null }): { name: string, form?: Form } => (selector ? { name: '', form: formOf(selector) } : { name });

// The questions that Python asks for regions and plain selectors (`locators.py`).
export const regionOf = (region: PlainRegion): Region => ({ ...partOf(region), roles: ROLES_OF_WORD[region.word] || [] });

export function formOf({ kind, word, name, regions, texts, placements, nth }: Plain): Form {
  const query = kind === 'icon' ? { op: kind, words: name.split(' '), likes: [] } : { op: kind, name, roles: ROLES_OF_WORD[word] || [] };
  return { query, regions: regions.map(regionOf), nth: nth || undefined, quantity: 'one', texts, exceptions: [],
    placements: placements.map(({ relation, ...part }) => ({ relation, ...partOf(part) })) };
}

/** Whether it can be written so that it is read as this: without a name, something must say which is meant. */
export const isWritable = ({ kind, word, name, regions, texts, placements, nth }: Plain) => Boolean(name)
  || (['role', 'field', 'record'].includes(kind) && Boolean(regions.length || texts.length || placements.length || nth || LONE_WORDS.has(word)));
