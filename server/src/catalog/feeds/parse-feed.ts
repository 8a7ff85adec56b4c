import { type UnknownNameReport, untold } from '../../api/unknown-names.ts';
import { ApiError, invalidField } from '../../errors/api-error.ts';
import { ThreadMemoryError, type Threads, ThreadsClosedError } from '../../lib/threads.ts';
import { type FeedBodyOutcome, type FeedBodyRules, type ParsedFeed, parseFeedBody } from './feed-body.ts';

export interface FeedBodyTask {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly rules: FeedBodyRules;
}

/** Larger bodies are parsed in a thread: this much JSON takes about 5 ms. */
const inlineBytes = 128 * 1024;
const threadModule = new URL('./feed-body-thread.ts', import.meta.url);

/**
 * Parses a body, a large one in a thread, so that no other request waits for it. The buffer of a large body is transferred.
 * @throws ApiError `validation_failed`; `service_unavailable` when the server stops
 */
export async function parseFeed(
  threads: Threads,
  bytes: Uint8Array<ArrayBuffer>,
  given: Omit<FeedBodyRules, 'isStrict'>,
  unknownNames: UnknownNameReport = untold,
): Promise<ParsedFeed> {
  const rules = { ...given, isStrict: unknownNames.isStrict };
  const outcome =
    bytes.length <= inlineBytes ? parseFeedBody(bytes, rules) : await readInThread(threads, { bytes, rules });
  unknownNames.ignored(outcome.unknownNames);
  if ('problems' in outcome) throw new ApiError('validation_failed', { errors: outcome.problems });
  return outcome.feed;
}

async function readInThread(threads: Threads, task: FeedBodyTask): Promise<FeedBodyOutcome> {
  try {
    return await threads.run<FeedBodyOutcome>({
      module: threadModule,
      data: task,
      transfer: [task.bytes.buffer],
    });
  } catch (error) {
    if (error instanceof ThreadMemoryError) throw invalidField('body', 'must take less memory to parse');
    if (error instanceof ThreadsClosedError) throw new ApiError('service_unavailable');
    throw error;
  }
}
