import { Type } from 'typebox';
import type { DescribedOperation } from '../../api/operation.ts';
import { BrandParams } from '../../brands/brand-wire.ts';

const { id } = BrandParams.properties;

export const ClientResponseWire = Type.Unsafe<object>({ type: 'object', additionalProperties: true });

const common = {
  kind: 'read',
  method: 'GET',
  access: 'brand',
  responses: {
    200: {
      description: 'The response of the client API, with the same `ETag`.',
      schema: ClientResponseWire,
      example: { data: [], meta: { current_page: 1, per_page: 50, total: 0, last_page: 1 } },
    },
  },
} as const;

/** The reads of the client API as a brand, as one entry each: `brand-reads.ts` adds their routes. */
export const brandReadDescriptions: readonly DescribedOperation[] = [
  {
    ...common,
    id: 'readCatalogAsBrand',
    path: '/brands/:id/catalog/:path',
    tag: 'Catalog',
    summary: 'Read the catalog as a brand',
    description:
      'Returns what `GET /v1/client/catalog/{path}` returns to a key of the brand with all read scopes, for every path and query of the client API except `/status`. `path` can have several segments, such as `products/{tuId}/stock`. `If-None-Match` works as there; HEAD too. There are no rate limits. The reference of the client API, at `/docs/` of the client listener, describes each.',
    params: Type.Object({
      id,
      path: Type.String({ description: 'A path below `/v1/client/catalog/`.', examples: ['products'] }),
    }),
    errors: ['not_found'],
  },
  {
    ...common,
    id: 'readAnalyticsAsBrand',
    path: '/brands/:id/analytics/:subject/:dataset',
    tag: 'Analytics',
    summary: 'Read analytics as a brand',
    description:
      'Returns what `GET /v1/client/analytics/{subject}/{dataset}` returns to a key of the brand with all read scopes, for every dataset and query of the client API. `If-None-Match` works as there. There are no rate limits. The reference of the client API, at `/docs/` of the client listener, describes each.',
    params: Type.Object({
      id,
      subject: Type.String({ description: '`metrics` or `users`.', examples: ['metrics'] }),
      dataset: Type.String({ description: '`daily` or `contents`.', examples: ['daily'] }),
    }),
    errors: ['invalid_cursor', 'date_range_too_large', 'analytics_unavailable'],
  },
];
