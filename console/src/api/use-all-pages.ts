import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ApiProblem } from './api-problem.ts';
import { pollInterval } from './attention.ts';
import { call, type InputOf, type OperationId, type ResponseOf } from './call.ts';
import type { ReadOptions } from './use-api.ts';

/** The operations that list rows by page. */
type ListId = {
  [Id in OperationId]: ResponseOf<Id> extends { readonly data: readonly unknown[]; readonly meta: object }
    ? Id
    : never;
}[OperationId];

type RowOf<Id extends ListId> = ResponseOf<Id>['data'][number];

export interface AllRows<Row> {
  readonly rows: readonly Row[];
  /** Rows that were not read, because the list is longer than `maxPages`. */
  readonly missing: number;
}

const perPage = 200;
const maxPages = 50;

/** Reads all pages of a list, up to 10,000 rows. */
export function useAllPages<Id extends ListId>(
  id: Id,
  input: InputOf<Id>,
  { refreshMs, isEnabled = true }: ReadOptions<never, number> = {},
): UseQueryResult<AllRows<RowOf<Id>>, ApiProblem> {
  const { path = [], query = {} } = input as { path?: readonly unknown[]; query?: object };
  return useQuery<AllRows<RowOf<Id>>, ApiProblem>({
    queryKey: [id, path.map(String), query, 'all'],
    queryFn: ({ signal, client, queryKey }) =>
      readAll(id, input, signal, refreshMs !== undefined && client.getQueryData(queryKey) !== undefined),
    enabled: isEnabled,
    ...(refreshMs === undefined ? {} : { refetchInterval: () => pollInterval(refreshMs) }),
  });
}

/** Reads all pages of a list, up to 10,000 rows. @throws ApiProblem */
export async function readAll<Id extends ListId>(
  id: Id,
  input: InputOf<Id>,
  signal?: AbortSignal,
  isPoll = false,
): Promise<AllRows<RowOf<Id>>> {
  const rows: RowOf<Id>[] = [];
  for (let page = 1; ; page += 1) {
    const query = { ...(input as { query?: object }).query, page, per_page: perPage };
    const { data, meta } = (await call(id, { ...input, query } as InputOf<Id>, {
      ...(signal && { signal }),
      isPoll,
    })) as {
      data: readonly RowOf<Id>[];
      meta: { last_page: number; total: number };
    };
    rows.push(...data);
    if (page >= meta.last_page) return { rows, missing: 0 };
    if (page === maxPages) return { rows, missing: Math.max(0, meta.total - rows.length) };
  }
}
