import { type ApiClient, requireStatus } from '../client/api-client.ts';
import type { Step } from '../report.ts';
import type { DayRange } from './day.ts';
import type { DatasetName, Row } from './expected/served-rows.ts';

export const paths: Readonly<Record<DatasetName, string>> = {
  daily: 'metrics/daily',
  contents: 'metrics/contents',
  users: 'users/daily',
  content_engagement: 'users/contents',
};

/** A way to read rows of a dataset. */
export interface Reading {
  readonly dataset: DatasetName;
  readonly window: DayRange;
  readonly pageSize: number;
  /** Filters in query syntax, such as `type=episode`. */
  readonly filter?: string;
}

/** Yields the pages of a reading, and reports problems of a page itself to the step. `total` rows are expected. */
export function pagesOf(
  step: Step,
  client: ApiClient,
  reading: Reading,
  total: number,
): AsyncGenerator<readonly Row[]> {
  const pages = reading.dataset === 'daily' ? numberedPages : cursorPages;
  return pages(step, client, reading, total);
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

/**
 * Yields pages until there is no further cursor. All pages but the last are full, since no rows are filtered out after
 * reading.
 */
async function* cursorPages(
  step: Step,
  client: ApiClient,
  reading: Reading,
  total: number,
): AsyncGenerator<readonly Row[]> {
  const path = pathOf(reading);
  let cursor = '';
  for (let page = 0; page <= total / reading.pageSize; page++) {
    const place = cursor === '' ? '' : `cursor=${encodeURIComponent(cursor)}`;
    const { data, meta } = await get(client, reading, place);
    if (meta['per_page'] !== reading.pageSize)
      step.differs(`${path}: meta.per_page is ${meta['per_page']}, not ${reading.pageSize}`);
    yield data;
    if (meta.next_cursor === null) return;
    if (data.length !== reading.pageSize)
      step.differs(`${path}: a page of ${data.length} rows has another one after it`);
    cursor = meta.next_cursor;
  }
  step.differs(`${path}: continues after ${total} rows`);
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
