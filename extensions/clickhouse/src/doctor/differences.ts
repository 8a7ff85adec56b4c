import type { Day } from '../../../../server/src/analytics/day.ts';
import type { DatasetName } from '../../../../server/src/analytics/store/datasets.ts';
import { type DayDifference, DayDifferences } from '../../../../server/src/doctor/examine-analytics.ts';

/** A difference between what PostgreSQL records and what ClickHouse has. */
export type FoundDifference = DayDifference;

/** The number of differences that one statement finds. */
export const exampleLimit = 50;

export function differenceOf(
  day: Day,
  field: string,
  { stored, actual }: Pick<FoundDifference, 'stored' | 'actual'>,
  id: string = day,
): FoundDifference {
  return { day, id, field, stored, actual };
}

/** Returns what a second examination found again. */
export function confirmed(first: DayDifferences, second: DayDifferences): DayDifferences {
  const both = new DayDifferences();
  for (const check of second.checks()) {
    const [before, now] = [first.of(check), second.of(check)];
    const isComplete = before.found === before.listed.length;
    const known = new Set(before.listed.map(({ id, field }) => JSON.stringify([id, field])));
    const { found, range } = now;
    if (isComplete)
      both.add(
        check,
        now.listed.filter(({ id, field }) => known.has(JSON.stringify([id, field]))),
      );
    else if (range !== undefined)
      both.add(check, now.listed, { found: Math.min(found, before.found), range });
  }
  return both;
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
