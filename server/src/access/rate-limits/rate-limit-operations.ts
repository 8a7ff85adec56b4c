import { type Operation, operationKit, writeOperation } from '../../api/operation.ts';
import { pageOf } from '../../api/pagination.ts';
import { recordAudit } from '../../audit/audit-store.ts';
import { getBrand } from '../../brands/brand-operations.ts';
import { lockBrand } from '../../brands/brand-store.ts';
import { BrandParams, brandIdFromPath } from '../../brands/brand-wire.ts';
import { notFound } from '../../errors/api-error.ts';
import type { AuditedTransaction } from '../../postgres/transaction.ts';
import { lockExisting } from '../api-keys/api-key-service.ts';
import { listApiKeys, ownedKey } from '../api-keys/api-key-store.ts';
import { KeyParams } from '../api-keys/api-key-wire.ts';
import { areInForce, excessesOf, limitChanges, type OwnLimits } from '../own-limits.ts';
import { findBrandLimits, listKeysWithLimits, setBrandLimits, setKeyLimits } from './rate-limit-store.ts';
import {
  brandLimitsFromWire,
  keyLimitsFromWire,
  LimitBrandBody,
  LimitKeyBody,
  LimitListWire,
  LimitsQuery,
  limitListExample,
  limitPageToWire,
  OwnLimitListWire,
  ownLimitsExample,
  ownLimitsToWire,
} from './rate-limit-wire.ts';
import type { LimitOwner, RateLimitContext } from './rate-limits.ts';
import { listBusiestMinutes } from './request-minutes-store.ts';

/** Replaces the own limits of a key; null: it has none any more. Returns its brand. @throws ApiError `not_found` */
async function limitKey(tx: AuditedTransaction, keyId: string, own: OwnLimits | null): Promise<number> {
  const key = await lockExisting(tx, keyId);
  const changes = limitChanges(key.ownLimits, own);
  if (Object.keys(changes).length === 0) return key.brandId;
  await setKeyLimits(tx, key, own);
  await recordAudit(tx, {
    action: 'api_key.limit',
    brandId: key.brandId,
    resourceType: 'api_key',
    resourceId: keyId,
    details: { name: key.name, changes },
  });
  return key.brandId;
}

/** Replaces the own limits of a brand; null: it has none any more. @throws ApiError `not_found` */
async function limitBrand(tx: AuditedTransaction, brandId: number, own: OwnLimits | null): Promise<void> {
  if ((await lockBrand(tx, brandId)) === null) throw notFound();
  const changes = limitChanges(await findBrandLimits(tx, brandId), own);
  if (Object.keys(changes).length === 0) return;
  await setBrandLimits(tx, brandId, own);
  await recordAudit(tx, {
    action: 'brand.limit',
    brandId,
    resourceType: 'brand',
    resourceId: String(brandId),
    details: { changes },
  });
}

/** The limits that each owner has. */
const [ofBrandCount, ofKeyCount] = [2, 3];

