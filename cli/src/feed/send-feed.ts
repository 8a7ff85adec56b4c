import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Brandport, FeedLine, SubmittedFeed, SubmittedPart } from '@brandport/client';
import { InputError } from '../errors.ts';
import { parsedJson, writeDurably } from '../json-files.ts';
import { type FeedFile, feedLines, namingLines } from './feed-rows.ts';

export interface SendOptions {
  readonly brandport: Brandport;
  readonly file: FeedFile;
  readonly source: string;
  /** Default: derived from the name, the time and the content of the file; random for a stream. */
  readonly batchId?: string | undefined;
  /** The file that keeps what was sent; null: nothing is kept. */
  readonly statePath: string | null;
  readonly signal?: AbortSignal | undefined;
}

export interface SentFeed {
  readonly feed: SubmittedFeed;
  readonly state: FeedState;
}

/**
 * Sends the lines of a file as a feed, or as several above 100,000 lines. The same file, sent again, is not applied again,
 * so that a process that was killed can be run again.
 * @throws InputError, BrandportError
 */
export async function sendFeed(options: SendOptions): Promise<SentFeed> {
  const { brandport, file, source, statePath, signal } = options;
  const batchId = options.batchId ?? (await batchIdOf(file));
  let count = 0;
  // Read only once: the file may be a pipe.
  const lines = (async function* (): AsyncGenerator<FeedLine, void, undefined> {
    for await (const line of feedLines(file)) {
      count += 1;
      yield line;
    }
    if (count === 0) throw new InputError(`${file.path}: it has no rows.`);
  })();
  const feed = await brandport.feeds.submit({ source, batchId, lines }, { signal }).catch(async (error) => {
    throw await namingLines(error, file);
  });
  const state: FeedState = {
    brandport_feed: 1,
    source,
    base_batch_id: batchId,
    batch_id: batchId,
    file_lines: count,
    places: null,
    round: 0,
    parts: feed.parts,
    read_with: readWith(file),
  };
  if (statePath !== null) saveFeedState(statePath, state);
  return { feed, state };
}

function readWith({ delimiter, location, columns, format }: FeedFile): NonNullable<FeedState['read_with']> {
  return {
    ...(delimiter !== undefined && { delimiter }),
    ...(location !== undefined && { location }),
    ...(columns !== undefined && { columns }),
    ...(format !== undefined && { format }),
  };
}

/**
 * Derives the batch id from the name, the time of the last change and the content of a file: an export with the same
 * content, written on another day, is another feed.
 */
async function batchIdOf({ path, stream }: FeedFile): Promise<string> {
  if (stream !== undefined) return crypto.randomUUID();
  const hash = createHash('sha256');
  try {
    hash.update(String(statSync(path).mtimeMs));
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  } catch (error) {
    throw InputError.of(path, error);
  }
  const name = basename(path)
    .replaceAll(/[^\x21-\x7e]/g, '_')
    .slice(0, 100);
  return `${name}-${hash.digest('hex').slice(0, 16)}`;
}

/** A feed that was sent, as it is kept next to its file. */
export interface FeedState {
  readonly brandport_feed: 1;
  readonly source: string;
  /** The id of the first sending. */
  readonly base_batch_id: string;
  readonly batch_id: string;
  /** The lines of the file. */
  readonly file_lines: number;
  /** The lines of the file that were sent, counting from 0; null: all. */
  readonly places: readonly number[] | null;
  /**
   * When each of the `places` was received for the first time: a line without a time keeps it in all later rounds. Absent before
   * the first round, and in files of earlier versions.
   */
  readonly received?: readonly string[];
  /** The number of times that failed lines were sent again. */
  readonly round: number;
  readonly parts: readonly SubmittedPart[];
  /** The options that the file was read with; absent in files of earlier versions. */
  readonly read_with?: Pick<FeedFile, 'delimiter' | 'location' | 'columns' | 'format'>;
}

/** Returns the name of the file that keeps what was sent of another one. */
export function statePathOf(file: string): string {
  return file.endsWith('.feed.json') ? file : `${file}.feed.json`;
}

/** Returns null if nothing was sent of the file. @throws InputError for a file of another kind */
export async function findFeedState(path: string): Promise<FeedState | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const state = parsedJson(text) as Partial<FeedState> | null;
  if (state?.brandport_feed !== 1) throw new InputError(`${path} does not describe a feed that was sent.`);
  return state as FeedState;
}

export function saveFeedState(path: string, state: FeedState): void {
  writeDurably(path, `${JSON.stringify(state)}\n`);
}

/** The last feed of a source. */
export interface LastFeed {
  readonly lines: number;
  readonly sent_at: string;
}

/** Remembers the size of the last feed of each brand and source, in a file of the user [D150]. */
export class FeedMemory {
  readonly #path: string;

  /** @param folder has the profiles */
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
