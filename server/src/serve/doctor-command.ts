import { aggregateRange } from '../analytics/aggregation/aggregation-service.ts';
import type { Config } from '../config.ts';
import { examinedInPostgres } from '../doctor/analytics/examined-store.ts';
import { jsonReport, textReport } from '../doctor/doctor-report.ts';
import { type DoctorSummary, runDoctor } from '../doctor/run-doctor.ts';
import { systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { OpenEngine } from './analytics-engine.ts';
import { createAnalyticsStore, requireEventsInPostgres } from './create-analytics-store.ts';
import { openDatabaseAsItIs } from './doctor-database.ts';
import { openOwnEngine } from './open-engine.ts';
import { requireAnalytics } from './require-analytics.ts';
import { openForDoctor } from './run-doctor-job.ts';

/** The arguments as given on the command line. */
export interface DoctorArguments {
  readonly repair?: boolean;
  readonly json?: boolean;
}

export interface DoctorProcess {
  readonly log: Log;
  /** Receives the report, part by part. */
  readonly write: (text: string) => void;
  /** Stops the examination. */
  readonly cancelled: AbortSignal;
}

/**
 * `brandport doctor`: recomputes every derived figure of every brand, analytics included, and writes what differs to
 * `write`. Reads only, unless told to repair.
 * @throws StartError, EmbeddedPostgresError, MigrationError
 */
export async function runDoctorCommand(
  config: Config,
  { repair = false, json = false }: DoctorArguments,
  { log, write, cancelled }: DoctorProcess,
): Promise<DoctorSummary> {
  const main = await openDatabaseAsItIs(config, log);
  const analyticsAddress = config.analyticsUrl === null ? main.address : { url: config.analyticsUrl };
  const { database, store } = openForDoctor({ main: main.address, analytics: analyticsAddress }, 2);
  const { engineUrl } = config;
  const { store: analytics } = await createAnalyticsStore({ address: analyticsAddress, engineUrl });
  let engine: OpenEngine | null = null;
  try {
    await requireAnalytics(analyticsAddress);
    if (engineUrl === null) await requireEventsInPostgres(analyticsAddress);
    engine = await openOwnEngine(engineUrl, store);
    const report = json ? jsonReport(write) : textReport(write);
    const summary = await runDoctor(
      database,
      { repair, report: report.finding, reportMore: report.more, cancelled },
      {
        store: engine?.examined(store) ?? examinedInPostgres(store),
        aggregate: async (brandId, range) => {
          await aggregateRange({ database, clock: systemClock, analytics }, brandId, range);
        },
      },
    );
    report.end(summary);
    return summary;
  } finally {
    await engine?.close();
    await analytics.close(0);
    await store.close();
    await database.close();
    await main.stop();
  }
}
