import type { AnalyticsInvariant } from './analytics-invariant.ts';
import { datasetInvariants } from './dataset-invariants.ts';
import { eventInvariants } from './event-invariants.ts';

export const analyticsInvariants: readonly AnalyticsInvariant[] = [...datasetInvariants, ...eventInvariants];
