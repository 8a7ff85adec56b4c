import {
  type AggregationContext,
  aggregateAllBrands,
  aggregateDueDays,
  aggregateInSlices,
} from '../analytics/aggregation/aggregation-service.ts';
import { aggregationRange } from '../analytics/aggregation/aggregation-wire.ts';
import { yesterdayOf } from '../analytics/day.ts';
import { engineNames } from '../analytics/store/events-store.ts';
import { listBrandIds } from '../brands/brand-store.ts';
import { ApiError } from '../errors/api-error.ts';
import { systemClock } from '../lib/clock.ts';
import { Closing } from '../lib/closing.ts';
import { isDay } from '../lib/instant.ts';
import { Lifetime, StartError } from '../serve/lifetime.ts';
import { loadEngineExtension } from '../serve/load-extensions.ts';
import { openDatabases } from '../serve/open-databases.ts';
import { openInstallation } from '../serve/open-installation.ts';
import type { CommandContext } from './command.ts';
import { textTable } from './text-table.ts';

interface AggregateArguments {
  readonly brand?: string;
  readonly from?: string;
  readonly to?: string;
}

/**
 * Does the work of the nightly run now, optionally for one brand or for given days only. Needs a `DATABASE_URL`, or an embedded
 * database that no server is using.
 * @throws StartError if the arguments are invalid, or the store is unavailable
 */
export async function aggregate(
  { config, log, cancelled, write, flush, exit }: CommandContext,
  args: AggregateArguments,
): Promise<never> {
  const lifetime = new Lifetime(log);
  try {
    const range = rangeOf(args);
    const opened = await openDatabases(config, 'brandport-aggregate', { log, lifetime, cancelled });
    const work = aggregateBrands({ ...opened, clock: systemClock }, args.brand, range, cancelled);
    const outcome = await untilStopped(work, cancelled);
    write(`${JSON.stringify(outcome)}\n`);
    await flush();
  } catch (error) {
    throw error instanceof ApiError ? new StartError(messageOf(error)) : error;
  } finally {
    await lifetime.end(0);
  }
  return exit(0);
}

/**
 * Does not wait for the transaction that runs when the command is stopped: it is rolled back with its connection.
 * @throws StartError once `cancelled` is aborted
 */
function untilStopped<T>(work: Promise<T>, cancelled: AbortSignal): Promise<T> {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = () =>
    reject(
      new StartError('Stopped. The days that were aggregated stay; run the command again for the rest.'),
    );
  if (cancelled.aborted) stop();
  cancelled.addEventListener('abort', stop);
  work.catch(() => {});
  return Promise.race([work, stopped]);
}

type Range = ReturnType<typeof aggregationRange>;

async function aggregateBrands(
  context: AggregationContext,
  brand: string | undefined,
  range: Range | null,
  cancelled: AbortSignal,
) {
  if (brand === undefined && range === null) return { ...(await aggregateAllBrands(context, cancelled)) };
  const brandIds = await listBrandIds(context.database);
  const chosen = brand === undefined ? brandIds : brandIds.filter((id) => String(id) === brand);
  if (brand !== undefined && chosen.length === 0) throw new StartError(`There is no brand ${brand}.`);
  let days = 0;
  let rows = 0;
  for (const brandId of chosen) {
    const result =
      range === null
        ? await aggregateDueDays(context, brandId, { signal: cancelled })
        : await aggregateInSlices(context, brandId, range, {
            since: new Date(context.clock.now()),
            signal: cancelled,
          });
    days += result?.days ?? 0;
    rows += Object.values(result?.rows ?? {}).reduce((sum, count) => sum + count, 0);
  }
  return { brands: chosen.length, days, rows };
}

/** null: the days that are due. One end alone means one day, or all days since it. */
function rangeOf({ from, to }: AggregateArguments): Range | null {
  for (const [name, day] of Object.entries({ from, to }))
    if (day !== undefined && !isDay(day))
      throw new StartError(`--${name} must be a day, such as 2026-03-01.`);
  const yesterday = yesterdayOf(systemClock.now());
  const first = from ?? to;
  if (first === undefined) return null;
  return aggregationRange({ from: first, to: to ?? yesterday }, yesterday);
}

function messageOf({ message, details }: ApiError): string {
  const fields = Object.entries(details.errors ?? {}).map(([name, texts]) => `--${name} ${texts.join(', ')}`);
  return fields.length > 0 ? `${fields.join('; ')}.` : message;
}

/**
 * Moves the events and datasets of the analytics store from PostgreSQL to the engine that the settings name. Servers and workers
 * must be stopped.
 * @throws StartError, StoreMismatch, EmbeddedPostgresError, MigrationError
 */
export async function copyAnalytics({ config, log, write, cancelled }: CommandContext): Promise<number> {
  const engine = await loadEngineExtension(config.engineUrl);
  if (engine === null) throw new StartError(`Set ${engineNames.setting} to the address to copy to.`);
  await using closing = new Closing();
  const { analytics: address } = await openInstallation(config, log, closing);
  const rows = await engine
    .copyFromPostgres({
      address,
      signal: cancelled,
      onCopied: (table, month, count) => log('info', `copied ${count} rows of ${table} in ${month}`),
    })
    .catch((error: unknown) => {
      if (!cancelled.aborted) throw error;
      throw new StartError('Stopped. The store is unchanged in PostgreSQL; the next copy starts over.');
    });
  write(textTable(['table', 'rows'], Object.entries(rows)));
  return 0;
}
