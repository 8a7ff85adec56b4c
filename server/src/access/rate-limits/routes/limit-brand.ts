import { operationKit } from '../../../api/operation.ts';
import { BrandParams, brandIdFromPath } from '../../../brands/brand-wire.ts';
import {
  brandLimitsFromWire,
  LimitBrandBody,
  LimitListWire,
  limitListExample,
  limitUseToWire,
} from '../limits-wire.ts';
import { limitBrand } from '../own-limits-service.ts';
import type { RateLimitContext } from '../rate-limits.ts';

/** Gives all keys of a brand together their own limits [internal-182]. */
export const limitBrandOperation = operationKit<RateLimitContext>().writeOperation({
  id: 'limitBrand',
  method: 'PUT',
  path: '/brands/:id/limits',
  tag: 'API keys',
  summary: 'Set the own rate limits of a brand',
  description:
    'Replaces the own limits of the brand, which count all its keys and feed tokens, also until a time, and returns them. They hold from the next request on, in every process.',
  access: 'brand',
  params: BrandParams,
  body: LimitBrandBody,
  bodyExample: { catalog: 12_000, until: '2028-01-01T06:00:00Z' },
  responses: {
    200: {
      description: 'The limits of the brand.',
      schema: LimitListWire,
      example: { ...limitListExample, data: limitListExample.data.slice(0, 1) },
    },
  },
  handle: async (tx, { params, body }, { clock, rateLimits }) => {
    const now = clock.now();
    const brandId = brandIdFromPath(params.id);
    const own = brandLimitsFromWire(body, now);
    await limitBrand(tx, brandId, own);
    const owners = [{ keyId: null, own }];
    return { status: 200, body: limitUseToWire(await rateLimits.listUse({ brandId, owners, now })) };
  },
});
