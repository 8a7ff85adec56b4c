import { systemClock } from '../lib/clock.ts';
import { Closing } from '../lib/closing.ts';
import { applyRetention, PoliciesNotApplied, type PolicyOutcome } from '../retention/apply-retention.ts';
import { createConfiguredStore } from '../serve/open-analytics-store.ts';
import { connect, openInstallation } from '../serve/open-installation.ts';
import { StartError } from '../serve/start-error.ts';
import type { CommandContext } from './command.ts';
import { textTable } from './text-output.ts';

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
