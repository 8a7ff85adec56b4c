import { statement } from '../../postgres/statement.ts';

export interface KeyUsage {
  /** null: the credential belongs to no brand. */
  readonly brandId: number | null;
  /** Milliseconds since the Unix epoch. */
  readonly usedAt: number;
  /** The client's address; an empty string is stored as null. */
  readonly address: string;
  /** The error code of a request that was refused. */
  readonly code?: string;
}

/** The uses of credentials by the ids of their rows, in the order in which the rows are locked. */
type UsageEntries = readonly (readonly [number, KeyUsage])[];

export const touches = {
  key: (entries: UsageEntries) => touchOwned('touch_api_keys', 'api_keys', entries),
  refusedKey: (entries: UsageEntries) => {
    const [ids, brandIds, times] = valuesOf(entries);
    return statement<never>(
      'touch_refused_keys',
      `update api_keys k
       set last_refused_at = u.refused_at, last_refused_code = u.code
       from unnest($1::bigint[], $2::integer[], $3::timestamptz[], $4::text[]) as u (id, brand_id, refused_at, code)
       where k.brand_id = u.brand_id and k.id = u.id and u.refused_at >= coalesce(k.last_refused_at, '-infinity')`,
      [ids, brandIds, times, entries.map(([, { code }]) => code)],
      { long: true },
    );
  },
  feedToken: (entries: UsageEntries) => touchOwned('touch_feed_tokens', 'feed_tokens', entries),
  administrator: (entries: UsageEntries) => {
    const [ids, , times, addresses] = valuesOf(entries);
    return statement<never>(
      'touch_administrators',
      `update administrators a
       set last_used_at = u.used_at, last_used_from = u.address
       from unnest($1::bigint[], $2::timestamptz[], $3::inet[]) as u (id, used_at, address)
       where a.id = u.id and u.used_at >= coalesce(a.last_used_at, '-infinity')`,
      [ids, times, addresses],
      { long: true },
    );
  },
  session: (entries: UsageEntries) => {
    const [ids, , times] = valuesOf(entries);
    return statement<never>(
      'touch_console_sessions',
      `update console_sessions s
       set last_seen_at = u.seen_at
       from unnest($1::bigint[], $2::timestamptz[]) as u (id, seen_at)
       where s.id = u.id and u.seen_at >= s.last_seen_at`,
      [ids, times],
      { long: true },
    );
  },
} as const;

export type Credential = keyof typeof touches;

function touchOwned(name: string, table: 'api_keys' | 'feed_tokens', entries: UsageEntries) {
  return statement<never>(
    name,
    `update ${table} c
     set last_used_at = u.used_at, last_used_from = u.address
     from unnest($1::bigint[], $2::integer[], $3::timestamptz[], $4::inet[]) as u (id, brand_id, used_at, address)
     where c.brand_id = u.brand_id and c.id = u.id and u.used_at >= coalesce(c.last_used_at, '-infinity')`,
    valuesOf(entries),
    { long: true },
  );
}

function valuesOf(entries: UsageEntries): unknown[] {
  return [
    entries.map(([id]) => id),
    entries.map(([, usage]) => usage.brandId),
    entries.map(([, usage]) => new Date(usage.usedAt)),
    entries.map(([, { address }]) => (address === '' ? null : address)),
  ];
}
