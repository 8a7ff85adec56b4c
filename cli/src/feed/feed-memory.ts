import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from '../input/write-durably.ts';

/** The last feed of a source. */
export interface LastFeed {
  readonly lines: number;
  readonly sent_at: string;
}

/** Remembers the size of the last feed of each brand and source, in a file of the user [D150]. */
export class FeedMemory {
  readonly #path: string;

  /** @param folder that of the profiles */
  constructor(folder: string) {
    this.#path = join(folder, 'feeds.json');
  }

  find(brandId: number, source: string): LastFeed | null {
    return this.#read()[keyOf(brandId, source)] ?? null;
  }

  remember(brandId: number, source: string, last: LastFeed): void {
    const feeds = { ...this.#read(), [keyOf(brandId, source)]: last };
    writeDurably(this.#path, `${JSON.stringify(feeds, null, 2)}\n`);
  }

  /** A file that is missing or damaged is an empty memory: it only serves a comparison. */
  #read(): Record<string, LastFeed> {
    try {
      return JSON.parse(readFileSync(this.#path, 'utf8')) as Record<string, LastFeed>;
    } catch {
      return {};
    }
  }
}

function keyOf(brandId: number, source: string): string {
  return `${brandId} ${source}`;
}
