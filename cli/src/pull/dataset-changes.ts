import type { AnalyticsStatus, Brandport } from '@brandport/client';
import { type DatasetName, type DatasetTable, datasetNames } from '../columns/dataset-table.ts';
import { datasetTables } from '../columns/dataset-tables.ts';
import { CliError, exitCodes } from '../errors/cli-error.ts';
import type { Day } from './days.ts';

/** A day that changed since a revision. */
export interface ChangedDay {
  readonly revision: number;
  readonly cause: string;
}

/** The state of a dataset on the service, and its changes since a revision. */
export interface DatasetChanges {
  readonly latest: Day | null;
  readonly oldest: Day | null;
  /** null if the service keeps no revisions. */
  readonly revision: number | null;
  /** The days that changed; null if the service does not list them all. */
  readonly days: ReadonlyMap<Day, ChangedDay> | null;
  /** Changes of the directory are included up to this time; null without revisions. */
  readonly asOf: string | null;
  /** True if the dataset has not reached the revision that was asked for: it was restored from a backup. */
  readonly isBehind: boolean;
}

export interface ServiceStatus {
  readonly brandId: number;
  readonly scopes: ReadonlySet<string>;
  readonly datasets: Readonly<Record<DatasetName, DatasetChanges>>;
}

/** Reads the status, with the changes since the revisions. @throws CliError if the datasets are not available, BrandportError */
export async function readStatus(
  brandport: Brandport,
  since: ReadonlyMap<DatasetName, number>,
  signal?: AbortSignal,
): Promise<ServiceStatus> {
  const query = since.size === 0 ? {} : { changes_since: leastRevisions(since) };
  const { brand_id, scopes, datasets } = await brandport.analytics.status(query, { signal });
  if (datasets === null)
    throw new CliError(
      'The analytics store of the service is unavailable. Run the command again later.',
      exitCodes.partial,
    );
  return {
    brandId: brand_id,
    scopes: new Set(scopes),
    datasets: Object.fromEntries(
      datasetNames.map((name) => [
        name,
        changesOf(datasets[datasetTables[name].dataset], since.get(name) ?? 0),
      ]),
    ) as ServiceStatus['datasets'],
  };
}

type State = NonNullable<AnalyticsStatus['datasets']>[DatasetTable['dataset']];

/** Returns the parameter: of the tables of a dataset, the one that is furthest behind decides. */
function leastRevisions(since: ReadonlyMap<DatasetName, number>): string {
  const least = new Map<string, number>();
  for (const [name, revision] of since) {
    const { dataset } = datasetTables[name];
    least.set(dataset, Math.min(revision, least.get(dataset) ?? revision));
  }
  return [...least].map(([dataset, revision]) => `${dataset}:${revision}`).join(',');
}

/** Services before the ledger of revisions send `latest_date` alone. */
function changesOf(
  { latest_date, ...rest }: Pick<State, 'latest_date'> & Partial<State>,
  since: number,
): DatasetChanges {
  const { revision = null, oldest_date = null, changed } = rest;
  return {
    latest: latest_date,
    oldest: oldest_date,
    revision,
    days:
      changed?.complete === true
        ? new Map(changed.days.map(({ date, revision, cause }) => [date, { revision, cause }]))
        : null,
    asOf: changed?.as_of ?? null,
    isBehind: revision !== null && since > revision,
  };
}
