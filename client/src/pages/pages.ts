import { BrandportError, type ResumeFrom } from '../errors/brandport-error.ts';
import type { Answer, ResponseInfo } from '../transport/call.ts';
import type { CallOptions } from '../transport/client-options.ts';
import { unexpectedResponse } from '../transport/error-from-response.ts';

/** The options of an iteration; the call options apply to each page. */
export interface PageOptions extends CallOptions {
  /** Continues an earlier iteration: the `resumeFrom` of its error or page. Rows of that page come again. */
  readonly resumeFrom?: ResumeFrom | null | undefined;
}

/** The body of a page. */
export interface PageBody<Row, Meta> {
  readonly data: readonly Row[];
  readonly meta: Meta;
}

export interface Page<Row, Meta> extends PageBody<Row, Meta> {
  readonly response: ResponseInfo;
  /** The place of this page. */
  readonly resumeFrom: ResumeFrom;
}

/** One way of walking a list. */
export interface PageWalk<Row, Meta> {
  readonly start: ResumeFrom;
  read(at: ResumeFrom): Promise<Answer<PageBody<Row, Meta>>>;
  /** Returns the place of the next page; null after the last one. @throws BrandportError */
  next(page: Page<Row, Meta>): ResumeFrom | null;
  onPage(page: Page<Row, Meta>, number: number): void;
}

/**
 * The rows of a list, read page by page while they are iterated. Each iteration begins at the start. An error has the
 * page that failed as `resumeFrom`.
 */
export class Pages<Row, Meta> implements AsyncIterable<Row> {
  readonly #begin: () => PageWalk<Row, Meta>;

  /** @param begin creates the state of a new walk */
  constructor(begin: () => PageWalk<Row, Meta>) {
    this.#begin = begin;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const { data } of this.pages()) yield* data;
  }

  /** Iterates whole pages, with their totals or cursors. A page may be empty before the last one. */
  async *pages(): AsyncGenerator<Page<Row, Meta>, void, undefined> {
    const walk = this.#begin();
    let at: ResumeFrom | null = walk.start;
    for (let number = 1; at !== null; number += 1) {
      const page: Page<Row, Meta> = await readPage(walk, at);
      walk.onPage(page, number);
      yield page;
      at = nextOf(walk, page);
    }
  }

  /** Reads the first page only. */
  async first(): Promise<Page<Row, Meta>> {
    const walk = this.#begin();
    return readPage(walk, walk.start);
  }

  /** Collects all rows in memory. */
  async toArray(): Promise<Row[]> {
    const rows: Row[] = [];
    for await (const row of this) rows.push(row);
    return rows;
  }
}

async function readPage<Row, Meta>(walk: PageWalk<Row, Meta>, at: ResumeFrom): Promise<Page<Row, Meta>> {
  return placed(at, async () => {
    const { data, response } = await walk.read(at);
    if (!Array.isArray(data.data) || typeof data.meta !== 'object' || data.meta === null)
      throw unexpectedResponse({ ...response, text: JSON.stringify(data) });
    return { data: data.data, meta: data.meta, response, resumeFrom: at };
  });
}

function nextOf<Row, Meta>(walk: PageWalk<Row, Meta>, page: Page<Row, Meta>): ResumeFrom | null {
  try {
    return walk.next(page);
  } catch (error) {
    throw withPlace(error, page.resumeFrom);
  }
}

/** Runs one step of an iteration, and adds its place to the error; a place that the error has is kept. */
export async function placed<T>(at: ResumeFrom, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw withPlace(error, at);
  }
}

function withPlace(error: unknown, at: ResumeFrom): unknown {
  if (error instanceof BrandportError) error.resumeFrom = { ...at, ...error.resumeFrom };
  return error;
}
