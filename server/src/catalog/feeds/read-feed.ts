import { Worker } from 'node:worker_threads';
import { type UnknownNameReport, untold } from '../../api/unknown-names.ts';
import { ApiError } from '../../errors/api-error.ts';
import { type FeedBodyOutcome, type ReadFeed, readFeedBody } from './feed-body.ts';

export interface FeedBodyTask {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Milliseconds since the Unix epoch. */
  readonly receivedAt: number;
  /** Whether unknown names are refused. */
  readonly isStrict: boolean;
}

/** Larger bodies are read elsewhere: so much JSON takes some 5 ms. */
const inlineBytes = 128 * 1024;

/**
 * Reads and checks the body of a feed. A large one is read in a thread of its own, so that no other request waits for
 * it; the thread ends with it. Tells the unknown names of every body that it can parse.
 * @throws ApiError `validation_failed`
 */
export async function readFeed(
  body: Buffer,
  receivedAt: number,
  unknownNames: UnknownNameReport = untold,
): Promise<ReadFeed> {
  const { isStrict } = unknownNames;
  const outcome =
    body.length <= inlineBytes
      ? readFeedBody(body, receivedAt, isStrict)
      : await readInThread(body, receivedAt, isStrict);
  unknownNames.ignored(outcome.unknownNames);
  if ('problems' in outcome) throw new ApiError('validation_failed', { errors: outcome.problems });
  return outcome.feed;
}

async function readInThread(body: Buffer, receivedAt: number, isStrict: boolean): Promise<FeedBodyOutcome> {
  const bytes = ownBytes(body);
  const task: FeedBodyTask = { bytes, receivedAt, isStrict };
  const worker = new Worker(new URL('./feed-body-thread.ts', import.meta.url), {
    workerData: task,
    transferList: [bytes.buffer],
  });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread that reads feeds ended without an answer')));
  });
}

/** The bytes in a buffer of their own, which can be handed over. */
function ownBytes(body: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = body;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
    ? new Uint8Array(buffer)
    : new Uint8Array(body);
}
