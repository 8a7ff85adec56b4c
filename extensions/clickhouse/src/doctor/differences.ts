import type { Day } from '../../../../server/src/analytics/day.ts';
import type { DatasetName } from '../../../../server/src/analytics/store/aggregation-types.ts';
import type { Outcomes } from '../../../../server/src/doctor/analytics/examination.ts';
import {
  type DatasetDifferenceRow,
  exampleLimit,
} from '../../../../server/src/doctor/analytics/queries/find-dataset-differences.ts';

/** A difference between what PostgreSQL records and what ClickHouse has. */
export type FoundDifference = Omit<DatasetDifferenceRow, 'found' | 'first_day' | 'last_day'>;

export function differenceOf(
  day: Day,
  field: string,
  { stored, actual }: Pick<FoundDifference, 'stored' | 'actual'>,
  id: string = day,
): FoundDifference {
  return { day, id, field, stored, actual };
}

export function addDifferences(
  outcomes: Outcomes,
  check: string,
  differences: readonly FoundDifference[],
  isRepairable?: boolean,
): void {
  const days = differences.map(({ day }) => day).sort();
  const [first_day, last_day] = [days[0], days.at(-1)];
  if (first_day === undefined || last_day === undefined) return;
  const found = differences.length;
  outcomes.add(
    check,
    differences.slice(0, exampleLimit).map((difference) => ({ ...difference, found, first_day, last_day })),
    isRepairable,
  );
}

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
