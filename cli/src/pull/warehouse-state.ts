import type { DatasetName } from '../columns/dataset-table.ts';
import { UsageError } from '../errors/cli-error.ts';
import type { Day } from './days.ts';

/** The format of the stored state. A state of another one is refused. */
export const stateVersion = 1;

export type WarehouseFormat = 'parquet' | 'csv' | 'postgresql';

/** The properties that all runs into one place share. */
export interface WarehouseIdentity {
  readonly version: number;
  /** The address of the service. */
  readonly service: string;
  readonly brand_id: number;
  readonly format: WarehouseFormat;
  /** False if running totals are not stored. */
  readonly cumulative: boolean;
}

/** A day that is stored. */
export interface StoredDay {
  /** The rows are those of this revision of the dataset; null if the service sends no revisions. */
  readonly revision: number | null;
  readonly rows: number;
  /** SHA-256 of the rows, without labels such as `content_name`. */
  readonly digest: string;
  /** The file below the folder of the dataset, and its SHA-256; absent in a database. */
  readonly file?: string;
  readonly sha256?: string;
}

export interface StoredDataset {
  /** All stored days are current as of this revision; 0 before the first complete run, null without revisions. */
  readonly revision: number | null;
  /** The columns of the stored days. */
  readonly columns?: readonly string[];
  /** The first day that was asked for; null for all that the service has. */
  readonly from: Day | null;
  /** Without revisions: `latest_date` when all days were last pulled. */
  readonly swept: Day | null;
  /** Ascending by day. */
  readonly days: Readonly<Record<Day, StoredDay>>;
}

/** The state of a warehouse. It has no times: two runs over the same data store the same state. */
export interface WarehouseState extends WarehouseIdentity {
  readonly datasets: Readonly<Partial<Record<DatasetName, StoredDataset>>>;
}

export const emptyDataset: StoredDataset = { revision: 0, from: null, swept: null, days: {} };

/** A place that cannot be used for this run: of another brand or service, or filled by another program. */
export class WarehouseRefused extends UsageError {}

/** Parses a stored state. @throws WarehouseRefused */
function parseState(text: string, place: string): WarehouseState {
  let state: Partial<WarehouseState> | null = null;
  try {
    state = JSON.parse(text);
  } catch {}
  if (typeof state !== 'object' || state === null || state.datasets === undefined)
    throw new WarehouseRefused(`${place} is not a state of "brandport pull".`);
  if (state.version !== stateVersion)
    throw new WarehouseRefused(`${place} has format ${state.version}; this version writes ${stateVersion}.`);
  return state as WarehouseState;
}

/**
 * Returns the state of a place for a run: the stored one, or an empty one if nothing is stored.
 * @param stored the stored state and where it is; `text` null: nothing is stored
 * @throws WarehouseRefused if the place is not the one that this run fills
 */
export function stateOf(
  stored: { readonly text: string | null; readonly at: string },
  wanted: WarehouseIdentity,
  place: string,
): WarehouseState {
  if (stored.text === null) return { ...wanted, datasets: {} };
  const state = parseState(stored.text, stored.at);
  assertSameWarehouse(state, wanted, place);
  return state;
}

/** Checks that a warehouse is the one that this run fills. @throws WarehouseRefused */
function assertSameWarehouse(stored: WarehouseIdentity, wanted: WarehouseIdentity, place: string): void {
  const differences: [string, unknown, unknown][] = [
    ['the service', stored.service, wanted.service],
    ['brand', stored.brand_id, wanted.brand_id],
    ['format', stored.format, wanted.format],
    ['running totals', stored.cumulative ? 'stored' : 'left out', wanted.cumulative ? 'stored' : 'left out'],
  ];
  for (const [name, before, now] of differences)
    if (before !== now)
      throw new WarehouseRefused(
        `${place} was filled with ${name} ${before}, and this run has ${now}: use another place.`,
      );
}

/** Serialises a state: the same state is the same string. */
export function stateText(state: WarehouseState): string {
  return `${JSON.stringify(state, null, 1)}\n`;
}
