import { administratorOperations } from '../access/administrators/routes/index.ts';
import { apiKeyOperations } from '../access/api-keys/routes/index.ts';
import { feedTokenOperations } from '../access/feed-tokens/routes/index.ts';
import { idempotencyOperations } from '../access/idempotency/routes/index.ts';
import { keyUsageOperations } from '../access/key-usage/routes/index.ts';
import { leakOperations } from '../access/leaks/routes/index.ts';
import { rateLimitOperations } from '../access/rate-limits/routes/index.ts';
import { refusalOperations } from '../access/refusals/routes/index.ts';
import { sessionAdminOperations, sessionOperations } from '../access/sessions/routes/index.ts';
import { aggregationOperations } from '../analytics/aggregation/routes/index.ts';
import { eventOperations } from '../analytics/events/routes/index.ts';
import type { Operation } from '../api/operation.ts';
import { auditOperations } from '../audit/routes/index.ts';
import { brandSummaryOperations } from '../brand-summaries/routes/index.ts';
import { brandOperations } from '../brands/routes/index.ts';
import { feedAdminOperations } from '../catalog/feeds/routes/index.ts';
import { skuOperations } from '../catalog/skus/routes/index.ts';
import { stockAdminOperations } from '../catalog/stock/routes/index.ts';
import { directoryOperations } from '../directory/operations.ts';
import { doctorRunOperations } from '../jobs/doctor-runs/routes/index.ts';
import { jobOperations } from '../jobs/routes/index.ts';
import { overviewOperations } from '../overview/routes/index.ts';
import { requestOperations } from '../requests/routes/index.ts';
import { brandReadDescriptions } from './docs/brand-read-descriptions.ts';
import type { DocumentedOperations } from './docs/openapi-document.ts';
import type { InternalServices } from './services.ts';

/** Everything below `/internal/v1`. */
export const internalOperations: readonly Operation<InternalServices>[] = [
  ...overviewOperations,
  ...brandOperations,
  ...brandSummaryOperations,
  ...apiKeyOperations,
  ...keyUsageOperations,
  ...refusalOperations,
  ...rateLimitOperations,
  ...feedTokenOperations,
  ...leakOperations,
  ...idempotencyOperations,
  ...directoryOperations,
  ...eventOperations,
  ...aggregationOperations,
  ...skuOperations,
  ...stockAdminOperations,
  ...feedAdminOperations,
  ...jobOperations,
  ...doctorRunOperations,
  ...administratorOperations,
  ...sessionAdminOperations,
  ...auditOperations,
  ...requestOperations,
];

/** All operations of the internal listener, for its document and its guides. */
export const internalGroups: readonly DocumentedOperations[] = [
  { prefix: '/internal/v1', operations: internalOperations },
  { prefix: '', operations: sessionOperations },
  { prefix: '/internal/v1', operations: brandReadDescriptions },
];
