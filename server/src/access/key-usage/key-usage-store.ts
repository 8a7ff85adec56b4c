import { deleteRows } from '../../postgres/row-set.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { UsageCount } from './usage-counts.ts';

/**
 * Adds counts to those that are stored. Processes may add to the same rows at the same time: the rows are locked in one order. No
 * two counts may be of the same hour, key and operation.
 */
export async function addKeyUsage(tx: Transaction, counts: readonly UsageCount[]): Promise<void> {
  await tx.run(
    statement<never>(
      'add_key_usage',
      `insert into api_key_usage as u (brand_id, hour, key_id, operation, scope, requests, denied, refused, failed)
       select brand_id, hour, key_id, operation, scope, requests, denied, refused, failed
       from unnest($1::integer[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[],
         $8::bigint[], $9::bigint[])
         as n (brand_id, hour, key_id, operation, scope, requests, denied, refused, failed)
       order by brand_id, hour, key_id collate "C", operation collate "C"
       on conflict (brand_id, hour, key_id, operation) do update set
         requests = u.requests + excluded.requests,
         denied = u.denied + excluded.denied,
         refused = u.refused + excluded.refused,
         failed = u.failed + excluded.failed`,
      [
        counts.map(({ brandId }) => brandId),
        counts.map(({ hour }) => new Date(hour)),
        counts.map(({ keyId }) => keyId),
        counts.map(({ operation }) => operation),
        counts.map(({ scope }) => scope),
        counts.map(({ requests }) => requests),
        counts.map(({ denied }) => denied),
        counts.map(({ refused }) => refused),
        counts.map(({ failed }) => failed),
      ],
    ),
  );
}

/** Drops up to `limit` counts of earlier UTC days, and returns their number; less than `limit`: none are left. */
export function dropKeyUsage(tx: Transaction, before: Date, limit: number): Promise<number> {
  const where = `hour < date_trunc('day', $1::timestamptz, 'UTC')`;
  const old = { name: 'drop_key_usage', table: 'api_key_usage', where, orderBy: 'hour', values: [before] };
  return deleteRows(tx, old, limit);
}
