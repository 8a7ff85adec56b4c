import { deserialize } from 'node:v8';
import { ApiError, invalidField } from '../../errors/api-error.ts';
import { ThreadMemoryError, type Threads, ThreadsClosedError } from '../../lib/threads.ts';
import { takeTurn } from '../../lib/turns.ts';
import { type EventList, type GroupItem, parseEventList } from './event-list.ts';

/** Larger bodies are parsed in a thread: this much JSON takes a few milliseconds. */
const inlineBytes = 128 * 1024;
const threadModule = new URL('./event-list-thread.ts', import.meta.url);

export type SentItem = GroupItem & { readonly index: number };

/**
 * Yields the items of a body `{ items: [...] }` once the syntax of the whole body is checked [D67], and lets other requests
 * run between groups of them. `onOtherNames` receives the other names, 100 at most, before the first item or problem. The
 * buffer of a large body is transferred to a thread.
 * @throws ApiError `validation_failed` if the body is not such an object; `service_unavailable` when the server stops
 */
export async function* readEventList(
  threads: Threads,
  bytes: Uint8Array<ArrayBuffer>,
  onOtherNames: (names: readonly string[]) => void = () => {},
): AsyncGenerator<SentItem> {
  const list = bytes.length <= inlineBytes ? parseEventList(bytes) : await parseInThread(threads, bytes);
  onOtherNames(list.otherNames);
  if ('problem' in list) throw invalidField(list.field, list.problem);
  for (const { first, items } of list.groups) {
    await takeTurn();
    for (const [place, item] of (deserialize(items) as GroupItem[]).entries())
      yield { ...item, index: first + place };
  }
}

async function parseInThread(threads: Threads, bytes: Uint8Array<ArrayBuffer>): Promise<EventList> {
  try {
    return await threads.run<EventList>({ module: threadModule, data: bytes, transfer: [bytes.buffer] });
  } catch (error) {
    if (error instanceof ThreadMemoryError) throw invalidField('body', 'must take less memory to parse');
    if (error instanceof ThreadsClosedError) throw new ApiError('service_unavailable');
    throw error;
  }
}
