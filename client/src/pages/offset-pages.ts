import type { ResumeFrom } from '../errors/brandport-error.ts';
import type { PageMeta } from '../generated/wire.ts';
import type { Api, OperationTypes } from '../transport/api.ts';
import type { Answer } from '../transport/call.ts';
import { notify } from '../transport/hooks.ts';
import { type PageBody, type PageOptions, Pages } from './pages.ts';

/** The row of a list operation's response. */
export type RowOf<Operation extends OperationTypes> = Operation['response'] extends {
  readonly data: readonly (infer Row)[];
}
  ? Row
  : never;

interface OffsetQuery {
  readonly page?: number | undefined;
}

/**
 * Returns the rows of an operation with page numbers, from `query.page` or `resumeFrom` to the last page of that
 * moment.
 */
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
