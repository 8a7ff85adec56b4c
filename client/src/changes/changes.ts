import { isBrandportError } from '../errors/error-classes.ts';
import type { Call } from '../transport/call.ts';
import type { CallOptions } from '../transport/client-options.ts';
import { sleep } from '../transport/lifetime.ts';
import type { ChangeState, Checkpoint } from './change-state.ts';

export interface ChangesOptions extends CallOptions {
  readonly state: ChangeState;
  /** false: ends when everything is handled; true, the default, waits for further changes. */
  readonly follow?: boolean | undefined;
  /** Milliseconds between two looks when nothing has changed; default 5,000. */
  readonly intervalMs?: number | undefined;
}

/**
 * Iterates changes in batches of up to 200, from the state's place. The place moves when the loop asks for the next batch: a
 * batch whose handling was interrupted comes again.
 * @throws TypeError if the state is that of another kind of changes
 */
export async function* changes<Item, Own extends Checkpoint>(
  createReader: (options: CallOptions) => ChangeReader<Item, Own>,
  options: ChangesOptions,
): AsyncGenerator<ChangeBatch<Item, Own>, void, undefined> {
  const { state, follow = true, intervalMs = 5_000, ...callOptions } = options;
  const reader = createReader(callOptions);
  const kept = (await state.load()) ?? reader.start;
  if (!reader.isOwn(kept))
    throw new TypeError('The state is that of a poller of other changes. Use another one.');
  let checkpoint: Own = kept;
  for (;;) {
    const batch = await reader.next(checkpoint);
    if (batch !== null) {
      if (batch.items.length > 0) yield batch;
      checkpoint = batch.checkpoint;
      await state.save(checkpoint);
    } else if (follow) await sleep(intervalMs, options.signal);
    else return;
  }
}

/** Changes after a checkpoint, in their order, and the checkpoint after them. */
export interface ChangeBatch<Item = unknown, Own extends Checkpoint = Checkpoint> {
  readonly items: readonly Item[];
  readonly checkpoint: Own;
}

/** Reads the changes of one kind of resource. */
export interface ChangeReader<Item, Own extends Checkpoint> {
  /** The checkpoint before everything. */
  readonly start: Own;
  /** Returns whether a checkpoint is one of this kind. */
  isOwn(checkpoint: Checkpoint): checkpoint is Own;
  /** Returns the next batch, which may be empty with another checkpoint; null if nothing has changed. */
  next(after: Own): Promise<ChangeBatch<Item, Own> | null>;
}

/**
 * Returns the response with its tag; null if it is the one whose tag the call sent, which costs the service one short
 * statement.
 */
export async function unlessSame<T>(
  call: Call<T>,
): Promise<{ readonly data: T; readonly etag: string | null } | null> {
  try {
    const { data, response } = await call.withResponse();
    return { data, etag: response.headers.get('etag') };
  } catch (error) {
    if (isBrandportError(error, 'not_modified')) return null;
    throw error;
  }
}
