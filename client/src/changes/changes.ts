import type { ClientApi } from '../client-api.ts';
import type { CallOptions } from '../transport/client-options.ts';
import { sleep } from '../transport/lifetime.ts';
import { type ChangeBatch, ChangeReader } from './change-reader.ts';
import type { ChangeState } from './change-state.ts';

export interface ChangesOptions extends CallOptions {
  readonly state: ChangeState;
  /** false: ends when everything is handled; true, the default, waits for further changes. */
  readonly follow?: boolean | undefined;
  /** Milliseconds between two looks when nothing has changed; default 5,000. */
  readonly intervalMs?: number | undefined;
}

/**
 * Iterates the changes of products in batches of up to 200, from the state's place. A product comes once for each change,
 * or once for several in a row; a change of its variants or axes is a change of the product, one of its stock is not.
 * The place moves when the loop asks for the next batch: a batch whose handling was interrupted comes again.
 */
export async function* changes(
  api: ClientApi,
  options: ChangesOptions,
): AsyncGenerator<ChangeBatch, void, undefined> {
  const { state, follow = true, intervalMs = 5_000, ...callOptions } = options;
  const reader = new ChangeReader(api, callOptions);
  let checkpoint = (await state.load()) ?? { since: null, seen: [] };
  for (;;) {
    const batch = await reader.next(checkpoint);
    if (batch !== null) {
      yield batch;
      checkpoint = batch.checkpoint;
      await state.save(checkpoint);
    } else if (follow) await sleep(intervalMs, options.signal);
    else return;
  }
}
