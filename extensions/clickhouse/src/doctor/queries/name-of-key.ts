import type { Day } from '../../../../../server/src/analytics/day.ts';
import type { DatasetName } from '../../../../../server/src/analytics/store/aggregation-types.ts';

const names: Readonly<Record<DatasetName, readonly string[]>> = {
  daily: ['market'],
  contents: ['content'],
  users: ['learner'],
  content_engagement: ['learner', 'content'],
};

/** The name of a key of a dataset on a day in reports. Values beyond those of the key are ignored. */
export function nameOfKey(dataset: DatasetName, day: Day, values: readonly string[]): string {
  return [day, ...names[dataset].map((name, place) => `${name} ${values[place]}`)].join(' ');
}
