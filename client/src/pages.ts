import { BrandportError, isBrandportError, type ResumeFrom, unexpectedResponse } from './errors.ts';
import type { PageMeta } from './generated/wire.ts';
import type { Api, OperationTypes } from './transport/api.ts';
import type { Answer, ResponseInfo } from './transport/attempt.ts';
import { type CallOptions, notify } from './transport/client-options.ts';

/** The options of an iteration; the call options apply to each page. */
export interface PageOptions extends CallOptions {
  /** Continues an earlier iteration: the `resumeFrom` of its error or page. Rows of that page come again. */
  readonly resumeFrom?: ResumeFrom | null | undefined;
}

/** The body of a page. */
interface PageBody<Row, Meta> {
  readonly data: readonly Row[];
  readonly meta: Meta;
}

export interface Page<Row, Meta> extends PageBody<Row, Meta> {
  readonly response: ResponseInfo;
  /** The place of this page. */
  readonly resumeFrom: ResumeFrom;
}

/** One way of walking a list. */
interface PageWalk<Row, Meta> {
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

/** The row of a list operation's response. */
type RowOf<Operation extends OperationTypes> = Operation['response'] extends {
  readonly data: readonly (infer Row)[];
}
  ? Row
  : never;

interface OffsetQuery {
  readonly page?: number | undefined;
}

/** Returns the rows of an operation with page numbers, from `query.page` or `resumeFrom` to the last page of that moment. */
export function offsetPages<
  Operations extends { readonly [Name in keyof Operations]: OperationTypes },
  Id extends keyof Operations & string,
>(
  api: Api<Operations>,
  operation: Id,
  path: Operations[Id]['path'],
  parameters: {
    readonly query: Operations[Id]['query'] | undefined;
    readonly options: PageOptions | undefined;
  },
): Pages<RowOf<Operations[Id]>, PageMeta> {
  type Row = RowOf<Operations[Id]>;
  const { resumeFrom, ...callOptions } = parameters.options ?? {};
  const query = parameters.query as OffsetQuery | undefined;
  return new Pages<Row, PageMeta>(() => ({
    start: { page: pageOf(resumeFrom) ?? query?.page ?? 1 },
    read: (at) => {
      const call = api.call(operation, path, { query: { ...query, page: pageOf(at) } }, callOptions);
      return call.withResponse() as Promise<Answer<PageBody<Row, PageMeta>>>;
    },
    // The last page is looked up on every page: lists grow and shrink during a walk.
    next: ({ meta, resumeFrom: at }) => {
      const next = (pageOf(at) ?? 1) + 1;
      return next <= meta.last_page ? { page: next } : null;
    },
    onPage: ({ data }, page) => notify(api.hooks.onPage, { operation, page, rows: data.length }),
  }));
}

function pageOf(at: ResumeFrom | null | undefined): number | undefined {
  return at !== null && at !== undefined && 'page' in at ? at.page : undefined;
}

export interface CursorMeta {
  readonly per_page: number;
  readonly next_cursor: string | null;
}

export interface CursorPageOptions extends PageOptions {
  /**
   * A cursor is refused after 24 hours, or after its secret was removed. `restart` begins again at the first page, so
   * that rows come twice; `throw`, the default, rejects with `invalid_cursor`.
   */
  readonly onInvalidCursor?: 'restart' | 'throw' | undefined;
}

/**
 * Returns the rows of an operation with cursors. The walk ends on a null cursor alone: a page without rows may be
 * followed by others. A cursor that comes again rejects with `cursor_repeated` instead of looping for ever.
 */
export function cursorPages<
  Operations extends { readonly [Name in keyof Operations]: OperationTypes },
  Id extends keyof Operations & string,
>(
  api: Api<Operations>,
  operation: Id,
  path: Operations[Id]['path'],
  parameters: {
    readonly query: Operations[Id]['query'] | undefined;
    readonly options: CursorPageOptions | undefined;
  },
): Pages<RowOf<Operations[Id]>, CursorMeta> {
  type Row = RowOf<Operations[Id]>;
  const { resumeFrom, onInvalidCursor, ...callOptions } = parameters.options ?? {};
  const query = parameters.query as { readonly cursor?: string | undefined } | undefined;
  const read = (cursor: string | undefined) => {
    const call = api.call(operation, path, { query: { ...query, cursor } }, callOptions);
    return call.withResponse() as Promise<Answer<PageBody<Row, CursorMeta>>>;
  };
  return new Pages<Row, CursorMeta>(() => {
    let repeats = new RepeatDetector();
    return {
      start: { cursor: cursorOf(resumeFrom) ?? query?.cursor ?? null },
      read: async (at) => {
        const cursor = cursorOf(at);
        try {
          return await read(cursor);
        } catch (error) {
          const isRestart = onInvalidCursor === 'restart' && cursor !== undefined;
          if (!isRestart || !isBrandportError(error, 'invalid_cursor')) throw error;
          repeats = new RepeatDetector();
          return read(undefined);
        }
      },
      next: ({ meta }) => {
        if (meta.next_cursor === null) return null;
        if (!repeats.isRepeated(meta.next_cursor)) return { cursor: meta.next_cursor };
        throw new BrandportError({
          code: 'cursor_repeated',
          message: 'The service returned a cursor for the second time.',
        });
      },
      onPage: ({ data }, page) => notify(api.hooks.onPage, { operation, page, rows: data.length }),
    };
  });
}

function cursorOf(at: ResumeFrom | null | undefined): string | undefined {
  return at !== null && at !== undefined && 'cursor' in at ? (at.cursor ?? undefined) : undefined;
}

/**
 * Detects that a sequence has entered a circle, of any length, with the memory of one value: it compares with a value
 * that it replaces after 1, 2, 4, 8, … steps (Brent).
 */
export class RepeatDetector {
  #kept: string | null = null;
  #steps = 0;
  #limit = 1;

  /** Returns true at the latest two rounds after the sequence has entered a circle. */
  isRepeated(value: string): boolean {
    if (value === this.#kept) return true;
    this.#steps += 1;
    if (this.#steps >= this.#limit) {
      this.#kept = value;
      this.#steps = 0;
      this.#limit *= 2;
    }
    return false;
  }
}
