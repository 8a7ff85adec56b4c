import { operationKit } from '../../../api/operation.ts';
import { getBrand } from '../../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../../brands/brand-wire.ts';
import { listApiKeys } from '../../api-keys/queries/api-key-list.ts';
import { LimitListWire, limitListExample, limitUseToWire } from '../limits-wire.ts';
import { findBrandLimits } from '../own-limits-store.ts';
import type { RateLimitContext } from '../rate-limits.ts';

/** The newest keys: a page of the list of keys. Bounds what one request reads of the counter. */
const maxKeys = 200;

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
    const now = clock.now();
    const filter = { brandId, state: 'active', now: new Date(now) } as const;
    const [keys, ofBrand] = await Promise.all([
      listApiKeys(database, filter, { number: 1, size: maxKeys, offset: 0 }),
      findBrandLimits(database, brandId),
    ]);
    const owners = [
      { keyId: null, own: ofBrand },
      ...keys.rows.map(({ keyId, ownLimits: own }) => ({ keyId, own })),
    ];
    return { status: 200, body: limitUseToWire(await rateLimits.listUse({ brandId, owners, now })) };
  },
});
