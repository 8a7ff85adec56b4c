import type { DatasetName } from '../../../../server/src/analytics/store/datasets.ts';
import {
  type DatasetDefinition,
  datasetDefinitions,
} from '../../../../server/src/analytics/store/postgres/dataset-definitions.ts';

/** A dataset in ClickHouse, with the columns that it has in PostgreSQL. Running totals are not stored: pages add them up. */
export interface DatasetShape
  extends Pick<DatasetDefinition, 'name' | 'keys' | 'attributes' | 'sums' | 'cumulated'> {
  /** The order of its pages, without the brand, including the day. */
  readonly order: readonly string[];
}

const orders: Readonly<Record<DatasetName, readonly string[]>> = {
  daily: ['day', 'market_id'],
  contents: ['content_ref_id', 'day'],
  users: ['user_id', 'day'],
  content_engagement: ['content_ref_id', 'day', 'user_id'],
};

export const shapes = Object.fromEntries<DatasetShape>(
  datasetDefinitions.map((definition) => [
    definition.name,
    { ...definition, order: orders[definition.name] },
  ]),
) as Record<DatasetName, DatasetShape>;

export function columnsOf(shape: DatasetShape): string[] {
  const { keys, attributes, sums } = shape;
  return ['brand_id', 'month', 'day', 'generation', ...keys, ...attributes, ...sums];
}
