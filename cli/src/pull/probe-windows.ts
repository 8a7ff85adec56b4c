import type { Brandport } from '@brandport/client';
import { readPages, windowRevisionOf } from './dataset-source.ts';
import type { DatasetPlan } from './plan-datasets.ts';
import type { PlannedDay } from './plan-days.ts';

/**
 * Removes the days of windows in which nothing changed, if the service could not list the changed days: it names the greatest
 * revision of a window, for one request with a page of one row.
 */
export async function skipUnchangedWindows(
  { table, days, known, needsProbes }: DatasetPlan,
  { brandport, signal }: { readonly brandport: Brandport; readonly signal?: AbortSignal | undefined },
): Promise<readonly PlannedDay[]> {
  if (!needsProbes) return days;
  const needed: PlannedDay[] = [];
  for (let start = 0; start < days.length; start += table.capDays) {
    const window = days.slice(start, start + table.capDays);
    if (window.some(({ date }) => known.revisionOf(date) === undefined)) {
      needed.push(...window);
      continue;
    }
    const range = { from: window[0]?.date ?? '', to: window.at(-1)?.date ?? '' };
    const pages = readPages(brandport, table, range, { signal, perPage: 1 });
    const { value: page } = await pages.next();
    const revision = page === undefined ? null : windowRevisionOf(page);
    const current = Math.min(...window.map(({ date }) => Math.max(known.since, known.revisionOf(date) ?? 0)));
    if (revision === null || revision > current) needed.push(...window);
  }
  return needed;
}
