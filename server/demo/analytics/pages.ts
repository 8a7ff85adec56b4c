import type {
  Brandport,
  ListContentMetricsQuery,
  ListDailyMetricsQuery,
  ListUserContentsQuery,
  ListUserDaysQuery,
  Pages,
} from '../../../client/src/index.ts';
import type { BrandClient } from '../client/demo-brand.ts';
import type { DemoCallOptions } from '../client/demo-client.ts';
import { lastPageOf } from '../compare.ts';
import type { Step } from '../report.ts';
import type { DayRange } from './day.ts';
import type { DatasetName, Row } from './expected/served-rows.ts';

export const paths: Readonly<Record<DatasetName, string>> = {
  daily: 'metrics/daily',
  contents: 'metrics/contents',
  users: 'users/daily',
  content_engagement: 'users/contents',
};

/** The query of a dataset, or the filters in it. */
export type Query = Readonly<Record<string, string | number | boolean>>;

/** A way to read rows of a dataset. */
export interface Reading {
  readonly dataset: DatasetName;
  readonly window: DayRange;
  readonly pageSize: number;
  readonly filter?: Query;
}

interface Meta {
  readonly current_page?: number;
  readonly per_page: number;
  readonly total?: number;
  readonly last_page?: number;
  readonly next_cursor?: string | null;
}

/** Returns the list of a dataset. */
export function listOf(
  { analytics }: Brandport,
  dataset: DatasetName,
  query: Query,
  options: DemoCallOptions,
): Pages<Row, Meta> {
  const lists = {
    daily: () => analytics.daily.list(query as ListDailyMetricsQuery, options),
    contents: () => analytics.contents.list(query as ListContentMetricsQuery, options),
    users: () => analytics.users.list(query as ListUserDaysQuery, options),
    content_engagement: () => analytics.contentEngagement.list(query as ListUserContentsQuery, options),
  };
  return lists[dataset]() as Pages<Row, Meta>;
}

/** Yields the pages of a reading, and reports problems of a page itself to the step. `total` rows are expected. */
export async function* pagesOf(
  step: Step,
  client: BrandClient,
  { dataset, window, pageSize, filter }: Reading,
  total: number,
): AsyncGenerator<readonly Row[]> {
  const query = { ...window, per_page: pageSize, ...filter };
  const path = pathOf(dataset, query);
  let number = 0;
  for await (const { data, meta } of client.iterate(`GET ${path}`, (api, call) =>
    listOf(api, dataset, query, call).pages(),
  )) {
    number++;
    for (const [name, value] of Object.entries(expectedMeta(dataset, number, pageSize, total)))
      if (meta[name as keyof Meta] !== value)
        step.differs(`page ${number} of ${path}: meta.${name} is ${meta[name as keyof Meta]}, not ${value}`);
    yield data;
    if ((meta.next_cursor ?? null) === null) continue;
    // Full, since no rows are filtered out after reading.
    if (data.length !== pageSize)
      step.differs(`${path}: a page of ${data.length} rows has another one after it`);
    if (number <= total / pageSize) continue;
    step.differs(`${path}: continues after ${total} rows`);
    return;
  }
}

function expectedMeta(dataset: DatasetName, page: number, pageSize: number, total: number): Partial<Meta> {
  if (dataset !== 'daily') return { per_page: pageSize };
  const lastPage = lastPageOf(total, pageSize);
  return { current_page: page, per_page: pageSize, total, last_page: lastPage };
}

export function pathOf(dataset: DatasetName, query: Query): string {
  const parts = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return `/analytics/${paths[dataset]}?${parts.join('&')}`;
}
