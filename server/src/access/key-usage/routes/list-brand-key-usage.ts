import { readOperation } from '../../../api/operation.ts';
import { exampleListOf, listOf, pageReply } from '../../../api/pagination.ts';
import { getBrand } from '../../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../../brands/brand-wire.ts';
import {
  KeyUsageQuery,
  KeyUsageWire,
  keyUsageExample,
  keyUsageRange,
  keyUsageToWire,
} from '../key-usage-wire.ts';
import { listKeyUsage } from '../queries/usage-list.ts';

/** Shows what the keys of a brand are used for [internal-76]. */
export const listBrandKeyUsageOperation = readOperation({
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
