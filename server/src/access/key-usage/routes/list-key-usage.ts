import { readOperation } from '../../../api/operation.ts';
import { exampleListOf, listOf, pageReply } from '../../../api/pagination.ts';
import { KeyParams } from '../../api-keys/api-key-wire.ts';
import { getApiKey, ownedKey } from '../../api-keys/queries/api-key-detail.ts';
import {
  KeyUsageQuery,
  KeyUsageWire,
  keyUsageExample,
  keyUsageRange,
  keyUsageToWire,
} from '../key-usage-wire.ts';
import { listKeyUsage } from '../queries/usage-list.ts';

/** Shows what a key is used for [internal-76]. */
export const listKeyUsageOperation = readOperation({
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
