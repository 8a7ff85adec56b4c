import { Type } from 'typebox';
import { administratorOperations } from '../access/administrators/administrator-operations.ts';
import { apiKeyOperations } from '../access/api-keys/api-key-operations.ts';
import { feedTokenOperations } from '../access/feed-tokens/feed-token-operations.ts';
import { idempotencyOperations } from '../access/idempotency/idempotency-operations.ts';
import { keyUsageOperations } from '../access/key-usage/key-usage-operations.ts';
import { rateLimitOperations } from '../access/rate-limits/rate-limit-operations.ts';
import { refusalOperations } from '../access/refusals/refusal-operations.ts';
import { unverifiedRefusalOperations } from '../access/refusals/unverified-refusal-operations.ts';
import { sessionAdminOperations, sessionOperations } from '../access/sessions/session-operations.ts';
import {
  aggregationOperations,
  datasetOperations,
  eventOperations,
} from '../analytics/analytics-operations.ts';
import type { DescribedOperation, Operation } from '../api/operation.ts';
import { auditOperations } from '../audit/audit-operations.ts';
import { brandSummaryOperations } from '../brand-summaries/brand-summary-operations.ts';
import { brandOperations } from '../brands/brand-operations.ts';
import { BrandParams } from '../brands/brand-wire.ts';
import { catalogOperations } from '../catalog/catalog-operations.ts';
import { feedLineOperations } from '../catalog/feeds/feed-line-operations.ts';
import { feedListOperations } from '../catalog/feeds/feed-list-operations.ts';
import { requeueOperations } from '../catalog/feeds/requeue-operations.ts';
import { listSkusOperation } from '../catalog/skus/list-skus.ts';
import { explainStockOperation } from '../catalog/stock/explain-stock.ts';
import { getStockHealthOperation } from '../catalog/stock/get-stock-health.ts';
import { directoryOperations } from '../directory/directory-operations.ts';
import { doctorRunOperations } from '../doctor/doctor-run-operations.ts';
import { jobOperations } from '../jobs/job-operations.ts';
import { concernOperations } from '../overview/concern-operations.ts';
import { overviewOperations } from '../overview/overview-operations.ts';
import { requestOperations } from '../search/get-request.ts';
import { searchOperations } from '../search/search.ts';
import type { Domain } from './admission.ts';
import type { DocumentedOperations } from './docs/openapi-document.ts';
import type { Services } from './services.ts';

interface ClientDomain {
  readonly domain: Domain;
  readonly prefix: string;
  readonly operations: readonly Operation<Services>[];
  /** True if GET paths answer HEAD as well; in analytics they do not [analytics-1]. */
  readonly head: boolean;
}

/** Everything that the client listener serves to API keys. */
export const clientDomains: readonly ClientDomain[] = [
  { domain: 'catalog', prefix: '/v1/client/catalog', operations: catalogOperations, head: true },
  { domain: 'analytics', prefix: '/v1/client/analytics', operations: datasetOperations, head: false },
];

const { id } = BrandParams.properties;

const ClientResponseWire = Type.Unsafe<object>({
  $id: 'ClientResponse',
  type: 'object',
  additionalProperties: true,
});

const common = {
  kind: 'read',
  method: 'GET',
  access: 'one-brand',
  responses: {
    200: {
      description: 'The response of the client API, with the same `ETag`.',
      schema: ClientResponseWire,
      example: { data: [], meta: { current_page: 1, per_page: 50, total: 0, last_page: 1 } },
    },
  },
} as const;

/** The reads of the client API as a brand, as one entry each: `http/internal-app.ts` adds their routes. */
const brandReadDescriptions: readonly DescribedOperation[] = [
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

export const internalOperations: readonly Operation<Services>[] = [
  ...overviewOperations,
  ...concernOperations,
  ...brandOperations,
  ...brandSummaryOperations,
  ...apiKeyOperations,
  ...keyUsageOperations,
  ...refusalOperations,
  ...unverifiedRefusalOperations,
  ...rateLimitOperations,
  ...feedTokenOperations,
  ...idempotencyOperations,
  ...directoryOperations,
  ...eventOperations,
  ...aggregationOperations,
  listSkusOperation,
  explainStockOperation,
  getStockHealthOperation,
  ...feedListOperations,
  ...feedLineOperations,
  ...requeueOperations,
  ...jobOperations,
  ...doctorRunOperations,
  ...administratorOperations,
  ...sessionAdminOperations,
  ...auditOperations,
  ...requestOperations,
  ...searchOperations,
];

/** All operations of the internal listener, for its document and its guides. */
export const internalGroups: readonly DocumentedOperations[] = [
  { prefix: '/internal/v1', operations: internalOperations },
  { prefix: '', operations: sessionOperations },
  { prefix: '/internal/v1', operations: brandReadDescriptions },
];
