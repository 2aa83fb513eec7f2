/** @param {string} text */
export const fold = (text) => text.replace(/[\u200b\u00ad]/g, '').replace(/\s+/g, ' ').trim();

const LONGEST_READ = 20_000; // characters of a name: nobody says more, and a page may have one of megabytes

/** @param {string} text */
export const cutName = (text) => (text.length > LONGEST_READ ? text.slice(0, LONGEST_READ) : text);

/**
 * A name as it is compared.
 * @param {string} text
 */
export const foldName = (text) => fold(cutName(text));

/** @param {string} text */
export const fromPrint = (text) => text.normalize('NFKC').replace(/[‘’ʼ′]/g, "'").replace(/[“”„«»″]/g, '"').replace(/[‐-―−]/g, '-');

/** @param {string} text */
export const key = (text) => fold(/^[\x00-\x7f]*$/.test(text) ? text : fromPrint(text)).toLowerCase();
export const LEAST_BEGINNING = 4; // characters of a word in an id that begins with what is asked for
export const LONGEST_CAPTION = 60;

/** @param {string} text */
export const fieldKey = (text) => key(text).replace(/[\s:*]+$/, '') || key(text);

// Scripts that don't put spaces between words.
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;

/**
 * @param {any} one
 * @param {any} other
 */
export const isInWord = (one, other) => [one, other].every((each) => /[\p{L}\p{M}\p{N}]/u.test(each) && !UNSPACED.test(each));

/**
 * @param {any} one
 * @param {any} other
 */
const isInNumber = (one, other) => [one, other].every((each) => /\p{N}/u.test(each));

/**
 * @param {string} text
 * @param {string} wanted
 * @param {(one: string, other: string) => boolean} splits
 */
function hasPart(text, wanted, splits) {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    if (!splits(text.charAt(at - 1), text.charAt(at)) && !splits(text.charAt(end - 1), text.charAt(end))) return true;
  }
  return false;
}

export const LEAST_PART = 3; // characters; less is in too many words

/**
 * @param {string} text
 * @param {string} wanted
 */
export const hasWords = (text, wanted) => hasPart(text, wanted, isInWord);

/**
 * @param {string} text
 * @param {string} wanted
 */
export const hasSome = (text, wanted) => wanted.length >= LEAST_PART && hasPart(text, wanted, isInNumber);

/** @param {string} text */
export const wordsIn = (text) => (text.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|[^\W\d_]+|\d+|\p{L}+/gu) || []).map((word) => word.toLowerCase());

/**
 * @param {string} text
 * @param {number} most
 */
export const cut = (text, most) => ({ text: text.slice(0, most), truncated: text.length > most });

/** @param {string} text */
export const isTold = (text) => /[\p{L}\p{N}]/u.test(text);
