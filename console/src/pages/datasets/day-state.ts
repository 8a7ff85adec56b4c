import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, type ResponseOf } from '../../api/call.ts';
import type { Tone } from '../../parts/state-mark.tsx';

export type DatasetDay = ResponseOf<'listDatasetDays'>['data'][number];
export type DayState = 'final' | 'dirty' | 'missing' | 'dropped';

/** Returns the state of a day. `dropped`: its raw events are gone, so it cannot be aggregated again. */
export function dayStateOf({ aggregated_at, dirty, events_dropped }: DatasetDay): DayState {
  if (dirty) return 'dirty';
  if (events_dropped) return 'dropped';
  return aggregated_at === null ? 'missing' : 'final';
}

export const toneOfDay: Readonly<Record<DayState, Tone>> = {
  final: 'good',
  dirty: 'warn',
  missing: 'off',
  dropped: 'off',
};

/** The shape of a day in the calendar, which says the same as its colour. */
export const shapeOfDay: Readonly<Record<DayState, string>> = {
  final: '●',
  dirty: '◐',
  missing: '·',
  dropped: '–',
};

const dayMs = 86_400_000;

/** Returns the day a number of days after another. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10);
}

export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** Returns the fewest ranges that cover exactly some days. */
function rangesOf(days: readonly string[]): readonly DayRange[] {
  const ranges: { from: string; to: string }[] = [];
  for (const day of [...days].sort()) {
    const last = ranges.at(-1);
    if (last !== undefined && addDays(last.to, 1) === day) last.to = day;
    else ranges.push({ from: day, to: day });
  }
  return ranges;
}

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
