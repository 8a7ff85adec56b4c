import { ApiError, invalidField } from '../errors/api-error.ts';
import type { Owner } from '../lib/semaphore.ts';
import { ThreadMemoryError, type Threads, ThreadsClosedError } from '../lib/threads.ts';

/** Larger bodies are parsed in a thread: this much JSON takes about 5 ms. */
export const inlineBodyBytes = 128 * 1024;

/** The threads, and whose turn of them is used. */
export interface ThreadUse {
  readonly threads: Threads;
  readonly owner: Owner;
}

/**
 * Parses a large body in a thread, so that no other request waits for it. Transfers its buffer. `data` is the `workerData` of
 * the module.
 * @throws ApiError `validation_failed` if it takes too much memory; `service_unavailable` when the server stops
 */
export async function parseInThread<T>(
  { threads, owner }: ThreadUse,
  module: URL,
  data: unknown,
  { buffer }: Uint8Array<ArrayBuffer>,
): Promise<T> {
  try {
    return await threads.run<T>(owner, { module, data, transfer: [buffer] });
  } catch (error) {
    if (error instanceof ThreadMemoryError) throw invalidField('body', 'must take less memory to parse');
    if (error instanceof ThreadsClosedError) throw new ApiError('service_unavailable');
    throw error;
  }
}
