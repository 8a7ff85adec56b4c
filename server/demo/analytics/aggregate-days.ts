import { setTimeout as sleep } from 'node:timers/promises';
import type { Aggregation, AggregationJob } from '../../../client/src/admin/index.ts';
import type { DemoBrand } from '../client/demo-brand.ts';
import { requireStatus } from '../client/demo-client.ts';
import type { DataSetRun } from '../data-sets/data-set.ts';
import type { Step } from '../report.ts';
import { type Day, type DayRange, daysIn } from './day.ts';
import type { Expected } from './expected/expected-datasets.ts';
import type { DatasetName } from './expected/served-rows.ts';
import { inWindow, readers } from './read-rows.ts';

type RowCounts = Record<DatasetName, number>;
const timeoutMs = 10 * 60_000;
/** A longer window is aggregated by a job. */
const maxDaysOfRequest = 31;
const pageSize = 200;

export interface WindowsToAggregate {
  /** The name of the step. */
  readonly name: string;
  readonly windows: readonly DayRange[];
}

/** Aggregates the windows in the given order and checks the number of rows in each response. */
export async function aggregateWindows(
  run: DataSetRun,
  brand: DemoBrand,
  { name, windows }: WindowsToAggregate,
  { datasets }: Expected,
): Promise<void> {
  await run.step(brand, name, windows.flatMap(daysIn).length, async (step) => {
    for (const window of windows) {
      const path = `/brands/${brand.id}/aggregations`;
      const days = daysIn(window).length;
      const isJob = days > maxDaysOfRequest;
      const answer = await brand.admin.send(({ datasets }, call) =>
        datasets.aggregate(brand.id, window, { ...call, timeoutMs }),
      );
      requireStatus(answer, isJob ? 202 : 200, `POST ${path} ${JSON.stringify(window)}`);
      const made = await resultOf(brand, answer.json);
      const what = `${window.from} to ${window.to}`;
      if (made.days !== days) step.differs(`${what}: ${made.days} days, not ${days}`);
      compareCounts(step, what, made.rows, (dataset) => inWindow(datasets[dataset], window).length);
      step.advance(days);
    }
  });
}

/** Returns the result of an aggregation; of a long window, waits for its job. */
async function resultOf(brand: DemoBrand, made: Aggregation | AggregationJob): Promise<Aggregation> {
  if (!('job_id' in made)) return made;
  const path = `/jobs/${made.job_id}`;
  const end = performance.now() + timeoutMs;
  for (;;) {
    const answer = await brand.admin.send(({ jobs }, call) => jobs.get(made.job_id, call));
    requireStatus(answer, 200, `GET ${path}`);
    const { state, result } = answer.json;
    if (state === 'completed' && result !== null) return result as unknown as Aggregation;
    if (state === 'failed' || performance.now() > end) throw new Error(`GET ${path}: the job is ${state}`);
    await sleep(250);
  }
}

/**
 * Checks the list of aggregated days: all of the range, newest first, with their rows, and none that waits for another
 * run.
 */
export async function verifyAggregatedDays(
  run: DataSetRun,
  brand: DemoBrand,
  expected: Expected,
): Promise<void> {
  const days = daysIn(expected.range).reverse();
  await run.step(brand, 'aggregated days', days.length, async (step) => {
    const counts = countsByDay(expected);
    const listed: Day[] = [];
    for (let page = 1; page <= Math.ceil(days.length / pageSize); page++) {
      const path = `/brands/${brand.id}/aggregations?page=${page}&per_page=${pageSize}`;
      const query = { page, per_page: pageSize };
      const answer = await brand.admin.send(({ datasets }, call) =>
        datasets.listDays(brand.id, query, call).first(),
      );
      requireStatus(answer, 200, `GET ${path}`);
      for (const { date, rows, dirty } of answer.json.data) {
        listed.push(date);
        if (dirty) step.differs(`${date}: dirty although nothing new arrived`);
        compareCounts(step, date, rows, (dataset) => counts[dataset].get(date) ?? 0);
      }
      step.advance(answer.json.data.length);
    }
    if (listed.join() !== days.join())
      step.differs(`${listed.length} days are listed, not the ${days.length} of the data`);
    await verifyStatus(step, brand, expected.range.to);
  });
}

/** Checks that `/status` has the last day for every dataset. */
async function verifyStatus(step: Step, brand: DemoBrand, latest: Day): Promise<void> {
  const [client] = readers(brand);
  const answer = await client?.send(({ analytics }, call) => analytics.status({}, call));
  if (answer === undefined) return;
  requireStatus(answer, 200, 'GET /analytics/status');
  const { datasets } = answer.json;
  if (datasets === null) step.differs('status: datasets is null');
  for (const [dataset, { latest_date: date }] of Object.entries(datasets ?? {}))
    if (date !== latest) step.differs(`status: latest_date of ${dataset} is ${date}, not ${latest}`);
}

function compareCounts(
  step: Step,
  what: string,
  rows: RowCounts,
  expected: (dataset: DatasetName) => number,
): void {
  for (const dataset of Object.keys(rows) as DatasetName[])
    if (rows[dataset] !== expected(dataset))
      step.differs(`${what}: ${rows[dataset]} rows of ${dataset}, not ${expected(dataset)}`);
}

function countsByDay({ datasets }: Expected): Record<DatasetName, Map<Day, number>> {
  return Object.fromEntries(
    Object.entries(datasets).map(([dataset, rows]) => {
      const counts = new Map<Day, number>();
      for (const { row } of rows) counts.set(row.date, (counts.get(row.date) ?? 0) + 1);
      return [dataset, counts];
    }),
  ) as Record<DatasetName, Map<Day, number>>;
}
