import { aggregateInSlices } from '../analytics/aggregation/aggregation-service.ts';
import { requireEventsInPostgres } from '../analytics/store/events-store.ts';
import { examineDatasets } from '../doctor/examine-datasets.ts';
import { type CheckReport, checkText } from '../doctor/report.ts';
import { type DoctorSummary, runDoctor } from '../doctor/run-doctor.ts';
import { systemClock } from '../lib/clock.ts';
import { Closing } from '../lib/closing.ts';
import { createConfiguredStore } from '../serve/open-analytics-store.ts';
import { openEngine, openInstallation } from '../serve/open-installation.ts';
import { connectDoctor } from '../serve/run-doctor-job.ts';
import type { CommandContext } from './command.ts';

export type DoctorContext = Pick<CommandContext, 'config' | 'log' | 'write' | 'cancelled'>;

/**
 * Recomputes every derived figure of every brand, analytics included, and writes what differs: as text, a check as soon as it has
 * passed a brand, or as one JSON document at the end. Reads only, unless `repair` is set. Returns 0 if nothing differs or all was
 * repaired, otherwise 1.
 * @throws StartError, EmbeddedPostgresError, MigrationError
 */
export async function doctor(
  { config, log, write, cancelled }: DoctorContext,
  { repair = false, json = false }: { readonly repair?: boolean; readonly json?: boolean } = {},
): Promise<number> {
  await using closing = new Closing();
  const { main, analytics: address } = await openInstallation(config, log, closing);
  const { database, store } = connectDoctor({ main: main.address, analytics: address }, 2, closing);
  const { engineUrl } = config;
  const analytics = await createConfiguredStore({ address, engineUrl });
  closing.defer(() => analytics.close(0));
  if (engineUrl === null) await requireEventsInPostgres(store);
  const engine = await openEngine(engineUrl, closing, store);
  const checks: CheckReport[] = [];
  const report = (check: CheckReport) => void (json ? checks.push(check) : write(checkText(check)));
  const summary = await runDoctor(
    database,
    { repair, report, cancelled },
    {
      examine: engine?.examined(store) ?? examineDatasets(store),
      aggregate: async (brandId, range) => {
        const options = { since: new Date(systemClock.now()), signal: cancelled };
        await aggregateInSlices({ database, clock: systemClock, analytics }, brandId, range, options);
      },
    },
  );
  write(json ? `${JSON.stringify({ ...summary, checks }, null, 2)}\n` : summaryText(summary));
  return summary.left === 0 ? 0 : 1;
}

function summaryText({ brands, found, repaired, left, skipped_days }: DoctorSummary): string {
  const skipped =
    skipped_days === 0
      ? ''
      : `Skipped: ${skipped_days} days that are dirty, or whose events were dropped or erased.\n`;
  const scope = `Examined ${brands} ${brands === 1 ? 'brand' : 'brands'}`;
  const outcome =
    found === 0 ? 'everything adds up' : `${found} differences, ${repaired} repaired, ${left} left`;
  return `${skipped}${scope}: ${outcome}.\n`;
}
