import { datasetOperations } from '../analytics/operations.ts';
import type { Operation } from '../api/operation.ts';
import { catalogOperations } from '../catalog/operations.ts';
import type { Domain } from './admission.ts';
import type { Services } from './services.ts';

export interface ClientDomain {
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
