import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { IdempotencyRecord, IdempotencyScope } from './idempotency-store.ts';

/**
 * `claimed`: the caller runs the write. `running`: another transaction, or an earlier request of the set, has the key.
 * `settled`: the record exists.
 */
export type IdempotencyKeyState =
  | { readonly state: 'claimed' }
  | { readonly state: 'running' }
  | ({ readonly state: 'settled' } & IdempotencyRecord);

/**
 * Claims keys until the transaction ends, and finds those with a record younger than `notBefore`. Returns the state of
 * each, in their order. Never waits. One round trip; the steps are in the routine of the same name.
 */
export async function claimIdempotencyKeys(
  tx: Transaction,
  scopes: readonly IdempotencyScope[],
  notBefore: Date,
): Promise<IdempotencyKeyState[]> {
  if (scopes.length === 0) return [];
  const rows = await tx.run(
    statement<{ n: number } & IdempotencyKeyState>(
      'claim_idempotency_keys',
      'select n, state, fingerprint, status, headers, body from claim_idempotency_keys($1, $2, $3, $4)',
      [
        scopes.map(({ brandId }) => brandId),
        scopes.map(({ lineageId }) => lineageId),
        scopes.map(({ key }) => key),
        notBefore,
      ],
    ),
  );
  const states: IdempotencyKeyState[] = [];
  for (const { n, ...state } of rows) states[n] = state;
  return states;
}
