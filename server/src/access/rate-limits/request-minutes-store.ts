import type { KeyBucketName } from '../../api/access.ts';
import type { Database, Queryable } from '../../postgres/database.ts';
import { deleteRows } from '../../postgres/row-set.ts';
import { statement } from '../../postgres/statement.ts';
import type { RequestHour } from './request-minutes.ts';

const dayMs = 86_400_000;
/** The days of which the busiest minute is known. */
export const minuteDays = 7;
const keptMs = (minuteDays + 1) * dayMs;
const batchRows = 5_000;
/** The key in the rows of a whole brand: a column of the primary key cannot be null. */
const brandKeyId = '';

/**
 * Adds requests to those that are stored, minute by minute: several processes add up to what a minute had [D305]. The rows are
 * locked in one order. No two rows may be of one hour, key and limit.
 */
export async function addRequestMinutes(database: Database, hours: readonly RequestHour[]): Promise<void> {
  const rows = hours.map(({ brandId, keyId, hour, bucket, requests }) => {
    return {
      brand_id: brandId,
      key_id: keyId ?? brandKeyId,
      hour: new Date(hour).toISOString(),
      bucket,
      requests,
    };
  });
  await database.transaction((tx) =>
    tx.run(
      statement<never>(
        'add_request_minutes',
        `insert into request_minutes as m (brand_id, key_id, hour, bucket, requests)
         select n.brand_id, n.key_id, n.hour, n.bucket, n.requests
         from json_to_recordset($1::json)
           as n (brand_id integer, key_id text, hour timestamptz, bucket text, requests integer[])
         join brands b on b.id = n.brand_id
         order by n.brand_id, n.key_id collate "C", n.hour, n.bucket collate "C"
         on conflict (brand_id, key_id, hour, bucket) do update set requests = array(
           select a.stored + a.added
           from unnest(m.requests, excluded.requests) with ordinality as a (stored, added, n) order by a.n
         )`,
        [JSON.stringify(rows)],
      ),
    ),
  );
}

/** Drops what is older than the busiest minutes are looked for, in transactions of 5,000 rows. */
export async function dropRequestMinutes(database: Database, now: number): Promise<void> {
  const values = [new Date(now - keptMs)];
  const old = {
    name: 'drop_request_minutes',
    table: 'request_minutes',
    where: 'hour < $1',
    orderBy: 'hour',
    values,
  };
  while ((await database.transaction((tx) => deleteRows(tx, old, batchRows))) === batchRows);
}

/** The minute of the last seven days in which most requests were admitted against a limit. */
export interface BusiestMinute {
  /** null: the brand. */
  readonly keyId: string | null;
  readonly bucket: KeyBucketName;
  readonly requests: number;
  /** Its start. */
  readonly at: Date;
}

/**
 * Finds the busiest minute of each limit of the keys; the key null is the brand. Limits without requests have none. Takes the
 * busiest of each of 168 rows first: a sort of all minutes took 4 s for 70 keys, this takes 0.2 s.
 */
export function listBusiestMinutes(
  database: Queryable,
  {
    brandId,
    keyIds,
    now,
  }: { readonly brandId: number; readonly keyIds: readonly (string | null)[]; readonly now: number },
): Promise<BusiestMinute[]> {
  return database.run(
    statement<BusiestMinute>(
      'list_busiest_minutes',
      `select distinct on (m.key_id, m.bucket) nullif(m.key_id, '${brandKeyId}') as "keyId", m.bucket, t.requests,
         m.hour + (t.n - 1) * interval '1 minute' as at
       from request_minutes m
       cross join lateral (
         select a.requests, a.n from unnest(m.requests) with ordinality as a (requests, n)
         order by a.requests desc, a.n desc limit 1
       ) as t
       where m.brand_id = $1 and m.key_id = any ($2::text[]) and m.hour >= $3 and t.requests > 0
       order by m.key_id, m.bucket, t.requests desc, at desc`,
      [brandId, keyIds.map((keyId) => keyId ?? brandKeyId), new Date(now - minuteDays * dayMs)],
      { long: true },
    ),
  );
}
