import type { Page } from '../../../api/pagination.ts';
import { Conditions } from '../../../postgres/conditions.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import { eventUse } from '../usage-counts.ts';

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
  /** The start of the step. */
  readonly at: Date;
  readonly key_id: string;
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
  const name = `by_${step}${where.code}`;
  const matches = `from api_key_usage where ${where.sql}`;
  const values = [...where.values];
  const limit = `limit ${where.parameter(page.size)} offset ${where.parameter(page.offset)}`;
  const [rows, counts] = await Promise.all([
    database.run(
      statement<KeyUsageRow>(
        `list_key_usage_${name}`,
        `${selection[step](matches)} order by at desc, key_id, operation ${limit}`,
        where.values,
        { long: true },
      ),
    ),
    database.run(
      statement<{ total: number }>(
        `count_key_usage_${name}`,
        `select count(*) as total from (${selection[step](matches)}) as steps`,
        values,
        { long: true },
      ),
    ),
  ]);
  return { rows, total: counts[0]?.total ?? 0 };
}

const lastHour: Readonly<Record<UsageStep, (to: string) => string>> = {
  hour: (to) => `${to}::timestamptz`,
  day: (to) => `date_trunc('day', ${to}::timestamptz, 'UTC') + interval '23 hours'`,
};

const selection: Readonly<Record<UsageStep, (matches: string) => string>> = {
  hour: (matches) =>
    `select hour as at, key_id, operation, scope, requests, denied, refused, failed ${matches}`,
  day: (matches) =>
    `select date_trunc('day', hour, 'UTC') as at, key_id, operation, max(scope) as scope,
       sum(requests)::bigint as requests, sum(denied)::bigint as denied, sum(refused)::bigint as refused,
       sum(failed)::bigint as failed
     ${matches} group by 1, key_id, operation`,
};
