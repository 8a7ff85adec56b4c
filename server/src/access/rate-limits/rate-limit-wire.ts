import { type Static, Type } from 'typebox';
import {
  ExactFilter,
  exampleIds,
  Instant,
  NamedObject,
  Nullable,
  Timestamp,
} from '../../api/field-schemas.ts';
import { type Page, PageMetaWire, pageMeta, pageQuery } from '../../api/pagination.ts';
import { invalidField } from '../../errors/api-error.ts';
import { parseInstant } from '../../lib/instant.ts';
import type { LimitExcess, Limits, OwnLimits } from '../own-limits.ts';
import type { BucketName, BucketUse, LimitUse } from './rate-limits.ts';
import { type BusiestMinute, minuteDays } from './request-minutes-store.ts';

const wireNames: Readonly<Partial<Record<BucketName, string>>> = {
  catalog_key_reads: 'catalog_reads',
  catalog_key_writes: 'catalog_writes',
};

const LimitWire = Type.Object({
  bucket: Type.String({
    description:
      '`catalog_reads`, `catalog_writes` and `analytics_key` are limits of each key, `catalog_brand` and `analytics_brand` of all keys together.',
  }),
  key_id: Nullable(Type.String(), { description: 'null for a limit of the brand.' }),
  limit: Nullable(Type.Integer({ minimum: 1 }), { description: 'Requests per minute; null: not limited.' }),
  own: Type.Boolean({
    description: 'True if the limit was set for this key or brand; false: it is the configured one.',
  }),
  until: Nullable(Timestamp(), {
    description:
      'The end of an own limit, after which the configured one holds again; null: no end, or not its own.',
  }),
  used: Type.Integer({ minimum: 0, description: 'Requests that the current window has counted.' }),
  resets_at: Nullable(Timestamp(), {
    description: 'The end of the window; null if none is open: the next request begins one.',
  }),
  busiest: Type.Optional(
    Nullable(
      Type.Object({
        requests: Type.Integer({ minimum: 1, description: 'The requests that the limit admitted.' }),
        at: Timestamp({ description: 'The start of the minute.' }),
      }),
      {
        description: `With \`busiest\`: the minute of the last ${minuteDays} days with most requests, of all processes, up to ten seconds late. Minutes are those of the
clock; the window of a limit begins with a request, and may have had more. null: no request.`,
      },
    ),
  ),
});

const countedBy = Type.String({
  description: '`redis`: the counts of all processes. `process`: those of the process that responds, only.',
});

export const LimitListWire = NamedObject('LimitList', {
  data: Type.Array(LimitWire),
  meta: PageMetaWire,
  counted_by: countedBy,
});

export const OwnLimitListWire = NamedObject('OwnLimitList', {
  data: Type.Array(LimitWire),
  counted_by: countedBy,
  warnings: Type.Array(Type.String(), {
    description:
      'Limits of keys that are above the limit of the brand, which counts as well, and limits below the busiest minute of the last seven days.',
  }),
});

export const limitListExample: Static<typeof LimitListWire> = {
  data: [
    {
      bucket: 'catalog_brand',
      key_id: null,
      limit: 600,
      own: false,
      until: null,
      used: 61,
      resets_at: '2026-03-01T08:30:40.118Z',
    },
    {
      bucket: 'catalog_reads',
      key_id: exampleIds.key,
      limit: 300,
      own: false,
      until: null,
      used: 58,
      resets_at: '2026-03-01T08:30:40.118Z',
    },
    {
      bucket: 'catalog_writes',
      key_id: exampleIds.key,
      limit: 6_000,
      own: true,
      until: '2026-03-02T06:00:00.000Z',
      used: 0,
      resets_at: null,
    },
  ],
  meta: { current_page: 1, per_page: 50, total: 3, last_page: 1 },
  counted_by: 'redis',
};

/** A response to a change of these limits. */
export function ownLimitsExample(from: number, to: number): Static<typeof OwnLimitListWire> {
  return { data: limitListExample.data.slice(from, to), counted_by: 'redis', warnings: [] };
}

export const LimitsQuery = Type.Object({
  key_id: ExactFilter({ description: 'Only the limits of this key.', examples: [exampleIds.key] }),
  busiest: Type.Optional(
    Type.Boolean({ description: '`true`: with the busiest minute of each limit.', examples: [true] }),
  ),
  ...pageQuery,
});

const limit = (of: string) =>
  Type.Optional(
    Nullable(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
      description: `Requests per minute: ${of}. null or absent: as configured.`,
    }),
  );

