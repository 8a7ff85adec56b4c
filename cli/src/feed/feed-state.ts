import { readFile } from 'node:fs/promises';
import type { SubmittedPart } from '@brandport/client';
import { InputError } from '../errors/cli-error.ts';
import { parsedJson } from '../input/parsed-json.ts';
import { writeDurably } from '../input/write-durably.ts';
import type { FeedFile } from './feed-rows.ts';

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
