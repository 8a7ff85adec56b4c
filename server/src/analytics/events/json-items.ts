import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type ApiError, invalidField } from '../../errors/api-error.ts';
import { isItemList, itemsOfJson } from './items-of-json.ts';

/** Larger bodies are parsed elsewhere: this much JSON takes some 10 ms. */
const inlineBytes = 1024 * 1024;

/** What the worker sends: some items as JSON text, the end, or what is wrong with the body. */
export type ItemsMessage = { readonly part: string } | { readonly done: true } | { readonly problem: string };

/**
 * The items of a body `{ items: [...] }`, in order. A large body is parsed in a thread of its own and comes over in
 * parts, so that other requests do not wait for one long JSON.parse; the thread sends the next part when the last one
 * was taken.
 * @throws ApiError `validation_failed` when the body is not such an object.
 */
export async function* jsonItems(bytes: Buffer): AsyncGenerator<unknown> {
  if (bytes.length <= inlineBytes) {
    const items = itemsOfJson(bytes);
    if (!isItemList(items)) throw problemError(items);
    yield* items;
    return;
  }
  const copy = new Uint8Array(bytes);
  const worker = new Worker(new URL('./json-items-worker.ts', import.meta.url), {
    workerData: copy,
    transferList: [copy.buffer],
  });
  // Also between two messages, when nothing waits for the thread: an error event without a listener ends the process.
  worker.on('error', () => {});
  try {
    for (;;) {
      const [message] = (await once(worker, 'message')) as [ItemsMessage];
      if ('problem' in message) throw problemError(message.problem);
      if ('done' in message) return;
      yield* JSON.parse(message.part) as unknown[];
      worker.postMessage('next');
    }
  } finally {
    await worker.terminate();
  }
}

function problemError(problem: string): ApiError {
  const [field, message] = problem.split(': ') as [string, string];
  return invalidField(field, message);
}
