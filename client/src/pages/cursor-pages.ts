import { BrandportError, type ResumeFrom } from '../errors/brandport-error.ts';
import { isBrandportError } from '../errors/error-classes.ts';
import type { Api, OperationTypes } from '../transport/api.ts';
import type { Answer } from '../transport/call.ts';
import { notify } from '../transport/hooks.ts';
import type { RowOf } from './offset-pages.ts';
import { type PageBody, type PageOptions, Pages } from './pages.ts';

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
