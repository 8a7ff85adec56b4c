import type { Brandport, Page } from '@brandport/client';
import type { DatasetTable } from '../columns/dataset-table.ts';

/** A window of days, both inclusive. */
export interface Window {
  readonly from: string;
  readonly to: string;
}

const properties = {
  daily: 'daily',
  contents: 'contents',
  users: 'users',
  content_engagement: 'contentEngagement',
} as const satisfies Record<DatasetTable['dataset'], keyof Brandport['analytics']>;

/** Reads the pages of a window. A page may be empty before the last one. */
export function readPages(
  brandport: Brandport,
  table: DatasetTable,
  window: Window,
  options: { readonly signal?: AbortSignal | undefined; readonly perPage?: number },
): AsyncGenerator<Page<unknown, unknown>, void, undefined> {
  const { [properties[table.dataset]]: dataset } = brandport.analytics;
  const query = { ...window, ...table.query, per_page: options.perPage ?? table.perPage };
  return dataset.list(query, { signal: options.signal }).pages();
}

/** Returns the greatest revision of the days of the page's window; null if the service does not send it. */
export function windowRevisionOf({ response }: Page<unknown, unknown>): number | null {
  const text = response.headers.get('brandport-window-revision');
  return text === null || text === '' ? null : Number(text);
}
