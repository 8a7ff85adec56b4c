import { type Event, lift, listEvents, unlift } from './event-list.ts';
import { LinearizedSet } from './linearized-set.ts';
import type { Operation, SequentialModel } from './operation.ts';

export type CheckResult<Call> =
  | { readonly verdict: 'linearizable' }
  /** No order explains the history. */
  | { readonly verdict: 'violation'; readonly evidence: Evidence<Call> }
  /** The limit was reached first. This is never a pass. */
  | { readonly verdict: 'undecided'; readonly steps: number };

/** The best attempt: the placed operations, and the operation that returned without a place. */
export interface Evidence<Call> {
  readonly placed: number;
  readonly state: string;
  readonly stuckAt: Operation<Call>;
  /** The other operations in progress at that point without a place. */
  readonly open: readonly Operation<Call>[];
}

export interface CheckLimits {
  /** The maximum number of states to try. */
  readonly steps: number;
}

interface Choice<State, Call> {
  readonly event: Event<Call>;
  readonly before: State;
  /** The index of the chosen next state. */
  readonly alternative: number;
}

/**
 * Decides whether a history is linearizable: whether its operations can be put in one order that respects real time and that the
 * model explains. The search of Wing and Gong with the memory of Lowe, exponential in the number of concurrent operations, hence
 * the limit. An operation without a response (`returnedAt` infinite) may be placed anywhere after its invocation.
 */
export function checkHistory<State, Call>(
  model: SequentialModel<State, Call>,
  operations: readonly Operation<Call>[],
  limits: CheckLimits = { steps: 5_000_000 },
): CheckResult<Call> {
  const head = listEvents(operations);
  const placed = new LinearizedSet(operations.length);
  const seen = new Set<string>();
  const choices: Choice<State, Call>[] = [];
  let state = model.initial;
  let evidence: Evidence<Call> | null = null;
  let event = head.next;
  let firstAlternative = 0;

  for (let steps = 0; head.next !== null; steps += 1) {
    if (steps >= limits.steps) return { verdict: 'undecided', steps };
    if (event === null) throw new Error('an invocation has no return');
    if (event.end !== null) {
      const alternative = place(event, firstAlternative);
      firstAlternative = 0;
      event = alternative ? head.next : event.next;
      continue;
    }
    // An operation returned without a place, so the last choice was wrong.
    if (evidence === null || choices.length > evidence.placed)
      evidence = {
        placed: choices.length,
        state: model.keyOf(state),
        stuckAt: event.operation,
        open: open(),
      };
    const last = choices.pop();
    if (last === undefined) return { verdict: 'violation', evidence };
    state = last.before;
    placed.delete(last.event.number);
    unlift(last.event);
    event = last.event;
    firstAlternative = last.alternative + 1;
  }
  return { verdict: 'linearizable' };

  /** Tries the outcomes of an operation in the current state, starting with the given one. */
  function place(start: Event<Call>, from: number): boolean {
    const outcomes = model.next(state, start.operation.call);
    placed.add(start.number);
    for (let alternative = from; alternative < outcomes.length; alternative += 1) {
      const after = outcomes[alternative] as State;
      const key = `${placed.key()}|${model.keyOf(after)}`;
      if (seen.has(key)) continue;
      seen.add(key);
      choices.push({ event: start, before: state, alternative });
      state = after;
      lift(start);
      return true;
    }
    placed.delete(start.number);
    return false;
  }

  function open(): Operation<Call>[] {
    const found: Operation<Call>[] = [];
    for (let at = head.next; at !== null && at !== event; at = at.next)
      if (at.end !== null && at.number !== event?.number) found.push(at.operation);
    return found;
  }
}
