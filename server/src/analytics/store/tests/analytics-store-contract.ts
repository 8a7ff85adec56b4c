import { describe } from 'node:test';
import type { AnalyticsStore } from '../analytics-store.ts';
import { describeAggregation } from './aggregation-contract.ts';
import { describeConcurrency } from './concurrency-contract.ts';
import { describeDayHistories } from './day-history-contract.ts';
import { describeDays } from './days-contract.ts';
import { describeErasure } from './erasure-contract.ts';
import { describeEvents } from './events-contract.ts';
import type { FaultyStore } from './faulty-store.ts';
import { describeFigures } from './figures-contract.ts';
import { describeInterrupted } from './interrupted-contract.ts';
import { describeManyMonths } from './months-contract.ts';
import { describePages } from './pages-contract.ts';
import { describePublications } from './publication-contract.ts';
import { describeRevisions } from './revisions-contract.ts';
import { describeTotals } from './totals-contract.ts';
import { describeUnavailable } from './unavailable-contract.ts';

/** The store under test and ids of unused brands. */
export interface StoreUnderTest {
  readonly store: AnalyticsStore;
  newBrandId(): number;
}

/**
 * The requirements of every analytics store, tested only through its interface: a store that passes can serve the
 * endpoints. The store starts empty and prepared, and the caller closes it.
 */
export function describeAnalyticsStore(name: string, store: AnalyticsStore): void {
  let lastBrandId = 0;
  const underTest: StoreUnderTest = {
    store,
    newBrandId: () => {
      lastBrandId += 1;
      return lastBrandId;
    },
  };
  describe(name, () => {
    describeFigures(underTest);
    describeEvents(underTest);
    describeErasure(underTest);
    describeAggregation(underTest);
    describeDays(underTest);
    describePages(underTest);
    describeRevisions(underTest);
    describeDayHistories(underTest);
    describeTotals(underTest);
    describeConcurrency(underTest);
    describeManyMonths(underTest);
  });
}

/** The requirements of every store whose connections break, tested through paths that the test breaks. */
export function describeFaultyStore(name: string, faulty: FaultyStore): void {
  describe(name, () => {
    describeUnavailable(faulty);
    describeInterrupted(faulty);
    describePublications(faulty);
  });
}
