import type { Brandport } from '@brandport/client';
import { type DatasetName, datasetNames } from '../../columns/dataset-table.ts';
import { datasetTables } from '../../columns/dataset-tables.ts';
import type { CliContext } from '../../context/cli-context.ts';
import { UsageError } from '../../errors/cli-error.ts';
import type { ServiceStatus } from '../../pull/dataset-changes.ts';
import { findPlace, openPlace } from '../../pull/place.ts';
import { readIdentity } from '../../pull/pull.ts';
import type { WarehouseTarget } from '../../pull/target.ts';
import { stateVersion } from '../../pull/warehouse-state.ts';

/** The options that name a warehouse. */
export interface WarehouseOptions {
  readonly out: string;
  readonly format?: string;
  readonly withoutCumulative?: boolean;
}

export interface OpenWarehouse {
  readonly brandport: Brandport;
  readonly target: WarehouseTarget;
  readonly datasets: readonly DatasetName[];
}

/** Opens the warehouse of a command. The caller closes it. @throws UsageError, WarehouseRefused, BrandportError */
export async function openWarehouse(
  context: CliContext,
  list: string | undefined,
  options: WarehouseOptions & { readonly verify?: boolean },
): Promise<OpenWarehouse> {
  const place = await findPlace(options.out, options.format);
  const named = parseDatasets(list);
  const service = context.connection('client').url.replace(/\/+$/, '');
  const brandport = await context.brandport();
  const status = await readIdentity(brandport, context.signal);
  const identity = {
    version: stateVersion,
    service,
    brand_id: status.brandId,
    cumulative: options.withoutCumulative !== true,
  };
  const datasets = named ?? readableDatasets(status);
  return { brandport, datasets, target: await openPlace(place, identity, { isFilled: options.verify }) };
}

/** Parses a list of datasets; null without one. @throws UsageError */
function parseDatasets(list: string | undefined): DatasetName[] | null {
  if (list === undefined) return null;
  return list.split(',').map((text) => {
    const name = datasetNames.find((known) => known === text.trim());
    if (name === undefined)
      throw new UsageError(`There is no dataset "${text}": ${datasetNames.join(', ')}.`);
    return name;
  });
}

/** Returns the datasets that a key can read. @throws UsageError if there is none */
export function readableDatasets({ scopes }: ServiceStatus): DatasetName[] {
  const names = datasetNames.filter((name) => scopes.has(datasetTables[name].scope));
  if (names.length === 0) throw new UsageError('The key can read no dataset: it has no scope of analytics.');
  return names;
}
