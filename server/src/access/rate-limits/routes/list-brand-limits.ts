import { type Static, Type } from 'typebox';
import { exampleIds } from '../../../api/example-ids.ts';
import { Nullable, Timestamp } from '../../../api/field-schemas.ts';
import { operationKit, type ServiceContext } from '../../../api/operation.ts';
import { getBrand } from '../../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../../brands/brand-wire.ts';
import { listApiKeys } from '../../api-keys/queries/api-key-list.ts';
import type { BucketName, BucketUse, RateLimits } from '../rate-limits.ts';

export interface RateLimitContext extends ServiceContext {
  readonly rateLimits: Pick<RateLimits, 'listUse'>;
}

/** The newest keys: a page of the list of keys. Bounds what one request reads of the counter. */
const maxKeys = 200;

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
  used: Type.Integer({ minimum: 0, description: 'Requests that the current window has counted.' }),
  resets_at: Nullable(Timestamp(), {
    description: 'The end of the window; null if none is open: the next request begins one.',
  }),
});

export const LimitListWire = Type.Object({
  data: Type.Array(LimitWire),
  counted_by: Type.String({
    description: '`redis`: the counts of all processes. `process`: those of the process that responds, only.',
  }),
});

const limitListExample: Static<typeof LimitListWire> = {
  data: [
    { bucket: 'catalog_brand', key_id: null, limit: 600, used: 61, resets_at: '2026-03-01T08:30:40.118Z' },
    {
      bucket: 'catalog_reads',
      key_id: exampleIds.key,
      limit: 300,
      used: 58,
      resets_at: '2026-03-01T08:30:40.118Z',
    },
    { bucket: 'catalog_writes', key_id: exampleIds.key, limit: 60, used: 0, resets_at: null },
  ],
  counted_by: 'redis',
};

/** Shows how much of its limits a brand uses now [internal-115]. */
export const listBrandLimitsOperation = operationKit<RateLimitContext>().readOperation({
  id: 'listBrandLimits',
  method: 'GET',
  path: '/brands/:id/limits',
  tag: 'API keys',
  summary: 'List the rate limits of a brand',
  description: `Lists the limits of the brand and of its active keys, at most the ${maxKeys} newest, with what the current window has counted. The request counts against none of them.`,
  access: 'brand',
  params: BrandParams,
  responses: {
    200: { description: 'The limits.', schema: LimitListWire, example: limitListExample },
  },
  handle: async ({ database, clock, rateLimits }, { params }) => {
    const { id: brandId } = await getBrand(database, brandIdFromPath(params.id));
    const filter = { brandId, state: 'active', now: new Date(clock.now()) } as const;
    const { keys } = await listApiKeys(database, filter, { number: 1, size: maxKeys, offset: 0 });
    const { countedBy, buckets } = await rateLimits.listUse(
      brandId,
      keys.map(({ keyId }) => keyId),
    );
    return { status: 200, body: { data: buckets.map(useToWire), counted_by: countedBy } };
  },
});

function useToWire({ name, keyId, limit, used, endsAt }: BucketUse): Static<typeof LimitWire> {
  return {
    bucket: wireNames[name] ?? name,
    key_id: keyId,
    limit: limit === 0 ? null : limit,
    used,
    resets_at: endsAt === null ? null : new Date(endsAt).toISOString(),
  };
}
