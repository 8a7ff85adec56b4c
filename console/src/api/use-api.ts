import {
  type QueryKey,
  type QueryState,
  replaceEqualDeep,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useRef } from 'react';
import type { ApiProblem } from './api-problem.ts';
import { pollInterval } from './attention.ts';
import { type CallOptions, call, type InputOf, type OperationId, type ResponseOf, tagOf } from './call.ts';

interface ReadOptions<Data, Refresh = number | ((data: Data) => number | undefined)> {
  /** Reads again at this interval while the page is visible; a function computes it from what was read. */
  readonly refreshMs?: Refresh | undefined;
  /** false: does not read yet. */
  readonly isEnabled?: boolean;
}

/** Reads an operation. The previous answer stays visible while other parameters are read. */
export function useApi<Id extends OperationId>(
  id: Id,
  input: InputOf<Id>,
  { refreshMs, isEnabled = true }: ReadOptions<ResponseOf<Id>> = {},
): UseQueryResult<ResponseOf<Id>, ApiProblem> {
  const key = keyOf(id, input);
  return useQuery<ResponseOf<Id>, ApiProblem>({
    queryKey: key,
    queryFn: ({ signal, client, queryKey }) =>
      call(id, input, {
        signal,
        isPoll: isUnattended(client.getQueryState(queryKey), refreshMs),
      }),
    // The object of a tagged response has its tag: it is replaced as a whole. Figures may change under the same tag.
    structuralSharing: (old, fresh) => {
      const shared = replaceEqualDeep(old, fresh);
      const isSame = shared === old && tagOf(old) === tagOf(fresh);
      const kept = tagOf(fresh) === undefined || isSame ? shared : fresh;
      if (typeof kept === 'object' && kept !== null) reads.set(kept, { id, input });
      return kept;
    },
    enabled: isEnabled,
    // Another page of the same list replaces the old one when it has arrived; another brand's list starts empty.
    placeholderData: ((previous: unknown, query?: { queryKey: QueryKey }) =>
      String(query?.queryKey[1]) === String(key[1]) ? previous : undefined) as never,
    refetchInterval: ({ state }) => {
      const ms =
        typeof refreshMs === 'function' ? state.data !== undefined && refreshMs(state.data) : refreshMs;
      return ms ? pollInterval(ms) : false;
    },
  });
}

/** Returns true for a read that nobody has asked for: a poll, or another attempt after one that was not answered. */
function isUnattended(state: QueryState | undefined, refreshMs: unknown): boolean {
  return state?.status === 'error' || (refreshMs !== undefined && state?.data !== undefined);
}

/** The operations that list rows by page. */
type ListId = {
  [Id in OperationId]: ResponseOf<Id> extends { readonly data: readonly unknown[]; readonly meta: object }
    ? Id
    : never;
}[OperationId];

type RowOf<Id extends ListId> = ResponseOf<Id>['data'][number];

interface AllRows<Row> {
  readonly rows: readonly Row[];
  /** Rows that were not read, because the list is longer than `maxPages`. */
  readonly missing: number;
}

const perPage = 200;
const maxPages = 50;

/** A page of a list. */
export interface ListPage<Row> {
  readonly data: readonly Row[];
  readonly meta: {
    readonly current_page: number;
    readonly per_page: number;
    readonly total: number;
    readonly last_page: number;
  };
}

/** The reads of `useApi`, by what they returned. */
const reads = new WeakMap<object, { readonly id: OperationId; readonly input: object }>();

/** Reads all pages of the list to which a page belongs that `useApi` has read, with the same filters and order. */
export function pagesAround<Row>(page: ListPage<Row>, signal: AbortSignal): AsyncIterable<ListPage<Row>> {
  const read = reads.get(page);
  if (read === undefined) throw new Error('The page was not read with useApi.');
  return pagesOf(read.id, read.input, { signal });
}

async function* pagesOf<Row>(
  id: OperationId,
  input: object,
  options: CallOptions,
): AsyncGenerator<ListPage<Row>> {
  for (let page = 1; ; page += 1) {
    const query = { ...(input as { query?: object }).query, page, per_page: perPage };
    const found = (await call(id, { ...input, query } as never, options)) as unknown as ListPage<Row>;
    yield found;
    if (page >= found.meta.last_page) return;
  }
}

/** Reads all pages of a list, up to 10,000 rows. */
export function useAllPages<Id extends ListId>(
  id: Id,
  input: InputOf<Id>,
  { refreshMs, isEnabled = true }: ReadOptions<never, number> = {},
): UseQueryResult<AllRows<RowOf<Id>>, ApiProblem> {
  return useQuery<AllRows<RowOf<Id>>, ApiProblem>({
    queryKey: [...keyOf(id, input), 'all'],
    queryFn: ({ signal, client, queryKey }) =>
      readAll(id, input, { signal, isPoll: isUnattended(client.getQueryState(queryKey), refreshMs) }),
    enabled: isEnabled,
    ...(refreshMs === undefined ? {} : { refetchInterval: () => pollInterval(refreshMs) }),
  });
}

/** Reads all pages of a list, up to 10,000 rows. @throws ApiProblem */
export async function readAll<Id extends ListId>(
  id: Id,
  input: InputOf<Id>,
  options: CallOptions = {},
): Promise<AllRows<RowOf<Id>>> {
  const rows: RowOf<Id>[] = [];
  for await (const { data, meta } of pagesOf<RowOf<Id>>(id, input, options)) {
    rows.push(...data);
    if (meta.current_page === maxPages) return { rows, missing: Math.max(0, meta.total - rows.length) };
  }
  return { rows, missing: 0 };
}

/** Returns the cache key of a read. The path comes before the query, so that all pages of a list are found by its path. */
function keyOf<Id extends OperationId>(id: Id, input: InputOf<Id>): QueryKey {
  const { path = [], query = {} } = input as { path?: readonly unknown[]; query?: object };
  return [id, path.map(String), query];
}

export interface ChangeOptions {
  /** true: the caller leaves the page, because its resource exists no longer. */
  readonly leavesPage?: boolean;
  /** true: the answer is shown once, and at once: a read that is late must not hold it back. */
  readonly isShownOnce?: boolean;
}

/**
 * Prepares a change. Until it succeeds, every attempt has the same Idempotency-Key, and one runs at a time: neither a double
 * click nor a second attempt after a lost answer creates two [D261]. Afterwards everything on screen is read again.
 */
export function useChange<Id extends OperationId>(
  id: Id,
  { leavesPage = false, isShownOnce = false }: ChangeOptions = {},
): UseMutationResult<ResponseOf<Id>, ApiProblem, InputOf<Id>> {
  const queries = useQueryClient();
  const attempt = useRef({ key: newKey(), running: null as Promise<ResponseOf<Id>> | null });
  const { current } = attempt;
  return useMutation<ResponseOf<Id>, ApiProblem, InputOf<Id>>({
    mutationFn: (input) => {
      current.running ??= call(id, input, { idempotencyKey: current.key }).finally(() => {
        current.running = null;
      });
      return current.running;
    },
    onSuccess: () => {
      current.key = newKey();
      const reads = queries.invalidateQueries({ refetchType: leavesPage ? 'none' : 'active' });
      return isShownOnce ? undefined : reads;
    },
    onError: ({ code }) => {
      if (code === 'idempotency_key_reuse') current.key = newKey();
      if (code === 'precondition_failed') return queries.invalidateQueries();
      return undefined;
    },
  });
}

/** Returns a new Idempotency-Key. `crypto.randomUUID` exists over https only. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
