import type { AnalyticsInvariant } from './analytics-invariant.ts';
import { datasetInvariants } from './dataset-invariants.ts';
import { eventInvariants } from './event-invariants.ts';

/** All invariants of the analytics store. */
export const analyticsInvariants: readonly AnalyticsInvariant[] = [...datasetInvariants, ...eventInvariants];
