import { BrandportError, DeadlineExceeded, isBrandportError, type ResumeFrom } from '../errors.ts';
import type { AnalyticsStatus } from '../generated/wire.ts';
import { type CursorPageOptions, type Page, type Pages, placed } from '../pages.ts';
import type { ClientApi } from '../resource.ts';
import { type CallOptions, Lifetime } from '../transport/client-options.ts';

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
interface DatasetSource<Query, Row> {
  readonly name: keyof NonNullable<AnalyticsStatus['datasets']>;
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

const dayMs = 86_400_000;

/** Days of UTC, both inclusive, as `YYYY-MM-DD`. */
interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** Returns the current day of UTC, by the local clock. */
export function today(): string {
  return dayOf(Date.now());
}

/** @throws TypeError if the text is not a day, such as `2026-02-30` */
export function addDays(day: string, days: number): string {
  return dayOf(timeOf(day) + days * dayMs);
}

/** Cuts a range into windows of at most `cap` days, without overlap. A range that ends before it begins has none. */
export function windowsOf({ from, to }: DayRange, cap: number): DayRange[] {
  const windows: DayRange[] = [];
  for (let start = from; timeOf(start) <= timeOf(to); start = addDays(start, cap)) {
    const end = addDays(start, cap - 1);
    windows.push({ from: start, to: end < to ? end : to });
  }
  return windows;
}

function timeOf(day: string): number {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time) || dayOf(time) !== day) throw new TypeError(`"${day}" is not a day: YYYY-MM-DD.`);
  return time;
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

interface FinalOptions extends CallOptions {
  /** Reads aggregated days only: waits until `to` is aggregated; without `to`, the range ends on the last such day. */
  readonly final?: boolean | undefined;
  /** The longest wait for `final`, in milliseconds; default: not limited. */
  readonly finalWithinMs?: number | undefined;
  /** Milliseconds between two looks at the status; default 60,000. */
  readonly pollMs?: number | undefined;
}

/**
 * Waits until the dataset is aggregated up to `to`, and returns `to`. Without `to`, returns the last aggregated day, or
 * null, at once.
 * @throws BrandportError `deadline_exceeded` after `finalWithinMs`
 */
async function lastFinalDay(
  api: ClientApi,
  dataset: keyof NonNullable<AnalyticsStatus['datasets']>,
  to: string | undefined,
  options: FinalOptions,
): Promise<string | null> {
  const { final, finalWithinMs, pollMs = 60_000, ...callOptions } = options;
  const lifetime = new Lifetime(options.signal, finalWithinMs);
  try {
    for (;;) {
      const { datasets } = await api.call(
        'getAnalyticsStatus',
        [],
        {},
        { ...callOptions, signal: lifetime.signal },
      );
      // null while the analytics store is unavailable.
      if (datasets !== null) {
        const latest = datasets[dataset].latest_date;
        if (to === undefined) return latest;
        if (latest !== null && latest >= to) return to;
      }
      await lifetime.wait(pollMs);
    }
  } catch (error) {
    if (!lifetime.isExpired) throw error;
    const message = `${dataset} was not aggregated up to ${to} within ${finalWithinMs} ms.`;
    throw new DeadlineExceeded({ code: 'deadline_exceeded', message, retryable: true });
  } finally {
    lifetime.end();
  }
}
