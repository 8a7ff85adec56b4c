import { aggregateRange } from '../analytics/aggregation/aggregation-service.ts';
import { requireEventsInPostgres } from '../analytics/store/coordination/engine-store.ts';
import { examinedInPostgres } from '../doctor/analytics/examined-store.ts';
import { doctorReport } from '../doctor/doctor-report.ts';
import { runDoctor } from '../doctor/run-doctor.ts';
import { systemClock } from '../lib/clock.ts';
import { createConfiguredStore } from '../serve/open-analytics-store.ts';
import { openEngine, openInstallation } from '../serve/open-installation.ts';
import { connectDoctor } from '../serve/run-doctor-job.ts';
import type { CommandContext } from './command.ts';

export type DoctorContext = Pick<CommandContext, 'config' | 'log' | 'write' | 'cancelled'>;

/**
 * Recomputes every derived figure of every brand, analytics included, and writes what differs. Reads only, unless `repair` is
 * set. Returns 0 if nothing differs or all was repaired, otherwise 1.
 * @throws StartError, EmbeddedPostgresError, MigrationError
 */
export async function doctor(
  { config, log, write, cancelled }: DoctorContext,
  { repair = false }: { readonly repair?: boolean } = {},
): Promise<number> {
  await using closing = new AsyncDisposableStack();
  const { main, analytics: address } = await openInstallation(config, log, closing);
  const { database, store } = connectDoctor({ main: main.address, analytics: address }, 2, closing);
  const { engineUrl } = config;
  const analytics = await createConfiguredStore({ address, engineUrl });
  closing.defer(() => analytics.close(0));
  if (engineUrl === null) await requireEventsInPostgres(store);
  const engine = await openEngine(engineUrl, closing, store);
  const report = doctorReport(write);
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
  return summary.left === 0 ? 0 : 1;
}
