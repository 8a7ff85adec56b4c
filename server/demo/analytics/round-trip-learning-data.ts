import type { DataSetRun } from '../data-sets/data-set.ts';
import { aggregateWindows, verifyAggregatedDays } from './aggregate-days.ts';
import { windowsOf } from './day.ts';
import { type Expected, expect } from './expected/expected-datasets.ts';
import type { DatasetName } from './expected/served-rows.ts';
import type { LearningData } from './learning-data.ts';
import { analyticsLimits, verifyDataset } from './read-rows.ts';
import { sendDirectory, sendEvents } from './send-learning-data.ts';
import { verifyFilters } from './verify-filters.ts';

interface Pass {
  readonly windowDays: number;
  readonly pageSizes: Readonly<Record<DatasetName, number>>;
}

/** The largest allowed windows and pages [analytics-9] [analytics-21], then others. */
const firstPass: Pass = {
  windowDays: 92,
  pageSizes: { daily: 50, contents: 500, users: 500, content_engagement: 500 },
};
const secondPass: Pass = {
  windowDays: 31,
  pageSizes: { daily: 31, contents: 61, users: 499, content_engagement: 333 },
};

/**
 * Sends a data set to a new brand, aggregates its days, and compares everything that the four data endpoints serve with
 * the values computed from the files. Then sends everything again, aggregates the days again, and expects no change.
 */
export async function roundTripLearningData(run: DataSetRun, data: LearningData): Promise<void> {
  const expected = expect(data);
  const brand = await run.newBrand(['analytics.metrics:read', 'analytics.users:read']);
  run.announce(brand, summaryOf(data, expected), analyticsLimits);

  const verify = async ({ windowDays, pageSizes }: Pass) => {
    for (const [dataset, rows] of datasetsOf(expected))
      await verifyDataset(
        run,
        brand,
        { dataset, range: expected.range, windowDays, pageSize: pageSizes[dataset] },
        rows,
      );
  };
  const { range } = expected;

  await sendDirectory(run, brand, data);
  await sendEvents(run, brand, data, { expected: expected.intake });
  // Newest days first, so that every further window has to correct the running totals of the days after it.
  const newestFirst = { name: 'aggregate, newest first', windows: windowsOf(range, 92).reverse() };
  await aggregateWindows(run, brand, newestFirst, expected);
  await verifyAggregatedDays(run, brand, expected);
  await verify(firstPass);
  await verifyFilters(run, brand, data, expected);

  await sendEvents(run, brand, data, { expected: expected.intake, again: true });
  await verifyAggregatedDays(run, brand, expected);
  await aggregateWindows(run, brand, { name: 'aggregate again', windows: windowsOf(range, 366) }, expected);
  await verify(secondPass);
}

function datasetsOf({ datasets }: Expected) {
  return Object.entries(datasets) as [DatasetName, Expected['datasets'][DatasetName]][];
}

function summaryOf({ rows, leftOut }: LearningData, { intake }: Expected): string {
  const grouped = (count: number) => count.toLocaleString('en');
  const left = Object.entries(leftOut).map(([reason, count]) => `${grouped(count)} rows ${reason}`);
  const events = `${grouped(intake.accepted)} events of ${grouped(rows)} rows`;
  const others = [
    ...(intake.excluded > 0 ? [`${grouped(intake.excluded)} events of people who are opted out`] : []),
    ...(intake.rejected.length > 0 ? [`${grouped(intake.rejected.length)} on days that do not exist`] : []),
    ...left,
  ];
  return others.length === 0 ? events : `${events} (not counted: ${others.join(', ')})`;
}
