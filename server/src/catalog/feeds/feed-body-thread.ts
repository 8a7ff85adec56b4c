import { parentPort, workerData } from 'node:worker_threads';
import { type FeedBodyTask, type ParsedFeed, parseFeedBody } from './feed-body.ts';

// The thread behind `parseFeed`: parses one body, transfers the result, and exits.

const { bytes, rules } = workerData as FeedBodyTask;
const outcome = parseFeedBody(bytes, rules);
const handedOver = 'feed' in outcome ? buffersOf(outcome.feed) : [];
parentPort?.postMessage(outcome, handedOver);

function buffersOf({ parts, reportOrder }: ParsedFeed): ArrayBuffer[] {
  return [...parts, ...(reportOrder === null ? [] : [reportOrder])].map(({ buffer }) => buffer);
}
