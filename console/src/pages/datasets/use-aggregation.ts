import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { rangesOf } from './day-state.ts';

interface Aggregated {
  /** The days that are aggregated already. */
  readonly days: number;
  /** The job of a range that is too long for a request. */
  readonly jobId: string | null;
}

/** Prepares the aggregation of days of a brand, in as few requests as possible. */
export function useAggregation(brandId: string) {
  const queries = useQueryClient();
  return useMutation<Aggregated, Error, readonly string[]>({
    mutationFn: async (dates) => {
      let aggregated: Aggregated = { days: 0, jobId: null };
      for (const range of rangesOf(dates)) {
        const done = await call('aggregateDays', { path: [brandId], body: range });
        aggregated =
          'job_id' in done
            ? { ...aggregated, jobId: done.job_id }
            : { ...aggregated, days: aggregated.days + done.days };
      }
      return aggregated;
    },
    onSettled: () => void queries.invalidateQueries(),
  });
}
