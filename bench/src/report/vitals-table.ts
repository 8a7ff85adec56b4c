import type { PartResult } from '../run-results.ts';
import { markdownTable } from './markdown-table.ts';

/**
 * Memory and event-loop delay of the server in each part. A part during which the event loop's sampler saw no delay at
 * all was not measured (its load ran elsewhere), so it has no row.
 */
export function vitalsTable(results: readonly PartResult[]): string {
  const rows = results
    .filter(({ vitals }) => vitals.eventLoopMax > 0)
    .map(({ part, vitals: { residentMb, eventLoopP99, eventLoopMax } }) => [
      part,
      `${Math.round(residentMb)} MB`,
      `${eventLoopP99.toFixed(1)} ms`,
      `${eventLoopMax.toFixed(1)} ms`,
    ]);
  return markdownTable(['part', 'resident memory', 'event loop delay, p99', 'longest'], rows);
}
