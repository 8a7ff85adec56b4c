import { type Operation, operationKit, writeOperation } from '../../api/operation.ts';
import { getBrand } from '../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../brands/brand-wire.ts';
import { KeyParams } from '../api-keys/api-key-wire.ts';
import { ownedKey } from '../api-keys/queries/api-key-detail.ts';
import { listApiKeys } from '../api-keys/queries/api-key-list.ts';
import {
  brandLimitsFromWire,
  keyLimitsFromWire,
  LimitBrandBody,
  LimitKeyBody,
  LimitListWire,
  limitListExample,
  limitUseToWire,
} from './limits-wire.ts';
import { limitBrand, limitKey } from './own-limits-service.ts';
import { findBrandLimits } from './own-limits-store.ts';
import type { RateLimitContext } from './rate-limits.ts';

/** The newest keys: a page of the list of keys. Bounds what one request reads of the counter. */
const maxKeys = 200;

/** Shows how much of its limits a brand uses now [internal-115]. */
const listBrandLimitsOperation = operationKit<RateLimitContext>().readOperation({
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

/** Gives all keys of a brand together their own limits [internal-182]. */
const limitBrandOperation = operationKit<RateLimitContext>().writeOperation({
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

/** Gives a brand the configured limits again [internal-182]. */
const resetBrandLimitsOperation = writeOperation({
  id: 'resetBrandLimits',
  method: 'DELETE',
  path: '/brands/:id/limits',
  tag: 'API keys',
  summary: 'Remove the own rate limits of a brand',
  description:
    'The configured limits hold again from the next request on. Removing them twice changes nothing.',
  access: 'brand',
  params: BrandParams,
  responses: { 204: { description: 'The configured limits hold.' } },
  handle: async (tx, { params }) => {
    await limitBrand(tx, brandIdFromPath(params.id), null);
    return { status: 204 };
  },
});

/** Gives a key its own limits, such as for an import [internal-182]. */
const limitKeyOperation = operationKit<RateLimitContext>().writeOperation({
  id: 'limitKey',
  method: 'PUT',
  path: '/keys/:key_id/limits',
  tag: 'API keys',
  summary: 'Set the own rate limits of an API key',
  description:
    'Replaces the own limits of the key, also until a time, and returns its limits. They hold from the next request on, in every process; what the current window has counted still counts. The limit of the brand counts as well. A rotation and `replaces_key_id` carry them over to the new key.',
  access: ownedKey,
  params: KeyParams,
  body: LimitKeyBody,
  bodyExample: { catalog_writes: 6_000, until: '2028-01-01T06:00:00Z' },
  responses: {
    200: {
      description: 'The limits of the key.',
      schema: LimitListWire,
      example: { ...limitListExample, data: limitListExample.data.slice(1) },
    },
  },
  handle: async (tx, { params, body }, { clock, rateLimits }) => {
    const now = clock.now();
    const own = keyLimitsFromWire(body, now);
    const brandId = await limitKey(tx, params.key_id, own);
    const owners = [{ keyId: params.key_id, own }];
    return { status: 200, body: limitUseToWire(await rateLimits.listUse({ brandId, owners, now })) };
  },
});

/** Gives a key the configured limits again [internal-182]. */
const resetKeyLimitsOperation = writeOperation({
  id: 'resetKeyLimits',
  method: 'DELETE',
  path: '/keys/:key_id/limits',
  tag: 'API keys',
  summary: 'Remove the own rate limits of an API key',
  description:
    'The configured limits hold again from the next request on. Removing them twice changes nothing.',
  access: ownedKey,
  params: KeyParams,
  responses: { 204: { description: 'The configured limits hold.' } },
  handle: async (tx, { params }) => {
    await limitKey(tx, params.key_id, null);
    return { status: 204 };
  },
});

export const rateLimitOperations: readonly Operation<RateLimitContext>[] = [
  listBrandLimitsOperation,
  limitBrandOperation,
  resetBrandLimitsOperation,
  limitKeyOperation,
  resetKeyLimitsOperation,
];
