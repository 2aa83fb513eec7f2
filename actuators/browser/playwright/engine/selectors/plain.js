/** Plain selectors as data: as Python writes them (`PlainSelector`), and as the engine is asked for them (`Form`). */
import { LONE_WORDS, ROLES_OF_WORD } from '../more/vocabulary.js';

/**
 * @param {string} kind
 * @param {string} word
 * @param {string} name
 * @param {PlainRegion[]} regions
 * @returns {Plain}
 */
export const plainOf = (kind, word, name, regions = []) => ({ kind, word, name, regions, texts: [], placements: [], nth: null });

/**
 * @param {{ name: string, selector?: Plain | null }} part
 * @returns {{ name: string, form?: Form }}
 */
const partOf = ({ name, selector }) => (selector ? { name: '', form: formOf(selector) } : { name });

/**
 * The question that Python asks for a region (`locators.py`).
 * @param {PlainRegion} region
 * @returns {Region}
 */
export const regionOf = (region) => ({ ...partOf(region), roles: ROLES_OF_WORD[region.word] || [] });

/**
 * The question that Python asks for a plain selector (`locators.py`).
 * @param {Plain} plain
 * @returns {Form}
 */
export function formOf({ kind, word, name, regions, texts, placements, nth }) {
  const query = kind === 'icon' ? { op: kind, words: name.split(' '), likes: [] } : { op: kind, name, roles: ROLES_OF_WORD[word] || [] };
  return { query, regions: regions.map(regionOf), nth: nth || undefined, quantity: 'one', texts, exceptions: [],
    placements: placements.map(({ relation, ...part }) => ({ relation, ...partOf(part) })) };
}

/**
 * Whether it can be written so that it is read as this: without a name, something must say which is meant.
 * @param {Plain} plain
 */
export const isWritable = ({ kind, word, name, regions, texts, placements, nth }) => Boolean(name)
  || (['role', 'field', 'record'].includes(kind) && Boolean(regions.length || texts.length || placements.length || nth || LONE_WORDS.has(word)));
