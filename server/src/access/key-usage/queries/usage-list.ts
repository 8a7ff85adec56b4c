import type { Page } from '../../../api/pagination.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { Conditions, readPage } from '../../../postgres/read-page.ts';
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
  const list = {
    name: `key_usage_by_${step}${where.code}`,
    columns: 'at, key_id, operation, scope, requests, denied, refused, failed',
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
