import { aggregateInSlices } from '../analytics/aggregation/aggregation-service.ts';
import { requireEventsInPostgres } from '../analytics/store/events-store.ts';
import { examineDatasets } from '../doctor/examine-datasets.ts';
import { type CheckReport, checkText } from '../doctor/report.ts';
import { type DoctorSummary, runDoctor } from '../doctor/run-doctor.ts';
import { systemClock } from '../lib/clock.ts';
import { Closing } from '../lib/closing.ts';
import { applyRetention, PoliciesNotApplied, type PolicyOutcome } from '../retention/apply-retention.ts';
import { StartError } from '../serve/lifetime.ts';
import { openMainDatabase } from '../serve/main-database.ts';
import { createConfiguredStore, migrateAnalyticsStore } from '../serve/open-analytics-store.ts';
import { connect, openEngine, openInstallation } from '../serve/open-installation.ts';
import { connectDoctor } from '../serve/run-doctor-job.ts';
import type { CommandContext } from './command.ts';
import { textTable } from './text-table.ts';

/** Migrates the databases to the latest schema. @throws StartError, EmbeddedPostgresError, MigrationError */
export async function migrate({ config, log, cancelled }: CommandContext): Promise<number> {
  const database = await openMainDatabase(config, log, cancelled);
  try {
    await migrateAnalyticsStore({ url: config.analyticsUrl, main: database.address, log, cancelled });
    return 0;
  } finally {
    await database.stop();
  }
}

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
        const options = { since: new Date(systemClock.now()), signal: cancelled, reason: 'repair' } as const;
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

/**
 * Does the work of the daily job now, next to a server or without one.
 * @throws StartError if a policy could not be applied; EmbeddedPostgresError, MigrationError
 */
export async function retain(
  context: CommandContext,
  { json = false }: { readonly json?: boolean },
): Promise<number> {
  const outcomes = await applyPolicies(context);
  context.write(
    json ? `${JSON.stringify({ policies: outcomes.map(outcomeToJson) }, null, 2)}\n` : tableOf(outcomes),
  );
  return 0;
}

async function applyPolicies({ config, log, cancelled }: CommandContext): Promise<PolicyOutcome[]> {
  await using closing = new Closing();
  const { main, analytics: address } = await openInstallation(config, log, closing);
  const database = connect(
    { address: main.address, applicationName: 'brandport-retain', poolSize: 2, readPoolSize: 1 },
    closing,
  );
  const analytics = await createConfiguredStore({ address, engineUrl: config.engineUrl });
  closing.defer(() => analytics.close(0));
  try {
    await analytics.prepare();
    const context = { database, analytics, clock: systemClock };
    return await applyRetention(context, { keep: config.keep, signal: cancelled });
  } catch (error) {
    if (cancelled.aborted) throw new StartError('Stopped. Run the command again to drop the rest.');
    throw error instanceof PoliciesNotApplied
      ? new StartError(`Not all was dropped: ${error.message}`)
      : error;
  }
}

function outcomeToJson({ policy, keepDays, droppedRows, heldBackBy }: PolicyOutcome) {
  return { policy, keep_days: keepDays, dropped_rows: droppedRows, held_back_by: heldBackBy };
}

function tableOf(outcomes: readonly PolicyOutcome[]): string {
  return textTable(
    ['policy', 'kept', 'dropped rows', ''],
    outcomes.map(({ policy, keepDays, droppedRows, heldBackBy }) => [
      policy,
      keepDays === null ? 'forever' : `${keepDays} days`,
      droppedRows,
      heldBackBy === null ? '' : `held back by ${heldBackBy}, which is not aggregated`,
    ]),
  );
}
