import { inlineBodyBytes, parseInThread } from '../../api/parse-in-thread.ts';
import { type UnknownNameReport, untold } from '../../api/unknown-names.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Threads } from '../../lib/threads.ts';
import { type FeedBodyOutcome, type FeedBodyRules, type ParsedFeed, parseFeedBody } from './feed-body.ts';

export interface FeedBodyTask {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly rules: FeedBodyRules;
}

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
    bytes.length <= inlineBodyBytes
      ? parseFeedBody(bytes, rules)
      : await parseInThread<FeedBodyOutcome>(
          threads,
          threadModule,
          { bytes, rules } satisfies FeedBodyTask,
          bytes,
        );
  unknownNames.ignored(outcome.unknownNames);
  if ('problems' in outcome) throw new ApiError('validation_failed', { errors: outcome.problems });
  return outcome.feed;
}
