import { deserialize } from 'node:v8';
import { inlineBodyBytes, parseInThread } from '../../api/parse-in-thread.ts';
import { invalidField } from '../../errors/api-error.ts';
import type { Threads } from '../../lib/threads.ts';
import { takeTurn } from '../../lib/turns.ts';
import { type EventList, type GroupItem, parseEventList } from './event-list.ts';

const threadModule = new URL('./event-list-thread.ts', import.meta.url);

/** Consecutive items; `first` is the index of the first one. */
export interface SentItems {
  readonly first: number;
  readonly items: readonly GroupItem[];
}

/**
 * Yields the items of a body `{ items: [...] }` in groups once the syntax of the whole body is checked [D67], and lets other
 * requests run between them. `onOtherNames` receives the other names, 100 at most, before the first item or problem. The
 * buffer of a large body is transferred to a thread.
 * @throws ApiError `validation_failed` if the body is not such an object; `service_unavailable` when the server stops
 */
export async function* readEventList(
  threads: Threads,
  bytes: Uint8Array<ArrayBuffer>,
  onOtherNames: (names: readonly string[]) => void = () => {},
): AsyncGenerator<SentItems> {
  const list =
    bytes.length <= inlineBodyBytes
      ? parseEventList(bytes)
      : await parseInThread<EventList>(threads, threadModule, bytes, bytes);
  onOtherNames(list.otherNames);
  if ('problem' in list) throw invalidField(list.field, list.problem);
  for (const { first, items } of list.groups) {
    await takeTurn();
    yield { first, items: deserialize(items) as GroupItem[] };
  }
}
