import { type ApiClient, requireStatus } from '../client/api-client.ts';
import { type DemoBrand, shareOut } from '../client/demo-brand.ts';
import type { DataSetRun } from '../data-sets/data-set.ts';
import type { Step } from '../report.ts';
import { type DayRange, windowsOf } from './day.ts';
import { RowComparison } from './expected/compare-rows.ts';
import { RowOrder } from './expected/row-order.ts';
import type { DatasetName, ExpectedRow, Row } from './expected/served-rows.ts';

/** The clients that together may ask as often as the brand may (contract, Limits). */
export const analyticsLimits = { requestsPerMinute: 240, keys: 2 };
export const readers = ({ clients }: DemoBrand): readonly ApiClient[] =>
  clients.slice(0, analyticsLimits.keys);

export const paths: Readonly<Record<DatasetName, string>> = {
  daily: 'metrics/daily',
  contents: 'metrics/contents',
  users: 'users/daily',
  content_engagement: 'users/contents',
};

/** One way to read rows of a dataset. */
export interface Reading {
  readonly dataset: DatasetName;
  readonly window: DayRange;
  readonly pageSize: number;
  /** Filters as they stand in the query, such as `type=episode`. */
  readonly filter?: string;
}

/** Reads a whole dataset window by window: every row once, every field as expected, nothing else. */
export async function verifyDataset(
  run: DataSetRun,
  brand: DemoBrand,
  { range, windowDays, pageSize, dataset }: Omit<Reading, 'window'> & { range: DayRange; windowDays: number },
  expected: readonly ExpectedRow[],
): Promise<void> {
  const name = `${paths[dataset]}, ${windowDays} days`;
  await run.step(brand, name, expected.length, (step) =>
    shareOut(readers(brand), windowsOf(range, windowDays), async (client, window) => {
      const rows = inWindow(expected, window);
      if (dataset !== 'daily') return verifyReading(step, client, { dataset, window, pageSize }, rows);
      const isOfBrand = ({ row }: ExpectedRow) => row.market === null;
      await verifyReading(step, client, { dataset, window, pageSize }, rows.filter(isOfBrand));
      const byMarket = { dataset, window, pageSize, filter: 'group_by=market' };
      await verifyReading(
        step,
        client,
        byMarket,
        rows.filter((row) => !isOfBrand(row)),
      );
    }),
  );
}

/** How many requests `verifyDataset` takes. */
export function requestsOf(
  { range, windowDays, pageSize, dataset }: Omit<Reading, 'window'> & { range: DayRange; windowDays: number },
  expected: readonly ExpectedRow[],
): number {
  const pages = (rows: number) => Math.max(1, Math.ceil(rows / pageSize));
  return windowsOf(range, windowDays).reduce((sum, window) => {
    const rows = inWindow(expected, window);
    const ofMarkets = rows.filter(({ row }) => row.market != null).length;
    return (
      sum + (dataset === 'daily' ? pages(ofMarkets) + pages(rows.length - ofMarkets) : pages(rows.length))
    );
  }, 0);
}

export function inWindow(expected: readonly ExpectedRow[], { from, to }: DayRange): ExpectedRow[] {
  return expected.filter(({ row }) => row.date >= from && row.date <= to);
}

/** Reads all pages of one window, and compares. */
export async function verifyReading(
  step: Step,
  client: ApiClient,
  reading: Reading,
  expected: readonly ExpectedRow[],
): Promise<void> {
  const comparison = new RowComparison(expected);
  const order = new RowOrder(reading.dataset);
  const pages =
    reading.dataset === 'daily'
      ? numberedPages(step, client, reading, expected.length)
      : cursorPages(step, client, reading);
  for await (const rows of pages) {
    for (const row of rows) {
      for (const difference of comparison.differencesOf(row)) step.differs(difference);
      const fault = order.faultOf(row);
      if (fault !== null) step.differs(fault);
    }
    step.advance(rows.length);
  }
  for (const difference of comparison.missing()) step.differs(difference);
}

interface Page {
  readonly data: readonly Row[];
  readonly meta: Readonly<Record<string, unknown>> & { readonly next_cursor: string | null };
}

async function* numberedPages(
  step: Step,
  client: ApiClient,
  reading: Reading,
  total: number,
): AsyncGenerator<readonly Row[]> {
  const lastPage = Math.max(1, Math.ceil(total / reading.pageSize));
  for (let page = 1; page <= lastPage; page++) {
    const { data, meta } = await get(client, reading, `page=${page}`);
    const expected = { current_page: page, per_page: reading.pageSize, total, last_page: lastPage };
    for (const [name, value] of Object.entries(expected))
      if (meta[name] !== value)
        step.differs(`page ${page} of ${pathOf(reading)}: meta.${name} is ${meta[name]}, not ${value}`);
    yield data;
  }
}

/** Until there is no further cursor. All pages but the last are full: nobody's rows are left out when they are read. */
async function* cursorPages(step: Step, client: ApiClient, reading: Reading): AsyncGenerator<readonly Row[]> {
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { data, meta }: Page = await get(
      client,
      reading,
      cursor === '' ? '' : `cursor=${encodeURIComponent(cursor)}`,
    );
    if (meta['per_page'] !== reading.pageSize)
      step.differs(`${pathOf(reading)}: meta.per_page is ${meta['per_page']}, not ${reading.pageSize}`);
    if (meta.next_cursor !== null && data.length !== reading.pageSize)
      step.differs(`${pathOf(reading)}: a page of ${data.length} rows has another one after it`);
    yield data;
    cursor = meta.next_cursor;
  }
}

async function get(client: ApiClient, reading: Reading, place: string): Promise<Page> {
  const path = `${pathOf(reading)}${place === '' ? '' : `&${place}`}`;
  const page = await client.get<Page>(path);
  requireStatus(page, 200, `GET ${path}`);
  return page.json;
}

function pathOf({ dataset, window, pageSize, filter }: Reading): string {
  const query = [
    `from=${window.from}`,
    `to=${window.to}`,
    `per_page=${pageSize}`,
    ...(filter === undefined ? [] : [filter]),
  ];
  return `/analytics/${paths[dataset]}?${query.join('&')}`;
}
