/** Counts the insertions, deletions, substitutions and swaps of neighbours that turn one string into the other. */
export function spellingDistance(a: string, b: string): number {
  const first = Array.from({ length: b.length + 1 }, (_, index) => index);
  return at(costsOfSpelling(a, b, first), b.length);
}

/**
 * Returns for each beginning of `b`, by its length, the least number of such changes that turn `a` into it; `first` has those
 * for an empty `a`.
 */
function costsOfSpelling(a: string, b: string, first: readonly number[]): readonly number[] {
  let beforeLast: readonly number[] = [];
  let last = first;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, at(beforeLast, j - 2) + 1);
      row.push(cost);
    }
    [beforeLast, last] = [last, row];
  }
  return last;
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

interface NearestName {
  readonly name: string;
  /** True if the given name was probably a misspelling of this one; otherwise it is only the nearest. */
  readonly isClose: boolean;
}

/** Longer names are compared by their beginning, to bound the cost of hostile ones. */
const comparedLength = 64;

/**
 * Returns the known name that is most similar to the given one, for "did you mean"; null if none is known.
 * Case and separators are ignored (`updatedSince` is `updated_since`); a contained name (`location_code`,
 * `date_from`) and an abbreviation (`qty`) are close, like a misspelling. Of equally near names, the first.
 */
export function nearestName(given: string, known: readonly string[]): NearestName | null {
  let nearest: string | null = null;
  let best = -1;
  for (const name of known) {
    const likeness = Math.max(likenessOf(lettersOf(given), lettersOf(name)), likenessByWord(given, name));
    if (likeness > best) [nearest, best] = [name, likeness];
  }
  return nearest === null ? null : { name: nearest, isClose: best >= 0.5 };
}

function lettersOf(name: string): string {
  return name
    .slice(0, comparedLength)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Returns a likeness if one name is a word of the other: `to` of `date_to` and `dateTo`. */
function likenessByWord(a: string, b: string): number {
  return wordsOf(a).includes(b.toLowerCase()) || wordsOf(b).includes(a.toLowerCase()) ? 0.75 : 0;
}

function wordsOf(name: string): string[] {
  const words = name.slice(0, comparedLength).split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u);
  return words.map((word) => word.toLowerCase());
}

function likenessOf(a: string, b: string): number {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short === '') return 0;
  const share = short.length / long.length;
  const bySpelling = 1 - spellingDistance(short, long) / long.length;
  if (short.length >= 3 && long.includes(short)) return Math.max(bySpelling, 0.6 + 0.3 * share);
  if (short.length >= 2 && short[0] === long[0] && isSubsequence(short, long))
    return Math.max(bySpelling, 0.5 + 0.3 * share);
  return bySpelling;
}

const words = /[\p{L}\p{N}]+/gu;

/**
 * Counts the changes of `spellingDistance` that turn a text into the part of a name that is most like it, regardless of case.
 * The part begins with a word; half a change is added if it ends within one.
 */
export function distanceToPart(given: string, name: string): number {
  const wanted = given.slice(0, comparedLength).toLowerCase();
  const text = name.slice(0, comparedLength).toLowerCase();
  const found = [...text.matchAll(words)];
  const starts = new Set(found.map(({ index }) => index));
  const ends = new Set(found.map(({ index, 0: word }) => index + word.length));
  const first = [0];
  for (let i = 1; i <= text.length; i += 1) first.push(starts.has(i) ? 0 : at(first, i - 1) + 1);
  const costs = costsOfSpelling(wanted, text, first).map((cost, end) => (ends.has(end) ? cost : cost + 0.5));
  return Math.min(...costs);
}

function isSubsequence(short: string, long: string): boolean {
  let found = 0;
  for (const letter of long) if (letter === short[found]) found += 1;
  return found === short.length;
}
