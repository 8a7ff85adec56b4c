import { type Operation, readOperation } from '../../api/operation.ts';
import { exampleListOf, listOf, pageReply } from '../../api/pagination.ts';
import { getBrand } from '../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../brands/brand-wire.ts';
import { listRefusals } from './refusal-store.ts';
import {
  AllRefusalsQuery,
  RefusalQuery,
  RefusalWire,
  refusalExample,
  refusalFilterFromWire,
  refusalToWire,
} from './refusal-wire.ts';

/** Shows which requests of a brand's keys failed, and why [internal-181]. */
const listRefusalsOperation = readOperation({
  id: 'listRefusals',
  method: 'GET',
  path: '/brands/:id/refusals',
  tag: 'API keys',
  summary: 'List the refused requests of a brand',
  description: `Lists the requests with a key of the brand that were answered with 4xx or 5xx, newest first, also of revoked, expired and
deleted keys and with a wrong secret. 401s and 429s of a key share a row a minute. At most 10,000 are kept, for
\`BRANDPORT_KEEP_REFUSALS\`, at most 50 a second of each process; the usage of the keys counts all. They appear within a second or two.`,
  access: 'brand',
  params: BrandParams,
  query: RefusalQuery,
  responses: {
    200: {
      description: 'One page of refusals.',
      schema: listOf(RefusalWire),
      example: exampleListOf(refusalExample),
    },
  },
  handle: async ({ database }, { params, query }) => {
    const { id: brandId } = await getBrand(database, brandIdFromPath(params.id));
    return pageReply(
      query,
      (page) => listRefusals(database, refusalFilterFromWire({ ...query, brand_id: brandId }), page),
      refusalToWire,
    );
  },
});

/** [internal-200] */
const listAllRefusalsOperation = readOperation({
  id: 'listAllRefusals',
  method: 'GET',
  path: '/refusals',
  tag: 'API keys',
  summary: 'List the refused requests of all brands',
  description: 'Lists the refusals of all brands that the caller may see, as the list of a brand does.',
  access: 'brands',
  query: AllRefusalsQuery,
  responses: {
    200: {
      description: 'One page of refusals.',
      schema: listOf(RefusalWire),
      example: exampleListOf(refusalExample),
    },
  },
  handle: async ({ database }, { query, brandIds }) =>
    pageReply(
      query,
      (page) => listRefusals(database, { ...refusalFilterFromWire(query), brandIds }, page),
      refusalToWire,
    ),
});

export const refusalOperations: readonly Operation[] = [listRefusalsOperation, listAllRefusalsOperation];
