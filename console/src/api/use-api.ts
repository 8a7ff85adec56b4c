import {
  type QueryKey,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { ApiProblem } from './api-problem.ts';
import { call, type InputOf, type OperationId, type ResponseOf } from './call.ts';

export interface ReadOptions {
  /** Reads again at this interval while the page is visible. */
  readonly refreshMs?: number | undefined;
  /** false: does not read yet. */
  readonly isEnabled?: boolean;
}

/** Reads an operation. The previous answer stays visible while other parameters are read. */
export function useApi<Id extends OperationId>(
  id: Id,
  input: InputOf<Id>,
  { refreshMs, isEnabled = true }: ReadOptions = {},
): UseQueryResult<ResponseOf<Id>, ApiProblem> {
  const key = keyOf(id, input);
  return useQuery<ResponseOf<Id>, ApiProblem>({
    queryKey: key,
    queryFn: ({ signal, client, queryKey }) =>
      call(id, input, signal, refreshMs !== undefined && client.getQueryData(queryKey) !== undefined),
    enabled: isEnabled,
    // Another page of the same list replaces the old one when it has arrived; another brand's list starts empty.
    placeholderData: ((previous: unknown, query?: { queryKey: QueryKey }) =>
      String(query?.queryKey[1]) === String(key[1]) ? previous : undefined) as never,
    ...(refreshMs === undefined ? {} : { refetchInterval: refreshMs }),
  });
}

/** Returns the cache key of a read. The path comes before the query, so that all pages of a list are found by its path. */
function keyOf<Id extends OperationId>(id: Id, input: InputOf<Id>): QueryKey {
  const { path = [], query = {} } = input as { path?: readonly unknown[]; query?: object };
  return [id, path.map(String), query];
}

export interface ChangeOptions {
  /** true: the caller leaves the page, because its resource exists no longer. */
  readonly leavesPage?: boolean;
}

/** Prepares a change. Afterwards everything on screen is read again: a change of a key shows in usage, audit and home too. */
export function useChange<Id extends OperationId>(
  id: Id,
  { leavesPage = false }: ChangeOptions = {},
): UseMutationResult<ResponseOf<Id>, ApiProblem, InputOf<Id>> {
  const queries = useQueryClient();
  return useMutation<ResponseOf<Id>, ApiProblem, InputOf<Id>>({
    mutationFn: (input) => call(id, input),
    onSuccess: () => queries.invalidateQueries({ refetchType: leavesPage ? 'none' : 'active' }),
  });
}
