export const fold = (text: string) => text.replace(/[\u200b\u00ad]/g, '').replace(/\s+/g, ' ').trim();

const LONGEST_READ = 20_000; // characters of a name: nobody says more, and a page may have one of megabytes

export const cutName = (text: string) => (text.length > LONGEST_READ ? text.slice(0, LONGEST_READ) : text);

export const foldName = (text: string) => fold(cutName(text));

export const fromPrint = (text: string) => text.normalize('NFKC').replace(/[‘’ʼ′]/g, "'").replace(/[“”„«»″]/g, '"').replace(/[‐-―−]/g, '-');

export const key = (text: string) => fold(/^[\x00-\x7f]*$/.test(text) ? text : fromPrint(text)).toLowerCase();
export const LEAST_BEGINNING = 4; // characters of a word in an id that begins with what is asked for
export const LONGEST_CAPTION = 60;

export const fieldKey = (text: string) => key(text).replace(/[\s:*]+$/, '') || key(text);

// Scripts that don't put spaces between words.
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;

export const isInWord = (one: any, other: any) => [one, other].every((each) => /[\p{L}\p{M}\p{N}]/u.test(each) && !UNSPACED.test(each));

const isInNumber = (one: any, other: any) => [one, other].every((each) => /\p{N}/u.test(each));

function hasPart(text: string, wanted: string, splits: (one: string, other: string) => boolean) {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    if (!splits(text.charAt(at - 1), text.charAt(at)) && !splits(text.charAt(end - 1), text.charAt(end))) return true;
  }
  return false;
}

export const LEAST_PART = 3; // characters; less is in too many words

export const hasWords = (text: string, wanted: string) => hasPart(text, wanted, isInWord);

export const hasSome = (text: string, wanted: string) => wanted.length >= LEAST_PART && hasPart(text, wanted, isInNumber);

export const wordsIn = (text: string) => (text.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|[^\W\d_]+|\d+|\p{L}+/gu) || []).map((word) => word.toLowerCase());

export const cut = (text: string, most: number) => ({ text: text.slice(0, most), truncated: text.length > most });

export function countsOf<T>(all: Iterable<T>) {
  const counts = new Map<T, number>();
  for (const each of all) counts.set(each, (counts.get(each) || 0) + 1);
  return counts;
}

export const isTold = (text: string) => /[\p{L}\p{N}]/u.test(text);
