import { BrandportError, type ResumeFrom } from '../errors/brandport-error.ts';
import { isBrandportError } from '../errors/error-classes.ts';
import type { CursorPageOptions } from '../pages/cursor-pages.ts';
import { type Page, type Pages, placed } from '../pages/pages.ts';
import type { ClientApi } from '../resource.ts';
import { type DayRange, today, windowsOf } from './day.ts';
import { type FinalOptions, lastFinalDay } from './final-days.ts';

/** The part of a query that names the days. */
export interface WindowQuery {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface RowsOptions extends CursorPageOptions, FinalOptions {}

/** All rows of one day. */
export interface DatasetDay<Row> {
  readonly date: string;
  readonly rows: readonly Row[];
  /** Moves whenever rows of the day change; null if the service does not send it. */
  readonly revision: string | null;
}

/** The properties in which datasets differ. */
export interface DatasetSource<Query, Row> {
  readonly name: 'daily' | 'contents' | 'users' | 'content_engagement';
  /** The longest window of one request, in days. */
  readonly capDays: number;
  list(query: Query | undefined, options: CursorPageOptions | undefined): Pages<Row, unknown>;
}

const maxWalksPerDay = 5;

/** A dataset of learning analytics. Its days are days of UTC; the last one is yesterday. */
export class Dataset<Query extends WindowQuery, Row> {
  readonly #api: ClientApi;
  readonly #source: DatasetSource<Query, Row>;

  constructor(api: ClientApi, source: DatasetSource<Query, Row>) {
    this.#api = api;
    this.#source = source;
  }

  /** Returns the rows of one window, as the service pages them: at most 92 days, 366 of daily metrics. */
  list(query?: Query, options?: CursorPageOptions): Pages<Row, unknown> {
    return this.#source.list(query, options);
  }

  /**
   * Iterates the rows of any range: windows of the longest length that the service accepts, one after the other. Without
   * `from`, the range is the default window of the service. Rejects with `window_changed` if a window was aggregated
   * again while it was read; `resumeFrom` of an error continues with the page, or with the window, that failed.
   */
  async *rows(query?: Query, options: RowsOptions = {}): AsyncGenerator<Row, void, undefined> {
    const { final, finalWithinMs, pollMs, resumeFrom, ...pageOptions } = options;
    const to = await this.#lastDay(query?.to, options);
    if (to === null) return;
    const from = resumeFrom?.from ?? query?.from;
    const windows: WindowQuery[] =
      from === undefined ? [{ to }] : windowsOf({ from, to: to ?? today() }, this.#source.capDays);
    for (const [index, window] of windows.entries()) {
      const start = index === 0 ? resumeFrom : null;
      for await (const { data } of this.#walk({ ...query, ...window } as Query, start, pageOptions))
        yield* data;
    }
  }

  /**
   * Iterates whole days, the unit for replacing rows in a copy. A day that is aggregated again while it is read is read
   * again. Days without rows come as well.
   */
  async *days(
    query: Query & DayRange,
    options: Omit<RowsOptions, 'resumeFrom'> = {},
  ): AsyncGenerator<DatasetDay<Row>, void, undefined> {
    const { final, finalWithinMs, pollMs, ...pageOptions } = options;
    const to = await this.#lastDay(query.to, options);
    if (to === null || to === undefined) return;
    for (const day of windowsOf({ from: query.from, to }, 1))
      yield await this.#day({ ...query, ...day }, pageOptions);
  }

  async #day(query: Query & DayRange, options: CursorPageOptions): Promise<DatasetDay<Row>> {
    for (let walk = 1; ; walk += 1) {
      const rows: Row[] = [];
      let revision: string | null = null;
      try {
        for await (const page of this.#walk(query, null, options)) {
          revision = revisionOf(page);
          for (const row of page.data) rows.push(row);
        }
        return { date: query.from, rows, revision };
      } catch (error) {
        if (walk === maxWalksPerDay || !isBrandportError(error, 'window_changed')) throw error;
      }
    }
  }

  async *#walk(
    query: Query,
    resumeFrom: ResumeFrom | null | undefined,
    options: CursorPageOptions,
  ): AsyncGenerator<Page<Row, unknown>, void, undefined> {
    const pages = stablePages(this.#source.list(query, { ...options, resumeFrom }).pages());
    const place = query.from === undefined ? {} : { from: query.from };
    for (;;) {
      const { value, done } = await placed({ cursor: null, ...place }, () => pages.next());
      if (done === true) return;
      yield value;
    }
  }

  /** Returns the last day to read: null if there is none, undefined if the service decides. */
  async #lastDay(to: string | undefined, options: FinalOptions): Promise<string | null | undefined> {
    return options.final === true ? lastFinalDay(this.#api, this.#source.name, to, options) : to;
  }
}

/** Returns the revision of the rows in the window of a page; null if the service does not send it. */
function revisionOf({ response }: Page<unknown, unknown>): string | null {
  return response.headers.get('brandport-window-revision');
}

/**
 * Passes the pages of one walk through, as long as all show the window at the same revision.
 * @throws BrandportError `window_changed` if the days were aggregated again during the walk: its rows are a mixture
 */
async function* stablePages<P extends Page<unknown, unknown>>(
  pages: AsyncIterable<P>,
): AsyncGenerator<P, void, undefined> {
  let first: string | null | undefined;
  for await (const page of pages) {
    const revision = revisionOf(page);
    first ??= revision;
    if (revision !== first)
      throw new BrandportError({
        code: 'window_changed',
        message: 'The days were aggregated again while their pages were read.',
        retryable: true,
      });
    yield page;
  }
}
