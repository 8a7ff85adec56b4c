import { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './api-problem.ts';

const attempts = 2;

/** Returns true for a failure that another attempt may cure. */
export function isTransient(error: unknown): boolean {
  return !(error instanceof ApiProblem) || error.status === 0 || error.status >= 500;
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      retry: (count, error) => count < attempts && isTransient(error),
      retryDelay: (count) => 300 * 2 ** count,
    },
    mutations: { retry: false },
  },
});
