import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Brandport, FeedLine, SubmittedFeed } from '@brandport/client';
import { InputError } from '../errors/cli-error.ts';
import { type FeedFile, feedLines, namingLines } from './feed-rows.ts';
import { type FeedState, saveFeedState } from './feed-state.ts';

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
  const lines = async function* (): AsyncGenerator<FeedLine, void, undefined> {
    count = 0;
    for await (const line of feedLines(file)) {
      count += 1;
      yield line;
    }
    if (count === 0) throw new InputError(`${file.path}: it has no rows.`);
  };
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
