import { type Static, Type } from 'typebox';
import { DayOrInstant, exampleIds, NamedObject, Nullable, Timestamp } from '../../api/field-schemas.ts';
import { type Operation, readOperation } from '../../api/operation.ts';
import { exampleListOf, listOf, pageQuery, pageReply } from '../../api/pagination.ts';
import { timeRangeFromWire } from '../../api/time-range.ts';
import { getBrand } from '../../brands/brand-operations.ts';
import { BrandParams, brandIdFromPath } from '../../brands/brand-wire.ts';
import { getApiKey, ownedKey } from '../api-keys/api-key-store.ts';
import { KeyParams } from '../api-keys/api-key-wire.ts';
import { type KeyUsageFilter, type KeyUsageRow, listKeyUsage, type UsageStep } from './key-usage-store.ts';

const defaultRangeMs = 30 * 86_400_000;
const firstInstant = Date.parse('0001-01-01T00:00:00Z');

const KeyUsageQuery = Type.Object({
  from: Type.Optional(
    DayOrInstant({
      description:
        'The first UTC day, or an instant of the first step. Default: 30 days before `to`, or before now.',
      examples: ['2026-03-01'],
    }),
  ),
  to: Type.Optional(
    DayOrInstant({
      description: 'The last UTC day, or an instant of the last step; inclusive. Default: no end.',
      examples: ['2026-03-31'],
    }),
  ),
  step: Type.Optional(
    Type.Unsafe<UsageStep>({
      type: 'string',
      enum: ['hour', 'day'],
      default: 'hour',
      description: 'The length of a step: a UTC hour or a UTC day.',
      examples: ['day'],
    }),
  ),
  ...pageQuery,
});

const count = (description: string) => Type.Integer({ minimum: 0, description });

const KeyUsageWire = NamedObject('KeyUsage', {
  at: Timestamp({ description: 'The start of the hour or day, in UTC.' }),
  key_id: Type.String({ description: 'The public id of the key.' }),
  operation: Type.String({ description: 'The operationId of the client API.' }),
  scope: Nullable(Type.String(), {
    description:
      'The scope by which the key may call the operation, or the scope that it lacks. null: any valid key may call it.',
  }),
  requests: count('All requests of the key to the operation.'),
  denied: count('Requests rejected with 429.'),
  refused: count('Requests rejected with another 4xx, such as 401, 403, 404 or 422.'),
  failed: count('Requests that failed with 5xx.'),
});

const keyUsageExample: Static<typeof KeyUsageWire> = {
  at: '2026-03-01T08:00:00.000Z',
  key_id: exampleIds.key,
  operation: 'listProducts',
  scope: 'catalog.products:read',
  requests: 1_290,
  denied: 12,
  refused: 3,
  failed: 0,
};

/** @throws ApiError `validation_failed` on `from` if the range ends before it begins */
function keyUsageRange(
  query: Static<typeof KeyUsageQuery>,
  now: number,
): Pick<KeyUsageFilter, 'from' | 'to' | 'step'> {
  const { to, from = new Date(Math.max((to?.getTime() ?? now) - defaultRangeMs, firstInstant)) } =
    timeRangeFromWire(query);
  return { from, to: to ?? null, step: query.step ?? 'hour' };
}

function keyUsageToWire({ at, keyId, ...row }: KeyUsageRow): Static<typeof KeyUsageWire> {
  return { at: at.toISOString(), key_id: keyId, ...row };
}

/** Shows what the keys of a brand are used for [internal-76]. */
const listBrandKeyUsageOperation = readOperation({
  id: 'listBrandKeyUsage',
  method: 'GET',
  path: '/brands/:id/key-usage',
  tag: 'API keys',
  summary: 'List the usage of a brand’s API keys',
  description: `Lists the requests of all keys of the brand, those that are deleted now included, by hour or day, key and operation: newest first, without steps
that have no requests. Rejected requests count as well, also those of revoked and expired keys; those with a wrong secret and feed tokens do not. The counts are up to
ten seconds late, and kept for \`BRANDPORT_KEEP_KEY_USAGE\`.`,
  access: 'one-brand',
  params: BrandParams,
  query: KeyUsageQuery,
  responses: {
    200: {
      description: 'One page of counts.',
      schema: listOf(KeyUsageWire, 'KeyUsagePage'),
      example: exampleListOf(keyUsageExample),
    },
  },
  handle: async ({ database, clock }, { params, query }) => {
    const range = keyUsageRange(query, clock.now());
    const { id: brandId } = await getBrand(database, brandIdFromPath(params.id));
    return pageReply(query, (page) => listKeyUsage(database, { brandId, ...range }, page), keyUsageToWire);
  },
});

/** Shows what a key is used for [internal-76]. */
const listKeyUsageOperation = readOperation({
  id: 'listKeyUsage',
  method: 'GET',
  path: '/keys/:key_id/usage',
  tag: 'API keys',
  summary: 'List the usage of an API key',
  description:
    'Lists the requests of one key by hour or day and operation, newest first, without steps that have no requests. See the usage of all keys of a brand for what counts.',
  access: ownedKey,
  params: KeyParams,
  query: KeyUsageQuery,
  responses: {
    200: {
      description: 'One page of counts.',
      schema: listOf(KeyUsageWire, 'KeyUsagePage'),
      example: exampleListOf(keyUsageExample),
    },
  },
  handle: async ({ database, clock }, { params, query }) => {
    const range = keyUsageRange(query, clock.now());
    const { brandId, keyId } = await getApiKey(database, params.key_id);
    return pageReply(
      query,
      (page) => listKeyUsage(database, { brandId, keyId, ...range }, page),
      keyUsageToWire,
    );
  },
});

export const keyUsageOperations: readonly Operation[] = [listBrandKeyUsageOperation, listKeyUsageOperation];
