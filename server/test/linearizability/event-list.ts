import type { Operation } from './operation.ts';

/** An invocation or a return in the doubly linked list of events, ordered by time. */
export interface Event<Call> {
  /** Number of the operation, in order of invocation. */
  readonly number: number;
  readonly operation: Operation<Call>;
  /** The return that belongs to this invocation; `null`: this is a return. */
  readonly end: Event<Call> | null;
  previous: Event<Call> | null;
  next: Event<Call> | null;
}

/** Sorts the operations of a history into events. Returns the head, which is not an event. */
export function listEvents<Call>(operations: readonly Operation<Call>[]): { next: Event<Call> | null } {
  const events = operations
    .toSorted((a, b) => a.invokedAt - b.invokedAt)
    .flatMap((operation, number) => {
      const end: Event<Call> = { number, operation, end: null, previous: null, next: null };
      const start: Event<Call> = { number, operation, end, previous: null, next: null };
      return [
        { at: operation.invokedAt, event: start },
        { at: operation.returnedAt, event: end },
      ];
    })
    // At the same instant invocations come first: operations that merely touch count as concurrent.
    .sort((a, b) => a.at - b.at || Number(a.event.end === null) - Number(b.event.end === null));
  const head = { next: null } as { next: Event<Call> | null };
  let last = head as Event<Call>;
  for (const { event } of events) {
    last.next = event;
    event.previous = last;
    last = event;
  }
  return head;
}

/** Removes an invocation and its return from the list. */
export function lift<Call>(start: Event<Call>): void {
  for (const event of [start, start.end as Event<Call>]) {
    (event.previous as Event<Call>).next = event.next;
    if (event.next !== null) event.next.previous = event.previous;
  }
}

/** Restores what `lift` removed; calls must be undone in reverse order. */
export function unlift<Call>(start: Event<Call>): void {
  for (const event of [start.end as Event<Call>, start]) {
    (event.previous as Event<Call>).next = event;
    if (event.next !== null) event.next.previous = event;
  }
}
