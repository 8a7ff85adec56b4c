import { administratorOperations } from '../access/administrators/administrator-operations.ts';
import { apiKeyOperations } from '../access/api-keys/api-key-operations.ts';
import { feedTokenOperations } from '../access/feed-tokens/feed-token-operations.ts';
import { idempotencyOperations } from '../access/idempotency/idempotency-operations.ts';
import { keyUsageOperations } from '../access/key-usage/key-usage-operations.ts';
import { rateLimitOperations } from '../access/rate-limits/rate-limit-operations.ts';
import { refusalOperations } from '../access/refusals/refusal-operations.ts';
import { sessionAdminOperations, sessionOperations } from '../access/sessions/session-operations.ts';
import { aggregationOperations, eventOperations } from '../analytics/operations.ts';
import type { Operation } from '../api/operation.ts';
import { auditOperations } from '../audit/audit-operations.ts';
import { brandSummaryOperations } from '../brand-summaries/brand-summary-operations.ts';
import { brandOperations } from '../brands/brand-operations.ts';
import { feedAdminOperations } from '../catalog/feeds/routes/index.ts';
import { listSkusOperation } from '../catalog/skus/list-skus.ts';
import { stockAdminOperations } from '../catalog/stock/routes/index.ts';
import { directoryOperations } from '../directory/directory-operations.ts';
import { doctorRunOperations } from '../jobs/doctor-runs/doctor-run-operations.ts';
import { jobOperations } from '../jobs/job-operations.ts';
import { concernOperations } from '../overview/concern-operations.ts';
import { overviewOperations } from '../overview/overview-operations.ts';
import { requestOperations } from '../search/request-operations.ts';
import { searchOperations } from '../search/search-operations.ts';
import { brandReadDescriptions } from './docs/brand-read-descriptions.ts';
import type { DocumentedOperations } from './docs/openapi-document.ts';
import type { Services } from './services.ts';

export const internalOperations: readonly Operation<Services>[] = [
  ...overviewOperations,
  ...concernOperations,
  ...brandOperations,
  ...brandSummaryOperations,
  ...apiKeyOperations,
  ...keyUsageOperations,
  ...refusalOperations,
  ...rateLimitOperations,
  ...feedTokenOperations,
  ...idempotencyOperations,
  ...directoryOperations,
  ...eventOperations,
  ...aggregationOperations,
  listSkusOperation,
  ...stockAdminOperations,
  ...feedAdminOperations,
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