/** Shows how much of its limits a brand uses now [internal-115]. */
const listBrandLimitsOperation = operationKit<RateLimitContext>().readOperation({
  id: 'listBrandLimits',
  method: 'GET',
  path: '/brands/:id/limits',
  tag: 'API keys',
  summary: 'List the rate limits of a brand',
  description:
    'Lists the limits of the brand, then those of its active keys, newest first, with what the current window has counted. The request counts against none of them.',
  access: 'one-brand',
  params: BrandParams,
  query: LimitsQuery,
  responses: {
    200: { description: 'The limits.', schema: LimitListWire, example: limitListExample },
  },
  handle: async ({ database, clock, rateLimits }, { params, query }) => {
    const { id: brandId } = await getBrand(database, brandIdFromPath(params.id));
    const now = clock.now();
    const page = pageOf(query);
    const keyId = query.key_id;
    const before = keyId === undefined ? ofBrandCount : 0;
    // The keys of which the page may show a limit, and those before them.
    const skipped = Math.floor(Math.max(0, page.offset - before) / ofKeyCount);
    const size = Math.ceil(page.size / ofKeyCount) + 1;
    const keyIds = keyId === undefined ? undefined : [keyId];
    const filter = { brandId, state: 'active', keyIds, now: new Date(now) } as const;
    const [keys, ofBrand] = await Promise.all([
      listApiKeys(database, filter, { number: 1, size, offset: skipped }),
      findBrandLimits(database, brandId),
    ]);
    const owners: LimitOwner[] = keys.rows.map((key) => ({ keyId: key.keyId, own: key.ownLimits }));
    if (keyId === undefined && skipped === 0) owners.unshift({ keyId: null, own: ofBrand });
    const first = skipped === 0 ? 0 : before + skipped * ofKeyCount;
    const use = await rateLimits.listUse({ brandId, owners, now });
    const buckets = use.buckets.slice(page.offset - first, page.offset - first + page.size);
    const total = before + keys.total * ofKeyCount;
    const keysShown = [...new Set(buckets.map((bucket) => bucket.keyId))];
    const busiest =
      query.busiest === true ? await listBusiestMinutes(database, { brandId, keyIds: keysShown, now }) : null;
    return { status: 200, body: limitPageToWire({ ...use, buckets, busiest }, page, total) };
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
    'Replaces the own limits of the brand, at least one, which count all its keys and feed tokens, also until a time, and returns them. `warnings` names keys whose own limits are higher, and limits below the busiest minute of the last seven days. They hold from the next request on, in every process.',
  access: 'one-brand',
  params: BrandParams,
  body: LimitBrandBody,
  bodyExample: { catalog: 12_000, until: '2028-01-01T06:00:00Z' },
  responses: {
    200: {
      description: 'The limits of the brand.',
      schema: OwnLimitListWire,
      example: ownLimitsExample(0, 1),
    },
  },
  handle: async (tx, { params, body }, { clock, rateLimits }) => {
    const now = clock.now();
    const brandId = brandIdFromPath(params.id);
    const own = brandLimitsFromWire(body, now);
    await limitBrand(tx, brandId, own);
    const owners = [{ keyId: null, own }];
    const use = await rateLimits.listUse({ brandId, owners, now });
    const ofBrand = rateLimits.limitsNow(own.limits);
    const keys = await listKeysWithLimits(tx, brandId, new Date(now));
    const excesses = keys
      .filter((key) => areInForce(key.ownLimits, now))
      .flatMap((key) => excessesOf(key.keyId, key.ownLimits, ofBrand));
    const busiest = await listBusiestMinutes(tx, { brandId, keyIds: [null], now });
    return { status: 200, body: ownLimitsToWire(use, excesses, busiest) };
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
  access: 'one-brand',
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
    'Replaces the own limits of the key, at least one, also until a time, and returns its limits. They hold from the next request on, in every process; what the current window has counted still counts. The limit of the brand counts as well; `warnings` says where it is lower, and which limits are below the busiest minute of the last seven days. A rotation and `replaces_key_id` carry them over to the new key.',
  access: ownedKey,
  params: KeyParams,
  body: LimitKeyBody,
  bodyExample: { catalog_writes: 6_000, until: '2028-01-01T06:00:00Z' },
  responses: {
    200: {
      description: 'The limits of the key.',
      schema: OwnLimitListWire,
      example: ownLimitsExample(1, 3),
    },
  },
  handle: async (tx, { params, body }, { clock, rateLimits }) => {
    const now = clock.now();
    const own = keyLimitsFromWire(body, now);
    const brandId = await limitKey(tx, params.key_id, own);
    const owners = [{ keyId: params.key_id, own }];
    const use = await rateLimits.listUse({ brandId, owners, now });
    const stored = await findBrandLimits(tx, brandId);
    const ofBrand = rateLimits.limitsNow(areInForce(stored, now) ? stored.limits : null);
    const busiest = await listBusiestMinutes(tx, { brandId, keyIds: [params.key_id], now });
    return { status: 200, body: ownLimitsToWire(use, excessesOf(params.key_id, own, ofBrand), busiest) };
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