const until = Type.Optional(
  Nullable(Instant(), {
    description:
      'From this time on the configured limits hold again; it must be in the future. null or absent: no end.',
  }),
);

export const LimitKeyBody = NamedObject('KeyLimits', {
  catalog_reads: limit('reads of the catalog'),
  catalog_writes: limit('writes of the catalog'),
  analytics: limit('all of analytics'),
  until,
});

export const LimitBrandBody = NamedObject('BrandLimits', {
  catalog: limit('all keys of the brand, in the catalog'),
  analytics: limit('all keys of the brand, in analytics'),
  until,
});

export function keyLimitsFromWire(body: Static<typeof LimitKeyBody>, now: number): OwnLimits {
  return readOwnLimits(
    {
      catalog_key_reads: body.catalog_reads,
      catalog_key_writes: body.catalog_writes,
      analytics_key: body.analytics,
    },
    { until: body.until, now },
  );
}

export function brandLimitsFromWire(body: Static<typeof LimitBrandBody>, now: number): OwnLimits {
  return readOwnLimits(
    { catalog_brand: body.catalog, analytics_brand: body.analytics },
    { until: body.until, now },
  );
}

/** @throws ApiError `validation_failed` if no limit is given, or if `until` is not in the future */
function readOwnLimits(
  given: Record<string, number | null | undefined>,
  time: { readonly until: string | null | undefined; readonly now: number },
): OwnLimits {
  const end = typeof time.until === 'string' ? parseInstant(time.until) : null;
  if (end !== null && end.getTime() <= time.now) throw invalidField('until', 'must be in the future');
  const limits: Limits = Object.fromEntries(Object.entries(given).filter(([, value]) => value != null));
  if (Object.keys(limits).length === 0)
    throw invalidField('body', 'must have a limit; DELETE gives the configured limits back');
  return { limits, until: end?.toISOString() ?? null };
}

/** `busiest` null: not asked for. */
export function limitPageToWire(
  { countedBy, buckets, busiest }: LimitUse & { readonly busiest: readonly BusiestMinute[] | null },
  page: Page,
  total: number,
): Static<typeof LimitListWire> {
  const data = buckets.map((bucket) => ({
    ...bucketToWire(bucket),
    ...(busiest !== null && { busiest: busiestToWire(busiestOf(bucket, busiest)) }),
  }));
  return { data, meta: pageMeta(page, total), counted_by: countedBy };
}

export function ownLimitsToWire(
  { countedBy, buckets }: LimitUse,
  excesses: readonly LimitExcess[],
  busiest: readonly BusiestMinute[],
): Static<typeof OwnLimitListWire> {
  const tooLow = buckets.flatMap((bucket) => {
    const minute = busiestOf(bucket, busiest);
    return minute !== undefined && bucket.limit > 0 && bucket.limit < minute.requests
      ? [shortageOf(bucket, minute)]
      : [];
  });
  const warnings = [...excesses.map(warningOf), ...tooLow];
  return { data: buckets.map(bucketToWire), counted_by: countedBy, warnings };
}

function busiestOf({ name, keyId }: BucketUse, busiest: readonly BusiestMinute[]): BusiestMinute | undefined {
  return busiest.find((minute) => minute.bucket === name && minute.keyId === keyId);
}

function busiestToWire(minute: BusiestMinute | undefined) {
  return minute === undefined ? null : { requests: minute.requests, at: minute.at.toISOString() };
}

/** [internal-212] */
function shortageOf({ name, keyId, limit }: BucketUse, { requests, at }: BusiestMinute): string {
  const owner = keyId === null ? 'the brand' : `the key ${keyId}`;
  return `${wireNames[name] ?? name} of ${owner}: ${limit} a minute is less than what was used: up to ${requests} a minute on ${at.toISOString().slice(0, 10)}.`;
}

function warningOf({ keyId, name, limit, ofBrand }: LimitExcess): string {
  return `${wireNames[name] ?? name} of the key ${keyId}: ${limit} a minute is more than the ${ofBrand} of all keys of the brand, which count as well.`;
}

function bucketToWire({ name, keyId, limit, own, used, endsAt }: BucketUse): Static<typeof LimitWire> {
  return {
    bucket: wireNames[name] ?? name,
    key_id: keyId,
    limit: limit === 0 ? null : limit,
    own: own !== null,
    until: own?.until ?? null,
    used,
    resets_at: endsAt === null ? null : new Date(endsAt).toISOString(),
  };
}
