import type { Database } from '../../postgres/database.ts';
import type { Outcomes } from './examination.ts';
import { type AnalyticsExamination, examineAnalytics } from './examine-analytics.ts';

export interface ExaminedStore {
  /** Its PostgreSQL, with the records of its days. */
  readonly database: Database;
  /** Compares all that is derived in a brand with its events. Reads only, in bounded memory. */
  examine(main: Database, brandId: number, cancelled: AbortSignal | undefined): Promise<AnalyticsExamination>;
  /** Withdraws what an aggregation would wrongly continue from. Returns whether there was any. */
  beginRepair(brandId: number, outcomes: Outcomes): Promise<boolean>;
}

/** A store whose events and datasets are in PostgreSQL. */
export function examinedInPostgres(database: Database): ExaminedStore {
  return {
    database,
    examine: (main, brandId, cancelled) => examineAnalytics(main, database, brandId, cancelled),
    beginRepair: async () => false,
  };
}
