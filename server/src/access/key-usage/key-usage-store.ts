import type { Page } from '../../api/pagination.ts';
import { Conditions } from '../../postgres/conditions.ts';
import type { Queryable } from '../../postgres/database.ts';
import { readPage } from '../../postgres/read-page.ts';
import { deleteRows } from '../../postgres/row-set.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { eventUse, type UsageCount } from './usage-counts.ts';

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

export type UsageStep = 'hour' | 'day';

export interface KeyUsageFilter {
  readonly brandId: number;
  /** A key's public id; absent: all keys of the brand. */
  readonly keyId?: string;
  readonly from: Date;
  /** Inclusive; null: no end. */
  readonly to: Date | null;
  /** Steps begin at whole UTC hours or days. Those that contain `from` and `to` are included. */
  readonly step: UsageStep;
}

export interface KeyUsageRow {
  readonly at: Date;
  readonly keyId: string;
  readonly operation: string;
  readonly scope: string | null;
  readonly requests: number;
  readonly denied: number;
  readonly refused: number;
  readonly failed: number;
}

/** Lists one page of the usage of a brand's keys, newest first, then by key and operation, and counts all rows. */
export async function listKeyUsage(
  database: Queryable,
  filter: KeyUsageFilter,
  page: Page,
): Promise<{ rows: KeyUsageRow[]; total: number }> {
  const { step, brandId, keyId, from, to } = filter;
  const where = new Conditions(
    [
      'brand_id = $1',
      `hour >= date_trunc('${step}', $2::timestamptz, 'UTC')`,
      `key_id <> '${eventUse.keyId}'`,
    ],
    [brandId, from],
  );
  where.add('_to', (parameter) => `hour <= ${lastHour[step](parameter)}`, to ?? undefined);
  where.add('_of_key', (parameter) => `key_id = ${parameter}`, keyId);
  const list = {
    name: `key_usage_by_${step}${where.code}`,
    columns: 'at, key_id as "keyId", operation, scope, requests, denied, refused, failed',
    from: `(${selection[step]} from api_key_usage where ${where.sql} ${groups[step]}) as steps`,
    where: new Conditions([], where.values),
    orderBy: 'at desc, key_id, operation',
  };
  return readPage<KeyUsageRow>(database, list, page);
}

const lastHour: Readonly<Record<UsageStep, (to: string) => string>> = {
  hour: (to) => `${to}::timestamptz`,
  day: (to) => `date_trunc('day', ${to}::timestamptz, 'UTC') + interval '23 hours'`,
};

const selection: Readonly<Record<UsageStep, string>> = {
  hour: 'select hour as at, key_id, operation, scope, requests, denied, refused, failed',
  day: `select date_trunc('day', hour, 'UTC') as at, key_id, operation, max(scope) as scope,
       sum(requests)::bigint as requests, sum(denied)::bigint as denied, sum(refused)::bigint as refused,
       sum(failed)::bigint as failed`,
};

const groups: Readonly<Record<UsageStep, string>> = { hour: '', day: 'group by 1, key_id, operation' };
