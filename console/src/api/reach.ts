import type { Query } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { isTransient, queryClient } from './query-client.ts';

const retryMs = 5000;
const cache = queryClient.getQueryCache();

/** Returns true for a read on screen that the server did not answer. Its earlier data stays [D303]. */
function isUnreached({ state }: Query): boolean {
  return (state.status === 'error' && isTransient(state.error)) || state.fetchStatus === 'paused';
}

/** Sends the reads on screen that were not answered again, until they are. */
export function retryUnreached(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const retry = () => {
    timer = undefined;
    void queryClient.refetchQueries({ type: 'active', predicate: isUnreached }, { cancelRefetch: false });
  };
  cache.subscribe(() => {
    if (timer === undefined && cache.findAll({ type: 'active', predicate: isUnreached }).length > 0)
      timer = setTimeout(retry, retryMs);
  });
}

/** Returns when the oldest data on screen was read, in milliseconds since 1970; null while the server is reached. */
export function useUnreachedSince(): number | null {
  return useSyncExternalStore(subscribe, unreachedSince);
}

function subscribe(listener: () => void): () => void {
  return cache.subscribe(listener);
}

function unreachedSince(): number | null {
  const times = cache
    .findAll({ type: 'active', predicate: isUnreached })
    .filter(({ state }) => state.data !== undefined)
    .map(({ state }) => state.dataUpdatedAt);
  return times.length === 0 ? null : Math.min(...times);
}
