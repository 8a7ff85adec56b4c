import { type Operation, readOperation } from '../../api/operation.ts';
import { exampleListOf, listOf, pageReply } from '../../api/pagination.ts';
import { getBrand } from '../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../brands/brand-wire.ts';
import { getApiKey, ownedKey } from '../api-keys/api-key-list-store.ts';
import { KeyParams } from '../api-keys/api-key-wire.ts';
import {
  KeyUsageQuery,
  KeyUsageWire,
  keyUsageExample,
  keyUsageRange,
  keyUsageToWire,
} from './key-usage-wire.ts';
import { listKeyUsage } from './queries/usage-list.ts';

/** Shows what the keys of a brand are used for [internal-76]. */
const listBrandKeyUsageOperation = readOperation({
  id: 'listBrandKeyUsage',
  method: 'GET',
  path: '/brands/:id/key-usage',
  tag: 'API keys',
  summary: 'List the usage of a brand’s API keys',
  description: `Lists the requests of all keys of the brand, deleted ones included, by hour or day, key and operation: newest first, without steps
that have no requests. Rejected requests count as well, also those of revoked, expired and deleted keys and with a wrong secret; feed tokens do not. The counts are up to
ten seconds late, and kept for \`BRANDPORT_KEEP_KEY_USAGE\`.`,
  access: 'brand',
  params: BrandParams,
  query: KeyUsageQuery,
  responses: {
    200: {
      description: 'One page of counts.',
      schema: listOf(KeyUsageWire),
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
      schema: listOf(KeyUsageWire),
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
