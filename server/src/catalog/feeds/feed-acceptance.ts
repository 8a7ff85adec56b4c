import { inlineBodyBytes, parseInThread, type ThreadUse } from '../../api/parse-in-thread.ts';
import { noReport, type UnknownNameReport } from '../../api/unknown-names.ts';
import { ApiError } from '../../errors/api-error.ts';
import { takeTurn } from '../../lib/loop-turns.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import {
  type FeedBodyOutcome,
  type FeedBodyRules,
  type FeedBodyTask,
  type ParsedFeed,
  parseFeedBody,
} from './feed-body.ts';

/**
 * A large feed keeps a core and a connection busy for a second. A brand has one at a time while others wait, and two if none
 * does [platform-76].
 */
const acceptance = new Semaphore({
  total: 3,
  perOwner: 1,
  lendsAllBut: 1,
  maxWaiting: Number.POSITIVE_INFINITY,
});

/** A feed of up to a thousand lines is parsed here and accepted at once: it never waits for large ones. */
export const shortLines = 1_000;
const longestShortBytes = 1024 * 1024;

/** Accepts a feed in the turn of its brand: runs `work`, which parses and stores it. Short feeds do not wait. */
export function acceptInTurn<T>(brandId: number, isShort: boolean, work: () => Promise<T>): Promise<T> {
  return isShort ? work() : acceptance.run(brandId, work);
}

const openingBrace = 0x7b;

/** Returns whether a body is parsed within some 10 ms: it has few bytes, or at most a thousand lines. */
export function isShortFeed(bytes: Uint8Array): boolean {
  if (bytes.length <= inlineBodyBytes) return true;
  if (bytes.length > longestShortBytes) return false;
  let braces = 0;
  for (let at = bytes.indexOf(openingBrace); at !== -1; at = bytes.indexOf(openingBrace, at + 1)) {
    braces += 1;
    // One is that of the body.
    if (braces > shortLines + 1) return false;
  }
  return true;
}

const threadModule = new URL('./feed-body-thread.ts', import.meta.url);

/**
 * Parses a body, that of a large feed in a thread, so that no other request waits for it. Its buffer is transferred.
 * @throws ApiError `validation_failed`; `service_unavailable` when the server stops
 */
export async function parseFeed(
  use: ThreadUse,
  bytes: Uint8Array<ArrayBuffer>,
  given: Omit<FeedBodyRules, 'isStrict'>,
  unknownNames: UnknownNameReport = noReport,
): Promise<ParsedFeed> {
  const rules = { ...given, isStrict: unknownNames.isStrict };
  const outcome = isShortFeed(bytes)
    ? await parseHere(use, bytes, rules)
    : await parseInThread<FeedBodyOutcome>(use, threadModule, { bytes, rules } satisfies FeedBodyTask, bytes);
  unknownNames.ignored(outcome.unknownNames);
  if ('problems' in outcome) throw new ApiError('validation_failed', { errors: outcome.problems });
  return outcome.feed;
}

/** Longer bodies take some milliseconds. */
const untimedBytes = 16 * 1024;

async function parseHere(
  { owner }: ThreadUse,
  bytes: Uint8Array,
  rules: FeedBodyRules,
): Promise<FeedBodyOutcome> {
  if (bytes.length > untimedBytes) await takeTurn(owner);
  return parseFeedBody(bytes, rules);
}
