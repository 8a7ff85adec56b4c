import { Worker } from 'node:worker_threads';
import type { ReceivedBody } from '../../api/request-body.ts';
import { type UnknownNameReport, untold } from '../../api/unknown-names.ts';
import { ApiError, invalidField } from '../../errors/api-error.ts';
import { Gate } from '../../lib/gate.ts';
import { type FeedBodyOutcome, type ReadFeed, readFeedBody } from './feed-body.ts';

export interface FeedBodyTask {
  readonly blocks: Uint8Array[];
  /** Milliseconds since the Unix epoch. */
  readonly receivedAt: number;
  /** Whether unknown names are refused. */
  readonly isStrict: boolean;
}

/** Larger bodies are read elsewhere: so much JSON takes some 5 ms. */
const inlineBytes = 128 * 1024;
/** The lines of larger bodies take up to 150 MB while they are read: one at a time. */
const largeBytes = 8 * 1024 * 1024;
const readingLarge = new Gate(1);
/** A thread over this ends with ERR_WORKER_OUT_OF_MEMORY, and takes nothing else with it. */
const threadLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };

/**
 * Reads and checks the body of a feed. A large one is read in a thread of its own, so that no other request waits for
 * it; the thread ends with it. The blocks of the body are used up. Tells the unknown names of every body that it can parse.
 * @throws ApiError `validation_failed`
 */
export async function readFeed(
  { blocks, length }: ReceivedBody,
  receivedAt: number,
  unknownNames: UnknownNameReport = untold,
): Promise<ReadFeed> {
  const task = { blocks: [...blocks], receivedAt, isStrict: unknownNames.isStrict };
  const inThread = () => readInThread(task);
  let outcome: FeedBodyOutcome;
  if (length <= inlineBytes) outcome = readFeedBody(task.blocks, receivedAt, task.isStrict);
  else outcome = await (length > largeBytes ? readingLarge.run(inThread) : inThread());
  unknownNames.ignored(outcome.unknownNames);
  if ('problems' in outcome) throw new ApiError('validation_failed', { errors: outcome.problems });
  return outcome.feed;
}

async function readInThread(task: FeedBodyTask): Promise<FeedBodyOutcome> {
  const worker = new Worker(new URL('./feed-body-thread.ts', import.meta.url), {
    workerData: task,
    transferList: task.blocks.map(({ buffer }) => buffer as ArrayBuffer),
    resourceLimits: threadLimits,
  });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    // For as long as the thread lives: an error without a listener would end the process.
    worker.on('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? invalidField('body', 'must take less memory to read')
          : error,
      ),
    );
    worker.once('exit', () => reject(new Error('the thread that reads feeds ended without an answer')));
  });
}
