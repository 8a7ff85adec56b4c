import { takeTurn } from '../lib/loop-turns.ts';
import { parseInPieces } from '../lib/parse-in-pieces.ts';
import type { Owner } from '../lib/semaphore.ts';

/** Longer JSON values of reads are parsed in pieces, characters: this much takes JSON.parse some 2 ms. */
const largeText = 256 * 1024;

/** A JSON value that is still text. */
class LargeJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Parses a JSON value of a row, or leaves a large one to `completeRows`. */
export function parseJsonValue(text: string): unknown {
  return text.length > largeText ? new LargeJson(text) : JSON.parse(text);
}

/**
 * Parses the large JSON values of rows, in place, in turns of the owner: a page of the largest products has several MB, and
 * JSON.parse would hold up all other requests meanwhile [platform-97].
 */
export async function completeRows<Row>(rows: Row[], owner: Owner): Promise<Row[]> {
  for (const row of rows as Record<string, unknown>[])
    for (const name in row) {
      const value = row[name];
      if (!(value instanceof LargeJson)) continue;
      await takeTurn(owner);
      row[name] = await parseInPieces(value.text, () => takeTurn(owner));
    }
  return rows;
}
