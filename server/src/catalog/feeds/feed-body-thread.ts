import { parentPort, workerData } from 'node:worker_threads';
import { type ReadFeed, readFeedBody } from './feed-body.ts';
import type { FeedBodyTask } from './read-feed.ts';

// The thread behind `readFeed`: reads one body, transfers the result, and exits.

const { blocks, receivedAt, isStrict } = workerData as FeedBodyTask;
const outcome = readFeedBody(blocks, receivedAt, isStrict);
const handedOver = 'feed' in outcome ? buffersOf(outcome.feed) : [];
parentPort?.postMessage(outcome, handedOver);

function buffersOf({ parts, reportOrder }: ReadFeed): ArrayBuffer[] {
  return [...parts, ...(reportOrder === null ? [] : [reportOrder])].map(({ buffer }) => buffer);
}
